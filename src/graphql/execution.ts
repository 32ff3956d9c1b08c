import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  execute,
  locatedError,
  TypeNameMetaFieldDef,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../request/context.ts';
import { AppError, invalid, toGraphQLError } from '../errors.ts';
import { messages } from '../messages.ts';
import { accessOf } from '../access/access.ts';
import { told } from './guard.ts';
import { publicError } from './public-error.ts';
import { resolveInSlices } from './long-lists.ts';
import { mostRecords } from './page-sizes.ts';
import { rootSelections } from './root-selections.ts';
import { variableErrors } from './variable-errors.ts';

/**
 * Runs the operations of Apollo Server in this order: who may call, then the variables, then the fields. Apollo itself
 * would read the variables first, whoever calls. A gateway is how it lets itself be given an executor.
 */
export function gatewayOf(schema: GraphQLSchema): ApolloServerOptionsWithGateway<Context>['gateway'] {
  return {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({
      executor: ({ document, operation, request: { operationName, variables: given = {} }, context }) => {
        // Its type is wrong where a document has no operation of the name. GraphQL itself says so then.
        if (!(operation as unknown)) return execute({ schema, document, operationName }) as never;
        return run({ schema, document, operation, context: context as Context, given });
      },
    }),
    stop: async () => undefined,
  };
}

interface Run {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  context: Context;
  /** The variables as they were sent. */
  given: Readonly<Record<string, unknown>>;
}

async function run(called: Run): Promise<ExecutionResult> {
  const { schema, document, operation, context, given } = called;
  const refused = await refusal(called);
  if (refused) return refused;
  const errors = variableErrors(schema, operation, given);
  if (errors.length > 0)
    return { errors: [toGraphQLError(invalid('BAD_REQUEST', errors), context.language)] };
  const { limits } = context.services.listing;
  const asked = mostRecords(schema, document, operation, given, limits.itemsPerPage);
  if (asked > limits.request.rows) {
    const detail = messages.pagesTooLarge(asked, limits.request.rows);
    return { errors: [publicError(new AppError('RESULT_TOO_LARGE', { detail }), context)] };
  }
  try {
    return await context.inTurn(async () =>
      execute({
        schema,
        document,
        operationName: operation.name?.value,
        contextValue: context,
        variableValues: given,
        fieldResolver: resolveInSlices,
        // Its messages print whole values, so one is enough of whatever was not found above.
        options: { maxCoercionErrors: 1 },
      }),
    );
  } catch (error) {
    return { errors: [publicError(error, context)] };
  }
}

/**
 * The answer to a caller who may call none of the fields, as it would be if each was refused by itself. Where one may
 * be called the operation runs, and the others are refused then.
 */
async function refusal(asked: Run): Promise<ExecutionResult | undefined> {
  const { schema, document, operation, context, given } = asked;
  const type = schema.getRootType(operation.operation)!;
  const fields = type.getFields();
  const data: Record<string, string | null> = {};
  const refused: { node: FieldNode; name: string; error: unknown }[] = [];
  for (const [name, node] of rootSelections(document, operation, given)) {
    data[name] = node.name.value === TypeNameMetaFieldDef.name ? type.name : null;
    if (data[name] !== null) continue;
    const error = await refusedBy(fields[node.name.value], context);
    if (error === undefined) return undefined;
    refused.push({ node, name, error });
  }
  if (refused.length === 0) return undefined;
  const errors: GraphQLError[] = [];
  for (const { node, name, error } of refused)
    errors.push(locatedError(await told(error, fields[node.name.value]!, context), node, [name]));
  return { data, errors };
}

/** Why the caller may not call a field; undefined when they may, as everybody may look at the schema. */
async function refusedBy(
  field: GraphQLField<unknown, Context> | undefined,
  context: Context,
): Promise<unknown> {
  const access = field && accessOf(field);
  if (!access) return undefined;
  return context
    .inTime(() => context.authorize(access))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}
