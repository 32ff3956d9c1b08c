import {
  defaultFieldResolver,
  getNullableType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { accessOf, isRepeatable } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { OnceOnly } from '../request/idempotency.ts';
import { invalid } from '../errors.ts';
import { unknownReferences } from '../request/validation.ts';
import { publicError } from './public-error.ts';

export function rootFields(schema: GraphQLSchema): GraphQLField<unknown, Context>[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap(type =>
    Object.values(type?.getFields() ?? {}),
  );
}

/** Checks the caller's permission for a field before the arguments are read. @throws UNAUTHENTICATED, FORBIDDEN */
export async function authorizeField(context: Context, field: GraphQLField<unknown, Context>): Promise<void> {
  try {
    await context.authorize(accessOf(field)!);
  } catch (error) {
    await context.services.refusals.operation(context, field.name, error);
    throw error;
  }
}

/** Converts the error of a field for the client, and records it in the log and the audit trail where needed. */
export async function handleFieldError(
  error: unknown,
  field: GraphQLField<unknown, Context>,
  context: Context,
): Promise<GraphQLError> {
  context.trace.runs(field.name);
  await context.services.refusals.operation(context, field.name, error);
  const known = publicError(error, context);
  context.trace.failed(known.extensions['code']);
  return known;
}

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** Makes a mutation run at most once for each `Idempotency-Key`. */
const onceOnly =
  (resolve: Resolve): Resolve =>
  async (source, args, context, info) => {
    const key = context.idempotencyKey;
    if (key === undefined) return resolve(source, args, context, info);
    const { idPessoa } = await context.session();
    context.once = new OnceOnly(idPessoa, key, info);
    try {
      const stored = await context.once.storedAnswer(context.services.listing.reader);
      return stored ? stored.answer : await resolve(source, args, context, info);
    } finally {
      // The next mutation of the request may be one whose answer is not stored.
      context.once = undefined;
    }
  };

/**
 * Completes the error of a failed mutation with all unknown references and their fields. The database reports only
 * one, without its field.
 */
const namingUnknown =
  (resolve: Resolve): Resolve =>
  async (source, args, context, info) => {
    context.references = [];
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      const unknown = await unknownReferences(context.references, context).catch(() => []);
      throw unknown.length > 0 ? invalid('VALIDATION_FAILED', unknown) : error;
    }
  };

/**
 * Wraps every query and mutation: checks its permission and converts its errors. Makes each field nullable, so that a
 * failed one does not hide the results of the others.
 * @throws Error at start when a field declares no permission
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  const mutations = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}));
  for (const field of rootFields(schema)) {
    const access = accessOf(field);
    if (!access) throw new Error(`${field.name} declares no permission: add @Requires, @Own or @Public`);
    field.type = getNullableType(field.type);
    const resolve = field.resolve ?? defaultFieldResolver;
    const named = mutations.has(field) ? namingUnknown(resolve) : resolve;
    const answer = mutations.has(field) && isRepeatable(access) ? onceOnly(named) : named;
    field.resolve = async (source, args, context, info) => {
      context.trace.runs(field.name);
      try {
        return await context.inTime(async () => {
          await context.authorize(access);
          return answer(source, args, context, info);
        });
      } catch (error) {
        throw await handleFieldError(error, field, context);
      }
    };
  }
  return schema;
}
