import {
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import { accessOf } from '../../src/access/access.ts';
import type { Route } from '../../src/rest/route.ts';
import type { Answer, Client } from './client.ts';
import { selectAll } from './select-all.ts';

/** Values for arguments, by type. They are tried one after another. */
export interface Guesses {
  Int: readonly number[];
  String: readonly string[];
}

export interface Read {
  /** The request. */
  name: string;
  /** The answer as text. */
  text: string;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Everything that can be read, on both faces. Operations that need no level are called with each guess for each
 * argument. `only` limits the queries.
 */
export async function readAll(
  client: Client,
  schema: GraphQLSchema,
  routes: readonly Route[],
  guesses: Guesses,
  only?: readonly string[],
): Promise<Read[]> {
  const found: Read[] = [];
  for (const field of Object.values(schema.getQueryType()!.getFields())) {
    if (only && !only.includes(field.name)) continue;
    const choices = choicesOf(field, guesses);
    const paths = routes.filter(route => route.method === 'GET' && route.field === field.name);
    // The level is checked before the arguments.
    for (const given of accessOf(field)!.kind === 'level' ? choices.slice(0, 1) : choices) {
      found.push(await askField(client, field, given));
      for (const route of paths) found.push(await askRoute(client, route, given));
    }
  }
  return found;
}

/** The required arguments with each guess, and additionally each optional argument. */
function choicesOf(field: GraphQLField<unknown, unknown>, guesses: Guesses): Arguments[] {
  const required = field.args.filter(isRequiredArgument);
  const optional = field.args.filter(arg => !required.includes(arg));
  const first = required.reduce<Arguments[]>(
    (choices, arg) =>
      choices.flatMap(given => valuesOf(arg, guesses).map(value => ({ ...given, [arg.name]: value }))),
    [{}],
  );
  const more = optional.flatMap(arg =>
    valuesOf(arg, guesses).map(value => ({ ...first[0], [arg.name]: value })),
  );
  return [...first, ...more];
}

function valuesOf({ type }: GraphQLArgument, guesses: Guesses): readonly unknown[] {
  const nullable = getNullableType(type);
  const named = getNamedType(type);
  if (isEnumType(named))
    return named
      .getValues()
      .slice(0, 1)
      .map(({ name }) => name);
  const values = named.name === 'Boolean' ? [true, false] : (guesses[named.name as keyof Guesses] ?? []);
  return isListType(nullable) ? [values] : values;
}

async function askField(
  client: Client,
  field: GraphQLField<unknown, unknown>,
  given: Arguments,
): Promise<Read> {
  const args = field.args.filter(({ name }) => name in given);
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`} ${selectAll(field.type, 3)}`;
  const answer = await client.graphql(`query${declared && `(${declared})`} { ${call} }`, { ...given });
  return { name: `${field.name} ${JSON.stringify(given)}`, text: JSON.stringify(answer) };
}

async function askRoute(client: Client, route: Route, given: Arguments): Promise<Read> {
  const { spelled = {} } = route;
  const values = new Map(
    Object.entries(given).map(([name, value]) => [spelled[name] ?? name, String(value)]),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name) ?? '1';
    values.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...values]).toString();
  const name = `${path}${query && `?${query}`}`;
  return { name, text: textOf(await client.get(name)) };
}

const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body));
