import {
  createSourceEventStream,
  execute,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  validate,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableNode,
} from 'graphql';
import type { ChangePage } from '../changes/follow.ts';
import { cursorOf } from '../changes/position.ts';
import { Ended } from '../changes/subscriber.ts';
import type { Context } from '../request/context.ts';
import { AppError, invalid, toGraphQLError } from '../errors.ts';
import { messages } from '../messages.ts';
import { refusal } from './execution.ts';
import { defaultLimits, parseOptions, refusedDocument } from './limits.ts';
import { resolveInSlices } from './long-lists.ts';
import { publicError } from './public-error.ts';
import { variableErrors } from './variable-errors.ts';
import { withoutValues } from './without-values.ts';

/** A subscription as a client sends it. */
export interface Sent {
  query: string;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What a subscription answers, until either side ends it. It never throws. */
export type Results = AsyncIterableIterator<ExecutionResult, undefined, undefined> & {
  return: () => Promise<IteratorReturnResult<undefined>>;
  throw: () => Promise<IteratorReturnResult<undefined>>;
};

interface Run {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  context: Context;
  given: Readonly<Record<string, unknown>>;
}

/**
 * Begins a subscription, in the order of other operations: limits of the document, permissions, variables, fields.
 * Answers errors when it cannot begin.
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
      throw new AppError('BAD_REQUEST', { detail: messages.subscriptionsOnly });
    return await begin({ schema, document, operation, context, given: variables ?? {} });
  } catch (error) {
    return [publicError(error, context)];
  }
}

/** Documents that were found to be right, of which many clients send the same. */
const known = new Map<string, DocumentNode>();
const KNOWN = 100;

type Read = { document: DocumentNode; errors?: never } | { document?: never; errors: GraphQLError[] };

function documentOf(schema: GraphQLSchema, query: string, { services }: Context): Read {
  const found = known.get(query);
  if (found) return { document: found };
  let document: DocumentNode;
  try {
    document = parse(query, parseOptions(defaultLimits));
  } catch (error) {
    return { errors: [unusable(error as GraphQLError)] };
  }
  const refused = refusedDocument(document, schema, defaultLimits);
  if (refused) return { errors: [refused] };
  const errors = validate(schema, document, undefined, { hideSuggestions: !services.config.SANDBOX });
  if (errors.length > 0) return { errors: errors.map(unusable) };
  if (known.size >= KNOWN) known.delete(known.keys().next().value!);
  known.set(query, document);
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
  const errors = variableErrors(schema, operation, given);
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

/** The last error of a subscription, with the cursor to go on from. */
function ending(error: unknown, context: Context): GraphQLError {
  const known = publicError(error, context);
  if (error instanceof Ended && error.position) known.extensions['cursor'] = cursorOf(error.position);
  return known;
}

/** Subscribers with equal rights get the same page. It is shown once for all who select the same of it. */
const showing = new WeakMap<ChangePage, Map<string, Promise<ExecutionResult>>>();

function shown(run: Run, page: ChangePage): Promise<ExecutionResult> {
  let all = showing.get(page);
  if (!all) showing.set(page, (all = new Map()));
  const { schema, document, operation, context, given } = run;
  const key = selectionKey(run);
  let result = all.get(key);
  if (!result) {
    const shows = execute({
      schema,
      document,
      operationName: operation.name?.value,
      rootValue: page,
      contextValue: context,
      variableValues: given,
      fieldResolver: resolveInSlices,
    });
    all.set(key, (result = Promise.resolve(shows)));
  }
  return result;
}

/** The number of a document, and its variables that decide what is selected: those of directives. */
const shapes = new WeakMap<DocumentNode, { number: number; variables: readonly string[] }>();
let documents = 0;

function selectionKey({ document, operation, given }: Run): string {
  let shape = shapes.get(document);
  if (!shape) {
    const variables: string[] = [];
    // A visitor that returns a value would replace the node.
    const note = {
      Variable: ({ name }: VariableNode): void => {
        variables.push(name.value);
      },
    };
    visit(document, {
      Directive: (node): void => {
        visit(node, note);
      },
    });
    shapes.set(document, (shape = { number: ++documents, variables }));
  }
  return JSON.stringify([shape.number, operation.name?.value, shape.variables.map(name => given[name])]);
}
