import {
  createSourceEventStream,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { ChangePage } from '../changes/follow.ts';
import { cursorOf } from '../changes/position.ts';
import { Ended } from '../changes/subscriber.ts';
import type { Context } from '../request/context.ts';
import { AppError, invalid, toGraphQLError } from '../errors.ts';
import { remember } from '../runtime/remember.ts';
import { graphqlTexts } from './messages.ts';
import { refusal, type Run } from './execution.ts';
import { parseOptions, refusedDocument } from './limits.ts';
import { publicError } from './public-error.ts';
import { variableErrors } from './variable-errors.ts';
import { withoutValues } from './without-values.ts';
import { shown } from './shared-pages.ts';

/** A subscription as a client sends it. */
export interface Sent {
  query: string;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The results of a subscription, until either side ends it. It never throws. */
export type Results = AsyncIterableIterator<ExecutionResult, undefined, undefined> & {
  return: () => Promise<IteratorReturnResult<undefined>>;
  throw: () => Promise<IteratorReturnResult<undefined>>;
};

/**
 * Begins a subscription. The checks have the same order as for other operations: limits of the document, permissions,
 * variables, fields. Returns errors if it cannot begin.
 */
export async function beginSubscription(
  schema: GraphQLSchema,
  context: Context,
  { query, operationName, variables }: Sent,
): Promise<Results | readonly GraphQLError[]> {
  try {
    const { document, errors } = documentOf(schema, query, context);
    if (!document) return errors;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.SUBSCRIPTION)
      throw new AppError('BAD_REQUEST', { detail: graphqlTexts.subscriptionsOnly });
    return await begin({ schema, document, operation, context, given: variables ?? {} });
  } catch (error) {
    return [publicError(error, context)];
  }
}

/** Cache of valid documents. Many clients send the same ones. */
const known = new Map<string, DocumentNode>();
const KNOWN = 100;

type Read = { document: DocumentNode; errors?: never } | { document?: never; errors: GraphQLError[] };

function documentOf(schema: GraphQLSchema, query: string, { services }: Context): Read {
  const found = known.get(query);
  if (found) return { document: found };
  let document: DocumentNode;
  try {
    document = parse(query, parseOptions);
  } catch (error) {
    return { errors: [unusable(error as GraphQLError)] };
  }
  const refused = refusedDocument(document, schema);
  if (refused) return { errors: [refused] };
  const errors = validate(schema, document, undefined, { hideSuggestions: !services.config.SANDBOX });
  if (errors.length > 0) return { errors: errors.map(unusable) };
  remember(known, query, document, KNOWN);
  return { document };
}

const unusable = ({ message, nodes, source, positions }: GraphQLError): GraphQLError =>
  new GraphQLError(withoutValues(message), {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'BAD_REQUEST' },
  });

async function begin(run: Run): Promise<Results | readonly GraphQLError[]> {
  const { schema, document, operation, context, given } = run;
  const refused = await refusal(run);
  if (refused) return refused.errors!;
  const errors = variableErrors(run);
  if (errors.length > 0) return [toGraphQLError(invalid('BAD_REQUEST', errors), context.language)];
  const source = await createSourceEventStream({
    schema,
    document,
    operationName: operation.name?.value,
    contextValue: context,
    variableValues: given,
  });
  if (!(Symbol.asyncIterator in source)) return source.errors!.map(error => publicError(error, context));
  return resultsOf(run, source as AsyncGenerator<ChangePage>);
}

function resultsOf(run: Run, pages: AsyncGenerator<ChangePage>): Results {
  let isOver = false;
  const over = { done: true as const, value: undefined };
  const end = async () => {
    isOver = true;
    await pages.return(undefined);
    return over;
  };
  return {
    async next() {
      if (isOver) return over;
      try {
        const { done, value } = await pages.next();
        if (!done) return { done: false, value: await shown(run, value) };
        isOver = true;
        return over;
      } catch (error) {
        isOver = true;
        return { done: false, value: { errors: [ending(error, run.context)] } };
      }
    },
    return: end,
    throw: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The last error of a subscription, with the cursor to continue from. */
function ending(error: unknown, context: Context): GraphQLError {
  const known = publicError(error, context);
  if (error instanceof Ended && error.position) known.extensions['cursor'] = cursorOf(error.position);
  return known;
}
