import {
  defaultFieldResolver,
  getNullableType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { accessOf, type Access } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { onceOnly } from '../request/idempotency.ts';
import { namingUnknown } from '../request/validation.ts';
import { storingFlags } from './flags.ts';
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

/** Makes a mutation run at most once for each `Idempotency-Key`, and names all unknown references if it fails. */
const mutation =
  (resolve: Resolve, access: Access, { args: declared }: GraphQLField<unknown, Context>): Resolve =>
  async (source, args, context, info) => {
    const once = onceOnly(access, context, info);
    const { reader } = context.services.listing;
    const stored = once && (await once.storedAnswer(reader, (await context.session()).idPessoa));
    if (stored) return stored.answer;
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      throw await namingUnknown(error, declared, args, context);
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
    const resolve = storingFlags(field, field.resolve ?? defaultFieldResolver);
    const answer = mutations.has(field) ? mutation(resolve, access, field) : resolve;
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
