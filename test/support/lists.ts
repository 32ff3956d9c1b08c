import {
  getNamedType,
  GraphQLBoolean,
  GraphQLInt,
  isEnumType,
  isObjectType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { listOfQuery, type ListDeclaration } from '../../src/listing/declaration.ts';
import type { Client } from './client.ts';

/** A list for tests: its query, and the declaration of its args class. */
export interface TestedList {
  field: string;
  declaration: ListDeclaration;
  record: GraphQLObjectType;
  /** Boolean arguments. */
  flags: readonly string[];
  /** Integer arguments. */
  numbers: readonly string[];
  /** Arguments with an enumeration. */
  enums: readonly string[];
  /** Required arguments: keys, for which a test uses the first record. */
  required: readonly string[];
}

/** Every list of records that an entity has, found by the args class of its query. */
export function listsOf(schema: GraphQLSchema): TestedList[] {
  return getMetadataStorage().queries.flatMap(query => {
    const declaration = listOfQuery(query.schemaName);
    if (!declaration) return [];
    const field = schema.getQueryType()!.getFields()[query.schemaName]!;
    const page = getNamedType(field.type) as GraphQLObjectType;
    const named = (is: (arg: GraphQLArgument) => boolean) => field.args.filter(is).map(arg => arg.name);
    const flags = named(arg => getNamedType(arg.type) === GraphQLBoolean);
    const numbers = named(arg => getNamedType(arg.type) === GraphQLInt);
    const enums = named(arg => isEnumType(getNamedType(arg.type)));
    const required = named(isRequiredArgument);
    const record = getNamedType(page.getFields()['data']!.type);
    return isObjectType(record)
      ? [{ field: query.schemaName, declaration, record, flags, numbers, enums, required }]
      : [];
  });
}

export interface TestedPage {
  data: Record<string, unknown>[];
  total: number;
  page: number;
  itemsPerPage: number;
  totalPages: number;
}

/** Requests a list with these arguments, written as GraphQL literals, and these paths of its records. */
export async function ask(
  client: Client,
  list: TestedList,
  args: Record<string, string>,
  paths: readonly string[] = [],
): Promise<TestedPage> {
  const keys = Object.fromEntries(list.required.map(name => [name, '1']));
  const word = (name: string, value: string): string =>
    list.enums.includes(name) ? value.replaceAll('"', '') : value;
  const given = Object.entries({ ...keys, ...args }).map(([name, value]) => `${name}: ${word(name, value)}`);
  // Rows whose figures depend on the filters have no id.
  const id = list.record.getFields()['id'] ? 'id' : 'id: linha';
  const selection = [id, ...paths].map(path =>
    path.split('.').reduceRight((inner, name) => (inner ? `${name} { ${inner} }` : name), ''),
  );
  const query = `{ ${list.field}${given.length > 0 ? `(${given.join(', ')})` : ''} { total page itemsPerPage totalPages data { ${selection.join(' ')} } } }`;
  const { data, errors } = await client.graphql(query);
  if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return data[list.field] as TestedPage;
}

/** The value of a record at the end of a path through its links. */
export const valueAt = (record: Record<string, unknown>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name] ?? null, record);

/** A value as a GraphQL literal. */
export const literal = (value: unknown): string => JSON.stringify(value);
