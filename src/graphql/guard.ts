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

/** Lets the caller of a field in before anything else of the request is read. @throws UNAUTHENTICATED, FORBIDDEN */
export async function letIn(context: Context, field: GraphQLField<unknown, Context>): Promise<void> {
  try {
    await context.authorize(accessOf(field)!);
  } catch (error) {
    await context.services.refusals.operation(context, field.name, error);
    throw error;
  }
}

/** An error of a field as its client is told it; the log and the audit trail are told what concerns them. */
export async function told(
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

/** A mutation that is done once, however often it is sent under the same key. */
const onceOnly =
  (resolve: Resolve): Resolve =>
  async (source, args, context, info) => {
    const key = context.idempotencyKey;
    if (key === undefined) return resolve(source, args, context, info);
    const { idPessoa } = await context.session();
    context.once = new OnceOnly(idPessoa, key, info);
    try {
      const given = await context.once.given(context.services.listing.reader);
      return given ? given.answer : await resolve(source, args, context, info);
    } finally {
      // The next mutation of the same request may be one that is not to be kept.
      context.once = undefined;
    }
  };

/** A mutation that, when it fails, names what it refers to and is not there: foreign keys tell one of all, and not where. */
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
 * Puts the door before every query and mutation: the permission it declares, and the form of its errors.
 * Each may be null, so that one which fails leaves what the others answered, and did, to be seen.
 * @throws Error when one declares no permission, so that no such service starts
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
        throw await told(error, field, context);
      }
    };
  }
  return schema;
}
