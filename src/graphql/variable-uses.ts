import {
  Kind,
  TypeInfo,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type OperationDefinitionNode,
  type VariableNode,
} from 'graphql';
import { ArgumentPath } from './argument-path.ts';
import { fragmentsOf } from './fragments.ts';
import { dependsOnVariable, isIncluded, type SentOperation } from './included.ts';

/** A place in an argument where an operation uses a variable. */
export interface Use {
  variable: VariableNode;
  field: string;
  /** Null is no value of this place. */
  isNonNull: boolean;
  /** The only member of an input that has exactly one. */
  isOneMember: boolean;
}

/** The uses in operations in which no variable decides what is left in. Documents are kept, so they come again. */
const known = new WeakMap<OperationDefinitionNode, readonly Use[]>();

/** The uses of variables in what will be executed: not below `@skip`, and once for each fragment. */
export function usesOf(sent: SentOperation): readonly Use[] {
  const before = known.get(sent.operation);
  if (before) return before;
  let isConstant = true;
  const fragments = fragmentsOf(sent.document);
  const reached: ASTNode[] = [sent.operation];
  const uses: Use[] = [];
  const types = new TypeInfo(sent.schema);
  const path = new ArgumentPath();
  const visitor = visitWithTypeInfo(types, {
    enter(node, key, parent) {
      const isSelection =
        node.kind === Kind.FIELD || node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT;
      if (isSelection && dependsOnVariable(node)) isConstant = false;
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
  if (isConstant) known.set(sent.operation, uses);
  return uses;
}
