import { defaultFieldResolver, getNullableType, type GraphQLField, type GraphQLSchema } from 'graphql';
import type { Access } from '../access/access.ts';
import type { Context } from '../context.ts';
import { publicError } from './public-error.ts';

/** What a root field declares that its caller needs; undefined when it declares nothing. */
export const accessOf = (field: { extensions: Readonly<Record<string, unknown>> }): Access | undefined =>
  field.extensions['access'] as Access | undefined;

export function rootFields(schema: GraphQLSchema): GraphQLField<unknown, Context>[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap(type =>
    Object.values(type?.getFields() ?? {}),
  );
}

/**
 * Puts the door before every query and mutation: the permission it declares, and the form of its errors.
 * Each may be null, so that one which fails leaves what the others answered, and did, to be seen.
 * @throws Error when one declares no permission, so that no such service starts
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const field of rootFields(schema)) {
    const access = accessOf(field);
    if (!access) throw new Error(`${field.name} declares no permission: add @Requires, @Own or @Public`);
    field.type = getNullableType(field.type);
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (source, args, context, info) => {
      try {
        await context.authorize(access);
        return await resolve(source, args, context, info);
      } catch (error) {
        throw publicError(error, context);
      }
    };
  }
  return schema;
}
