import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  execute,
  locatedError,
  OperationTypeNode,
  TypeNameMetaFieldDef,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../request/context.ts';
import { AppError, invalid, toGraphQLError } from '../errors.ts';
import type { Text } from '../messages.ts';
import { graphqlTexts } from './messages.ts';
import { accessOf, isInTransaction } from '../access/access.ts';
import { executePlainly } from './plain-data.ts';
import { handleFieldError } from './guard.ts';
import type { SentOperation } from './included.ts';
import { publicError } from './public-error.ts';
import { resolveInSlices } from './long-lists.ts';
import { nestedArgumentErrors } from './nested-arguments.ts';
import { mostRecords } from './page-sizes.ts';
import { rootSelections } from './root-selections.ts';
import { variableErrors } from './variable-errors.ts';

/**
 * Runs the operations of Apollo Server in this order: permissions, variables, fields. Apollo itself would check
 * variables before permissions. A gateway is Apollo's only way to accept a custom executor.
 */
export function gatewayOf(schema: GraphQLSchema): ApolloServerOptionsWithGateway<Context>['gateway'] {
  return {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({
      executor: ({ document, operation, request: { operationName, variables: given = {} }, context }) => {
        // Despite its type it is undefined when the document has no operation of that name. GraphQL then reports the
        // error.
        if (!(operation as unknown)) return execute({ schema, document, operationName }) as never;
        return run({ schema, document, operation, context: context as Context, given });
      },
    }),
    stop: async () => undefined,
  };
}

/** An operation that a request runs. */
export interface Run extends SentOperation {
  context: Context;
}

async function run(called: Run): Promise<ExecutionResult> {
  const { operation, context } = called;
  const detail = unanswerable(called);
  if (detail) return { errors: [publicError(new AppError('BAD_REQUEST', { detail }), context)] };
  if (operation.operation === OperationTypeNode.QUERY) await context.caller.presume('query');
  else if (isOneTransaction(called)) await context.caller.presume('mutation');
  try {
    return await context.caller.confirmed(() => runOnce(called));
  } catch (error) {
    return { errors: [publicError(error, context)] };
  }
}

/** Why this face does not answer an operation, whatever it asks; undefined if it does. */
function unanswerable({ operation: { operation }, context }: Run): Text | undefined {
  if (operation === OperationTypeNode.SUBSCRIPTION) return graphqlTexts.subscribeByEvents;
  const isConditional = context.header('if-match') !== undefined;
  return operation === OperationTypeNode.MUTATION && isConditional
    ? graphqlTexts.versionByArgument
    : undefined;
}

/**
 * Whether the operation is one mutation that does all that it does in one transaction. Of several, the first might be done
 * when the second finds that the session has changed, and would be done again.
 */
function isOneTransaction(called: Run): boolean {
  const [node, ...others] = rootSelections(called).values();
  const field = node && called.schema.getMutationType()?.getFields()[node.name.value];
  return others.length === 0 && field !== undefined && isInTransaction(accessOf(field));
}

async function runOnce(called: Run): Promise<ExecutionResult> {
  const { schema, document, operation, context, given } = called;
  const refused = await refusal(called);
  if (refused) return refused;
  const errors = variableErrors(called);
  if (errors.length > 0)
    return { errors: [toGraphQLError(invalid('BAD_REQUEST', errors), context.language)] };
  if (operation.operation === OperationTypeNode.MUTATION) {
    const nested = await nestedArgumentErrors(called);
    if (nested.length > 0) return { errors: nested };
  }
  const { limits } = context.services.listing;
  const recordCount = mostRecords(called, limits.itemsPerPage);
  if (recordCount > limits.request.rows) {
    const detail = graphqlTexts.pagesTooLarge(recordCount, limits.request.rows);
    return { errors: [publicError(new AppError('RESULT_TOO_LARGE', { detail }), context)] };
  }
  return context.inTurn(async () =>
    executePlainly({
      schema,
      document,
      operationName: operation.name?.value,
      contextValue: context,
      variableValues: given,
      fieldResolver: resolveInSlices,
      // GraphQL's messages contain whole values, so one message is enough for errors that the checks above did not
      // find.
      options: { maxCoercionErrors: 1 },
    }),
  );
}

/**
 * The answer if the caller may call none of the fields, with one error per field. If at least one is allowed, the
 * operation runs and refuses the others then.
 */
export async function refusal(run: Run): Promise<ExecutionResult | undefined> {
  const { schema, operation, context } = run;
  const type = schema.getRootType(operation.operation)!;
  const fields = type.getFields();
  const data: Record<string, string | null> = {};
  const refused: { node: FieldNode; name: string; error: unknown }[] = [];
  for (const [name, node] of rootSelections(run)) {
    data[name] = node.name.value === TypeNameMetaFieldDef.name ? type.name : null;
    if (data[name] !== null) continue;
    const error = await refusedBy(fields[node.name.value], context);
    if (error === undefined) return undefined;
    refused.push({ node, name, error });
  }
  if (refused.length === 0) return undefined;
  const errors: GraphQLError[] = [];
  for (const { node, name, error } of refused)
    errors.push(locatedError(await handleFieldError(error, fields[node.name.value]!, context), node, [name]));
  return { data, errors };
}

/** The reason why the caller may not call a field; undefined if they may. Introspection is allowed for everybody. */
async function refusedBy(
  field: GraphQLField<unknown, Context> | undefined,
  context: Context,
): Promise<unknown> {
  const access = field && accessOf(field);
  if (!access) return undefined;
  return context
    .inTime(() => context.caller.authorize(access))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}
