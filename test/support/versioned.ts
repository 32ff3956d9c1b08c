import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLInputObjectType,
} from 'graphql';
import { legacyView } from '../../src/rest/legacy-schema.ts';
import { snakeCase } from '../../src/text/names.ts';
import type { Operation } from '../../src/rest/operation.ts';
import { routes } from '../../src/rest/routes.ts';
import type { Client } from './client.ts';
import { fitted } from './faces.ts';
import { selectAll } from './select-all.ts';
import type { TestService } from './service.ts';

type Row = Record<string, unknown>;
type Schema = Parameters<typeof legacyView>[0];

/** Every REST operation that changes the record in its path. */
export const changes = (schema: Schema): Operation[] =>
  legacyView(schema, routes).operations.filter(({ route }) => ['PUT', 'DELETE'].includes(route.method));

export const answersRecord = ({ field }: Pick<Operation, 'field'>): boolean => {
  const type = getNamedType(field.type);
  return isObjectType(type) && type.getFields()['versao'] !== undefined;
};

/** A record for an operation: the last one of its list, with authors, which some bodies require. */
export interface Target {
  id: number;
  /** The path of the record. */
  path: string;
  record: Row;
}

export async function targetOf({ route }: Operation, admin: Client): Promise<Target> {
  const list = route.path.slice(0, route.path.indexOf('/{'));
  // Effective movements can be neither changed nor deleted. Other lists ignore the parameter.
  const { body } = await admin.get(`${list}?pendentesAprovacao=true`);
  const last = (body as { data: Row[] }).data.at(-1)!;
  const record: Row = { ...last, criado_por: last['criado_por'] ?? 1, alterado_por: 1 };
  const path = route.path.replace(/\{(\w+)\}/, (_, name: string) => String(record[keyOf(route, name)]));
  return { id: record['id'] as number, path, record };
}

/** Name that the value of a path's parameter has in a record: `id_pessoa` where `{id}` is that of a person. */
const keyOf = ({ spelled = {} }: Operation['route'], name: string): string =>
  snakeCase(Object.keys(spelled).find(property => spelled[property] === name) ?? name);

/** The stored version of a record. */
export async function versionOf(service: TestService, { field }: Operation, id: number): Promise<number> {
  const { tableName } = service.services.orm.getMetadata().getByClassName(getNamedType(field.type).name);
  const [row] = await service.sql(`select versao from "${tableName}" where id = $1`, [id]);
  return row![0] as number;
}

/** A record in the form of an input. Its children are included if the record shows them. */
function inputOf(type: GraphQLInputObjectType, record: Row): Row {
  const given = Object.values(type.getFields()).map(({ name, type: of }) => {
    const value = record[snakeCase(name)];
    const bare = getNullableType(of);
    const within = getNamedType(of);
    if (isListType(bare))
      return [
        name,
        isInputObjectType(within) ? (value as Row[] | undefined)?.map(row => inputOf(within, row)) : value,
      ];
    return [name, isLeafType(bare) ? fitted(value, of) : undefined];
  });
  return Object.fromEntries(given) as Row;
}

/** Sends the mutation of an operation, with the record as input, and a version. */
export function mutate(client: Client, { field }: Operation, { id, record }: Target, versao?: number) {
  const args = field.args.filter(arg => arg.name !== 'versao');
  const values = args.map(({ name, type }) => {
    const bare = getNullableType(type);
    if (!isInputObjectType(bare)) return [name, name === 'id' ? id : record[snakeCase(name)]];
    return [name, inputOf(bare, record)];
  });
  const declared = args.map(({ name, type }) => `, $${name}: ${String(type)}`).join('');
  const passed = args.map(({ name }) => `, ${name}: $${name}`).join('');
  return client.graphql(
    `mutation ($versao: Int${declared}) { ${field.name}(versao: $versao${passed}) ${selectAll(field.type, 0)} }`,
    { ...(Object.fromEntries(values) as Row), versao },
  );
}
