import {
  Kind,
  TypeInfo,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type VariableNode,
} from 'graphql';
import { ArgumentPath } from './argument-path.ts';
import { fragmentsOf } from './fragments.ts';
import { isIncluded, type SentOperation } from './included.ts';

/** A place in an argument where an operation uses a variable. */
export interface Use {
  variable: VariableNode;
  field: string;
  /** Null is no value of this place. */
  isNonNull: boolean;
  /** The only member of an input that has exactly one. */
  isOneMember: boolean;
}

/** The uses of variables in what will be executed: not below `@skip`, and once for each fragment. */
export function usesOf(schema: GraphQLSchema, document: DocumentNode, sent: SentOperation): Use[] {
  const fragments = fragmentsOf(document);
  const reached: ASTNode[] = [sent.operation];
  const uses: Use[] = [];
  const types = new TypeInfo(schema);
  const path = new ArgumentPath();
  const visitor = visitWithTypeInfo(types, {
    enter(node, key, parent) {
      const isSelection =
        node.kind === Kind.FIELD || node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT;
      // False leaves out what is below.
      if (isSelection && !isIncluded(node, sent)) return false;
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value);
        if (fragments.delete(node.name.value)) reached.push(fragment!);
      }
      path.enter(node, key);
      if (node.kind === Kind.VARIABLE && path.isInside) {
        const isMember = (parent as ASTNode).kind === Kind.OBJECT_FIELD;
        const holder = isMember && getNamedType(types.getParentInputType());
        uses.push({
          variable: node,
          field: path.field,
          isNonNull: isNonNullType(types.getInputType()),
          isOneMember: isInputObjectType(holder) && holder.isOneOf,
        });
      }
      return undefined;
    },
    leave(node, key) {
      path.leave(node, key);
    },
  });
  for (const node of reached) visit(node, visitor);
  return uses;
}
