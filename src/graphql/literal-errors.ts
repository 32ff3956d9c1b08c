import type { ApolloServerPlugin } from '@apollo/server';
import {
  getNamedType,
  isLeafType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { expected, fieldMessages, type Text } from '../messages.ts';
import { ArgumentPath } from './argument-path.ts';
import { graphqlTexts } from './messages.ts';
import type { Context } from '../request/context.ts';
import { expectedValue } from './variable-errors.ts';

/**
 * Adds the broken field to the errors of literals in arguments, as errors of variables have it. GraphQL names the type
 * and the position in the document, but not the path into the argument.
 */
export const literalErrors: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async validationDidStart({ schema, document, contextValue: { language } }) {
        return async errors => {
          if (!errors) return;
          const places = placesOf(schema, document, errors);
          for (const error of errors as readonly GraphQLError[]) {
            const place = error.nodes?.map(node => places.get(node)).find(found => found !== undefined);
            if (!place) continue;
            const { field, message } = brokenField(place, error);
            error.extensions['errors'] = [{ field, message: message[language] }];
          }
        };
      },
    };
  },
};

/** A node of an argument: its path, and its expected type. */
interface Place {
  node: ASTNode;
  field: string;
  type: GraphQLInputType | undefined;
}

/** The paths of the nodes of errors that are inside arguments. */
function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly Error[],
): ReadonlyMap<ASTNode, Place> {
  const wanted = new Set((errors as readonly GraphQLError[]).flatMap(({ nodes }) => nodes ?? []));
  const found = new Map<ASTNode, Place>();
  const types = new TypeInfo(schema);
  const path = new ArgumentPath();
  const enter = (node: ASTNode, key: unknown): void => {
    path.enter(node, key);
    if (path.isInside && node.kind !== Kind.ARGUMENT && wanted.has(node))
      found.set(node, { node, field: path.field, type: types.getInputType() ?? undefined });
  };
  const leave = (node: ASTNode, key: unknown): void => path.leave(node, key);
  visit(document, visitWithTypeInfo(types, { enter, leave }));
  return found;
}

const MISSING = /^Field "\w+\.(\w+)" of required type /;

function brokenField(
  { node, field, type }: Place,
  { message }: GraphQLError,
): { field: string; message: Text } {
  const [, missing] = MISSING.exec(message) ?? [];
  if (missing !== undefined) return { field: `${field}.${missing}`, message: fieldMessages.required };
  if (node.kind === Kind.OBJECT_FIELD) return { field, message: graphqlTexts.unknown };
  if (node.kind === Kind.NULL) return { field, message: fieldMessages.notNull };
  const named = type && getNamedType(type);
  if (isLeafType(named)) return { field, message: expectedValue(named) };
  // An object whose members are all right can only break the rule of a one-of input.
  return {
    field,
    message: node.kind === Kind.OBJECT ? fieldMessages.oneMember : fieldMessages.type(expected.object),
  };
}
