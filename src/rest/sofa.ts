import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { createSofa, createSofaRouter } from 'sofa-api';
import type { Brought } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { notFound } from '../errors.ts';
import { followingOf } from '../listing/read-parts.ts';
import type { LegacyView, Run } from './legacy-schema.ts';
import { withVariants, type Operation } from './operation.ts';
import type { Parts } from './parts.ts';
import { successStatus } from './route.ts';

/** One run of an operation through sofa. */
interface SofaRun extends Run {
  context: Context;
  variables: Record<string, unknown>;
  /** The compiled document, when it runs. */
  query?: CompiledQuery;
  result?: ExecutionResult;
}

/** The result of an operation: its record or page, the same as JSON text, and the version of a record. */
export interface Answer {
  data: unknown;
  json: string;
  version: number | undefined;
  /** The records of a list that follow those of `data`, if it comes in parts. */
  parts: Parts | undefined;
}

/**
 * Routes the view's operations with sofa: path and method to field, result to JSON. Arguments are read and checked
 * before, so sofa receives only a path. It receives only known paths, so that its built-in webhooks cannot be reached.
 */
export function sofaFace({ schema, operations }: LegacyView) {
  const all = operations.flatMap(withVariants);
  const router = createSofaRouter({ ...createSofa(config(schema, all)), models: [] });
  return async (
    operation: Operation,
    variables: Record<string, unknown>,
    context: Context,
    brought: Brought,
  ): Promise<Answer> => {
    const run: SofaRun = { context, variables, brought };
    const request = {
      url: `http://localhost${sofaPath(operation)}`,
      method: operation.route.method,
      body: null,
    };
    const response = await router.handleRequest(request as Request, { run });
    const answer = answerOf(run.result!, operation);
    if (answer === null) throw notFound();
    const { versao } = run.answer as { versao?: number };
    const following = followingOf(run.answer as object);
    const parts = following && partsOf(following, run, operation);
    return { data: answer, json: await response.text(), version: versao, parts };
  };
}

function answerOf({ errors, data }: ExecutionResult, { name }: Operation): unknown {
  if (errors) throw errors[0]!.originalError ?? errors[0];
  return data![name];
}

/** The later parts of a list as legacy records: each is shown by the document of the first one. */
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

function config(schema: GraphQLSchema, operations: readonly Operation[]): Parameters<typeof createSofa>[0] {
  const compiled = new WeakMap<DocumentNode, CompiledQuery>();
  return {
    basePath: '/',
    schema,
    routes: Object.fromEntries(
      operations.map(operation => [
        `${operation.kind === 'query' ? 'Query' : 'Mutation'}.${operation.name}`,
        {
          method: operation.route.method,
          path: sofaPath(operation),
          responseStatus: successStatus(operation.route) as 200,
        },
      ]),
    ),
    context: ({ run }: { run: SofaRun }) => run,
    execute: async ({ document, contextValue }) => {
      const run = contextValue as SofaRun;
      let query = compiled.get(document);
      if (!query) compiled.set(document, (query = compile(schema, document)));
      run.query = query;
      return (run.result = await query.query(run, run.context, run.variables));
    },
    // No client sees this response: the caller of `run` uses the result instead.
    errorHandler: () => Response.json(null, { status: 500 }) as never,
  };
}

/** Compiling is safe here, because sofa's documents are fixed and flat. */
function compile(schema: GraphQLSchema, document: DocumentNode): CompiledQuery {
  const query = compileQuery(schema, document);
  if (!isCompiledQuery(query))
    throw new Error(`sofa's document does not compile: ${query.errors?.[0]?.message}`);
  return query;
}
