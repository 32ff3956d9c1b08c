import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { snakeCase } from '../../src/text/names.ts';
import { successStatus, type Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import { nameOf } from '../spec/specification.ts';
import type { Client } from './client.ts';

/** The parameters of a call, under their names in the specification. */
export interface Call {
  /** Keys in the path. */
  keys?: Record<string, unknown>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

// Tests access answers freely.
type Answered = any;

/** One of the two faces, for one caller. */
export interface Face {
  /**
   * Calls an operation of the specification by its name, or the matching GraphQL field. Returns the record or page in
   * the format of REST. @throws Error when the answer is not a success
   */
  call: (operation: string, call?: Call) => Promise<Answered>;
}

function routeOf(operation: string): Route {
  const route = routes.find(one => nameOf(one) === operation);
  if (!route) throw new Error(`there is no operation ${operation}`);
  return route;
}

export const restFace = (client: Client): Face => ({
  async call(operation, { keys = {}, query, body } = {}) {
    const route = routeOf(operation);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(keys[name])),
    );
    const asked = query ? `${path}?${new URLSearchParams(query)}` : path;
    const answer = await client.send(route.method, asked, body);
    if (answer.status !== successStatus(route))
      throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  },
});

export const graphqlFace = (client: Client, schema: GraphQLSchema): Face => ({
  async call(operation, { keys = {}, query = {}, body = {} } = {}) {
    const route = routeOf(operation);
    const turned = Object.entries(route.turns ?? {}).find(([name]) => query[name] === 'true');
    const name = turned?.[1] ?? route.field;
    const asked = schema.getQueryType()!.getFields()[name];
    const field = asked ?? schema.getMutationType()!.getFields()[name]!;
    const given = { ...keys, ...query, ...body };
    const both = field.args.filter(
      arg => !arg.extensions['graphqlOnly'] && !route.without?.includes(arg.name),
    );
    const values = both.flatMap(arg => {
      const value = isInputObjectType(getNamedType(arg.type))
        ? fitted(body, arg.type)
        : fitted(given[route.spelled?.[arg.name] ?? arg.name] ?? given[snakeCase(arg.name)], arg.type);
      return value === undefined ? [] : [{ ...arg, value }];
    });
    const declared = values.map(arg => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const passed = values.map(arg => `${arg.name}: $${arg.name}`).join(', ');
    const call = `${name}${passed && `(${passed})`} ${selectionOf(field.type)}`;
    const document = `${asked ? 'query' : 'mutation'}${declared && `(${declared})`} { ${call} }`;
    const variables = Object.fromEntries(values.map(arg => [arg.name, arg.value]));
    const { data, errors } = await client.graphql(document, variables);
    if (errors ?? data[name] === null) throw new Error(`${document}: ${JSON.stringify(errors ?? data)}`);
    return asRest(data[name], field.type);
  },
});

/** Converts a value of the specification to GraphQL. */
export function fitted(value: unknown, type: GraphQLInputType): unknown {
  if (Array.isArray(value)) return value.map(one => fitted(one, type));
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.values(named.getFields());
    const known = fields.map(one => [
      one.name,
      fitted((value as Call)[snakeCase(one.name) as 'keys'], one.type),
    ]);
    return Object.fromEntries(known.filter(([, one]) => one !== undefined));
  }
  if (named.name === 'Int' && typeof value === 'string') return Number(value);
  if (named.name === 'Boolean' && typeof value === 'string') return value === 'true' || value === 'S';
  if (isEnumType(named)) return named.getValues().find(one => one.value === value)?.name ?? value;
  return value;
}

/** All fields that are not records. For a page, those of its records. */
function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields: GraphQLField<unknown, unknown>[] = Object.values(named.getFields());
  const shown = fields
    .filter(({ args }) => !args.some(isRequiredArgument))
    .filter(({ name, type: of }) => isLeafType(getNamedType(of)) || name === 'data' || isOwn(name))
    .map(({ name, type: of }) => `${name} ${selectionOf(of)}`);
  return `{ ${shown.join(' ')} }`;
}

/** Links that a scenario reads. */
const isOwn = (name: string): boolean => name === 'pessoa' || name === 'tipoControle';

/** Converts an answer of GraphQL to the format of REST. */
function asRest(value: unknown, type: GraphQLOutputType): unknown {
  if (Array.isArray(value)) return value.map(one => asRest(one, type));
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues().find(one => one.name === value)?.value as unknown;
  if (typeof value !== 'object' || value === null || !isObjectType(named)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const field = named.getFields()[name]!;
      const isFlag = field.extensions['flag'] === true;
      return [snakeCase(name), isFlag ? (one ? 'S' : 'N') : asRest(one, field.type)];
    }),
  );
}
