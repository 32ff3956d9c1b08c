import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { createSofa, createSofaRouter } from 'sofa-api';
import type { Extras } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { notFound } from '../errors.ts';
import { followingOf } from '../listing/read-parts.ts';
import type { LegacyView, Run } from './legacy-schema.ts';
import type { Operation } from './operation.ts';
import type { Parts } from './parts.ts';

/** One run of an operation through sofa. */
interface SofaRun extends Run {
  context: Context;
  variables: Record<string, unknown>;
  /** The compiled document, after it has run once. */
  query?: CompiledQuery;
  result?: ExecutionResult;
}

/** Runs one operation through sofa. */
type Prepared = (run: SofaRun) => Promise<unknown>;

/** The result of an operation: its record or page, the same as JSON text, and the version of a record. */
export interface Answer {
  data: unknown;
  json: string;
  version: number | undefined;
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
    const answer = answerOf(run.result!, operation);
    if (answer === null) throw notFound();
    const { versao } = run.answer as { versao?: number };
    const following = followingOf(run.answer as object);
    const parts = following && partsOf(following, run, operation);
    return { data: answer, json: JSON.stringify(answer), version: versao, parts };
  };
}

function answerOf({ errors, data }: ExecutionResult, { name }: Operation): unknown {
  if (errors) throw errors[0]!.originalError ?? errors[0];
  return data![name];
}

/** The later parts of a list as legacy records. The document of the first part formats each of them. */
async function* partsOf(
  following: NonNullable<ReturnType<typeof followingOf>>,
  run: SofaRun,
  operation: Operation,
): Parts {
  for await (const data of following) {
    const shown = { ...run, part: { ...(run.answer as object), data } };
    const result = (await run.query!.query(shown, run.context, run.variables)) as ExecutionResult;
    yield (answerOf(result, operation) as { data: unknown[] }).data;
  }
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
  let compiled: CompiledQuery | undefined;
  // The response that sofa creates is not sent: the caller of `run` uses the result itself.
  const nothing: ExecutionResult = { data: { [operation.name]: null } };
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
      run.query = compiled ??= compile(schema, document);
      run.result = await run.query.query(run, run.context, run.variables);
      return nothing;
    },
  };
}

/** Compiling is safe here, because sofa's documents are fixed and flat. */
function compile(schema: GraphQLSchema, document: DocumentNode): CompiledQuery {
  const query = compileQuery(schema, document);
  if (!isCompiledQuery(query))
    throw new Error(`sofa's document does not compile: ${query.errors?.[0]?.message}`);
  return query;
}
