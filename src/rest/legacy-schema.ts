import {
  getNullableType,
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfig,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import type { Context } from '../context.ts';
import { LegacyTypes } from './legacy-types.ts';
import { snakeCase } from './names.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

type Field = GraphQLField<unknown, Context>;

/** Where a client gives an argument. */
type Place = 'path' | 'query' | 'body';

/** One argument of an operation, under the name that legacy clients give it. */
export interface Parameter {
  name: string;
  place: Place;
  type: GraphQLInputType;
  description: string | undefined;
  defaultValue: unknown;
  /** Name of the GraphQL argument, or of the field of its `input` object when `inInput`. */
  property: string;
  /** Whether it belongs to an argument of the field, to the field's `input` object, or to the REST face alone. */
  of: 'field' | 'input' | 'rest';
}

/** What lists that can be exported take besides (specification 4.1); GraphQL has no files. */
const exportParameters: readonly Parameter[] = [
  {
    name: 'export',
    type: GraphQLBoolean,
    defaultValue: false,
    description: 'Whether to send the whole filtered, ordered list as a file',
  },
  {
    name: 'formatoPlanilha',
    type: new GraphQLEnumType({ name: 'FormatoPlanilha', values: { csv: {}, xlsx: {} } }),
    defaultValue: 'csv',
    description: 'Kind of file',
  },
].map(parameter => ({ ...parameter, property: parameter.name, place: 'query', of: 'rest' }));

/** A route with what the schema says of it. */
export interface Operation {
  route: Route;
  /** Name of the view's root field; unique, unlike the GraphQL field behind. */
  name: string;
  kind: 'query' | 'mutation';
  /** The GraphQL field that answers. */
  field: Field;
  parameters: readonly Parameter[];
}

/** What a view of the schema consists of. */
export interface LegacyView {
  schema: GraphQLSchema;
  operations: readonly Operation[];
}

/**
 * The schema as legacy clients know it: only routed fields, records and bodies in snake_case, `input` objects
 * flattened into arguments, arguments spelled as specified. Resolvers stay the same functions.
 * @throws Error for a route without a field, or one that names an argument which does not exist
 */
export function legacyView(schema: GraphQLSchema, routes: readonly Route[]): LegacyView {
  const types = new LegacyTypes();
  const operations = routes.map(route => operationOf(schema, route, types));
  const root = (name: string, kind: Operation['kind']) =>
    new GraphQLObjectType({
      name,
      fields: Object.fromEntries(
        operations.filter(o => o.kind === kind).map(o => [o.name, rootField(o, types)]),
      ),
    });
  return {
    schema: new GraphQLSchema({ query: root('Query', 'query'), mutation: root('Mutation', 'mutation') }),
    operations,
  };
}

function operationOf(schema: GraphQLSchema, route: Route, types: LegacyTypes): Operation {
  const query = schema.getQueryType()?.getFields()[route.field];
  const field = query ?? schema.getMutationType()?.getFields()[route.field];
  if (!field) throw new Error(`${route.method} ${route.path}: the schema has no field ${route.field}`);
  const ownParameters = field.args.flatMap(arg => parametersOf(arg, route, types));
  const parameters = route.exports ? [...ownParameters, ...exportParameters] : ownParameters;
  const names = [...Object.keys(route.spelled ?? {}), ...(route.required ?? [])];
  const unknown = names.find(name => !parameters.some(parameter => parameter.property === name));
  if (unknown) throw new Error(`${route.method} ${route.path}: ${route.field} has no argument ${unknown}`);
  return { route, name: operationName(route), kind: query ? 'query' : 'mutation', field, parameters };
}

/** `get_almoxarifadoquimicos_materiais_id`: also the operationId in the documentation. */
const operationName = ({ method, path }: Route): string =>
  `${method.toLowerCase()}_${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')}`;

function parametersOf(arg: GraphQLArgument, route: Route, types: LegacyTypes): Parameter[] {
  const object = getNullableType(arg.type);
  if (isInputObjectType(object)) {
    return Object.values(object.getFields()).map(field => parameter(field, route, types, 'input'));
  }
  return [parameter(arg, route, types, 'field')];
}

function parameter(
  source: GraphQLArgument | GraphQLInputField,
  route: Route,
  types: LegacyTypes,
  of: 'field' | 'input',
): Parameter {
  const { name: property, description, defaultValue } = source;
  const name = route.spelled?.[property] ?? (of === 'input' ? snakeCase(property) : property);
  const type = types.input(source.type);
  return {
    name,
    property,
    of,
    place: of === 'input' ? 'body' : route.path.includes(`{${name}}`) ? 'path' : 'query',
    type: route.required?.includes(property) && !isNonNullType(type) ? new GraphQLNonNull(type) : type,
    description: description ?? undefined,
    defaultValue,
  };
}

function rootField(operation: Operation, types: LegacyTypes): GraphQLFieldConfig<unknown, Context> {
  const { field, parameters } = operation;
  const args: GraphQLFieldConfigArgumentMap = Object.fromEntries(
    parameters
      .filter(p => p.of !== 'rest')
      .map(({ name, type, description, defaultValue }) => [name, { type, description, defaultValue }]),
  );
  return {
    type: types.answer(field.type),
    description: field.description,
    args,
    resolve: (source, given, context, info) =>
      field.resolve!(source, toProperties(parameters, given), context, info),
  };
}
