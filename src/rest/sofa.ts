import { getNamedType, type GraphQLSchema } from 'graphql';
import { createSofa, createSofaRouter } from 'sofa-api';
import type { Extras } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { markOf, type Seen } from '../request/seen.ts';
import { notFound } from '../errors.ts';
import { followingOf } from '../listing/read-parts.ts';
import { executable } from './sofa-document.ts';
import type { LegacyView, Run } from './legacy-schema.ts';
import type { Operation } from './operation.ts';
import type { Parts } from './parts.ts';

/** One run of an operation through sofa. */
interface SofaRun extends Run {
  context: Context;
  variables: Record<string, unknown>;
  /** The answer of its field, and the conversion of answers to their legacy form, after it has run. */
  answer?: Promise<unknown>;
  show?: (answer: unknown) => unknown;
}

/** Runs one operation through sofa. */
type Prepared = (run: SofaRun) => Promise<unknown>;

/** The result of an operation: its record or page, the same as JSON text, and the state of a record. */
export interface Answer {
  data: unknown;
  json: string;
  state: Seen | undefined;
  /** The records of a list after those of `data`, if the list comes in parts. */
  parts: Parts | undefined;
}

/**
 * Runs the view's operations through sofa, which maps path and method to field and document. Each operation has its own
 * router, created at its first request. Arguments are read and checked before, so sofa receives only a path. It
 * receives only known paths, so that its built-in webhooks cannot be reached.
 */
export function sofaFace({ schemaOf }: LegacyView) {
  const prepared = new Map<Operation, Prepared>();
  const preparedOf = (operation: Operation): Prepared => {
    let found = prepared.get(operation);
    if (!found) prepared.set(operation, (found = prepare(schemaOf(operation), operation)));
    return found;
  };
  return async (
    operation: Operation,
    variables: Record<string, unknown>,
    context: Context,
    extras: Extras,
  ): Promise<Answer> => {
    const run: SofaRun = { context, variables, extras };
    await preparedOf(operation)(run);
    // sofa would answer an error by itself, so the promise carries it.
    const answer = await run.answer;
    const show = run.show!;
    const data = show(answer);
    if (data === null) throw notFound();
    const following = followingOf(answer as object);
    const parts = following && partsOf(following, answer as object, show);
    return { data, json: JSON.stringify(data), state: stateOf(operation, answer), parts };
  };
}

/** The state of the record that was answered, as its tag names it; undefined for a list. */
function stateOf({ field }: Operation, answer: unknown): Seen | undefined {
  const { id, versao } = answer as { id?: unknown; versao?: unknown };
  // The `versao` of a system is a text that it sends, and belongs to no state.
  if (typeof id !== 'number' || typeof versao !== 'number') return undefined;
  return { version: versao, mark: markOf(getNamedType(field.type).name, id) };
}

/** The later parts of a list as legacy records. */
async function* partsOf(
  following: NonNullable<ReturnType<typeof followingOf>>,
  page: object,
  show: (answer: unknown) => unknown,
): Parts {
  for await (const data of following) yield (show({ ...page, data }) as { data: unknown[] }).data;
}

/**
 * The specified path with escaped braces, plus the operation's name. For sofa it is a plain path, found in one
 * look-up.
 */
const sofaPath = ({ route, name }: Operation): string =>
  `${encodeURI(route.path).replaceAll(':', '%3A')}/${name}`;

/** The request carries the run, because sofa's server copies a context property by property. */
function prepare(schema: GraphQLSchema, operation: Operation): Prepared {
  const { handleRequest } = createSofaRouter({ ...createSofa(config(schema, operation)), models: [] });
  const request = {
    url: `http://localhost${sofaPath(operation)}`,
    method: operation.route.method,
    body: null,
  };
  return async run => handleRequest({ ...request, run } as unknown as Request, undefined);
}

function config(schema: GraphQLSchema, operation: Operation): Parameters<typeof createSofa>[0] {
  let prepared: ReturnType<typeof executable> | undefined;
  // The response that sofa creates is not sent: the caller of `run` uses the answer itself.
  const nothing = { data: { [operation.name]: null } };
  return {
    basePath: '/',
    schema,
    routes: {
      [`${operation.kind === 'query' ? 'Query' : 'Mutation'}.${operation.name}`]: {
        method: operation.route.method,
        path: sofaPath(operation),
      },
    },
    context: ({ request }: { request: { run: SofaRun } }) => request.run,
    execute: async ({ document, contextValue }) => {
      const run = contextValue as SofaRun;
      const { call, show } = (prepared ??= executable(schema, document));
      run.show = show;
      run.answer = call(run, run.variables, run.context);
      await run.answer.catch(() => undefined);
      return nothing;
    },
  };
}
