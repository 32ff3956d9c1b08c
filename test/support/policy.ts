import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { catalogue, type ErrorCode } from '../../src/errors.ts';
import { snakeCase } from '../../src/text/names.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes.ts';
import type { Answer, Client } from './client.ts';

/** A person, with their ids and their token. */
export interface Subject {
  usuario: string;
  idPessoa: number;
  idPerfil: number;
  /** A session that has already ended, so that ending it again changes nothing. */
  idSessao: number;
  /** A live token of the person. */
  token: string;
}

type Arguments = Record<string, unknown>;

/** One request that every role sends. `ask` returns its result: `ok`, or the status of the error. */
export interface Case {
  /** `GET /permissoes/menu_lateral/{id} foreign`. */
  name: string;
  ask: (client: Client, own: Subject) => Promise<string>;
}

const MISSING = 999_999;
const missing: Subject = {
  usuario: 'nobody-is-called-so',
  idPessoa: MISSING,
  idPerfil: MISSING,
  idSessao: MISSING,
  token: 'A'.repeat(43),
};

/** The operations on records of a person, with the arguments that identify the person. */
const personal: Record<string, (of: Subject) => Arguments> = {
  alterarSenha: ({ usuario }) => ({ input: { username: usuario, password: usuario } }),
  autenticacao: ({ idSessao }) => ({ id: idSessao }),
  encerrarSessao: ({ idSessao }) => ({ id: idSessao }),
  menuLateral: ({ idPerfil }) => ({ idPerfil }),
  parametroAcessoApi: ({ token }) => ({ token }),
  permissoesDaPessoa: ({ idPessoa }) => ({ idPessoa }),
  permissoesEfetivas: ({ idPessoa }) => ({ idPessoa }),
  pessoa: ({ idPessoa }) => ({ id: idPessoa }),
};

/** The arguments of an operation by owner of the record; undefined for records without an owner. */
function byOwner(field: string, foreign: Subject): Record<string, (own: Subject) => Arguments> | undefined {
  const args = personal[field];
  return args && { own: own => args(own), foreign: () => args(foreign), missing: () => args(missing) };
}

/** The cases of a REST route: by owner, or with an existing and a missing record. */
export async function restCases(
  schema: GraphQLSchema,
  route: Route,
  admin: Client,
  foreign: Subject,
): Promise<Case[]> {
  const body = invalidBody(schema, route);
  const short = shortest(schema, route);
  const of = (record: string, args: (own: Subject) => Arguments): Case => ({
    name: `${route.method} ${route.path} ${record}`.trim(),
    ask: async (client, own) => classOf(await request(client, route, { input: body, ...args(own) }, short)),
  });
  const owners = byOwner(route.field, foreign);
  if (owners && (route.path.includes('{') || route.method !== 'GET'))
    return Object.entries(owners).map(([record, args]) => of(record, args));
  if (!route.path.includes('{')) return [of('', () => ({}))];
  const first = route.method === 'GET' && (await firstOf(schema, route, admin));
  return [...(first ? [of('existing', () => first)] : []), of('missing', () => ({}))];
}

/** The cases of a query or mutation: by owner, or with arguments that only have the right types. */
export function graphqlCases(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  foreign: Subject,
): Case[] {
  const owners = byOwner(field.name, foreign) ?? { '': () => ({}) };
  return Object.entries(owners).map(([record, args]) => ({
    name: `${kind} ${field.name} ${record}`.trim(),
    ask: (client, own) => askField(client, kind, field, args(own)),
  }));
}

/** Every query, or every mutation, by name. */
export function rootFieldsOf(schema: GraphQLSchema, kind: 'query' | 'mutation') {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(root!.getFields()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const classOf = ({ status }: Answer): string => (status < 300 ? 'ok' : String(status));

/** Requests one record of a list, because whole lists would take most of the test's time. */
function shortest(schema: GraphQLSchema, { method, field }: Route): string {
  const { args = [] } = (method === 'GET' && schema.getQueryType()!.getFields()[field]) || {};
  const takes = (name: string): boolean => args.some(arg => arg.name === name);
  const paged = takes('pagination') ? 'pagination=true&' : '';
  return takes('itemsPerPage') ? `?${paged}itemsPerPage=1` : '';
}

/** Sends a route's keys in its path, and its body. */
function request(
  client: Client,
  route: Route,
  { input, ...keys }: Arguments,
  query: string,
): Promise<Answer> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(keys[propertyOf(route, name)] ?? MISSING)),
  );
  return client.send(route.method, path + query, input);
}

/** A body for a route, in legacy spelling, with only invalid values. */
function invalidBody(schema: GraphQLSchema, { method, field }: Route): Arguments | undefined {
  if (method !== 'POST' && method !== 'PUT') return undefined;
  const { args } = schema.getMutationType()!.getFields()[field]!;
  const values = args.flatMap(({ name, type }) =>
    name === 'input'
      ? Object.entries(invalidValue(type) as Arguments)
      : [[name, invalidValue(type)] as const],
  );
  return Object.fromEntries(values.map(([name, value]) => [snakeCase(name), value]));
}

/** GraphQL name of a parameter of a path. */
const propertyOf = ({ spelled = {} }: Route, name: string): string =>
  Object.keys(spelled).find(property => spelled[property] === name) ?? name;

/** Keys of the first record of a list; undefined if the list is empty. */
async function firstOf(schema: GraphQLSchema, route: Route, admin: Client): Promise<Arguments | undefined> {
  const path = route.path.slice(0, route.path.indexOf('/{'));
  const list = routes.find(one => one.method === 'GET' && one.path === path);
  const { body } = await admin.get(path + (list ? shortest(schema, list) : ''));
  const record = (body as { data?: Arguments[] }).data?.[0];
  const properties = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => propertyOf(route, name!));
  return record && Object.fromEntries(properties.map(property => [property, record[snakeCase(property)]]));
}

async function askField(
  client: Client,
  kind: string,
  field: GraphQLField<unknown, unknown>,
  given: Arguments,
): Promise<string> {
  const args = field.args.filter(arg => arg.name in given || isRequiredArgument(arg));
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`}${isLeafType(getNullableType(field.type)) ? '' : ' { __typename }'}`;
  const invalidArgument = (type: GraphQLInputType): unknown =>
    String(getNullableType(type)) === 'String' ? NOBODYS : invalidValue(type);
  const values = args.map(({ name, type }) => [name, given[name] ?? invalidArgument(type)]);
  const { data, errors } = await client.graphql(
    `${kind}${declared && ` (${declared})`} { ${call} }`,
    Object.fromEntries(values) as Arguments,
  );
  const [error] = errors ?? [];
  if (!error) return data[field.name] === null ? '404' : 'ok';
  if (!error.path) throw new Error(`${field.name} was not reached: ${error.message}`);
  return String(catalogue[error.extensions.code as ErrorCode].status);
}

/**
 * A name or address that does not exist. It must be text, because arguments of other types are refused before the
 * permission check.
 */
const NOBODYS = 'ninguem@nenhures.example';

/** A value of the right type that breaks a rule: texts that cannot be stored, ids of no record. */
function invalidValue(type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [];
  if (isEnumType(bare)) return bare.getValues()[0]!.name;
  if (isInputObjectType(bare))
    return Object.fromEntries(
      Object.values(bare.getFields())
        .filter(field => isLeafType(getNullableType(field.type)) || isRequiredArgument(field as never))
        .map(field => [field.name, invalidValue(field.type)]),
    );
  return { Int: MISSING, Float: -1, Boolean: false, Date: '2026-01-01' }[bare.name] ?? '\0';
}
