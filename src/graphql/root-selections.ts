import { Kind, type FieldNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from './fragments.ts';
import { isIncluded, type SentOperation } from './included.ts';

/**
 * The root fields that an operation selects, once for each response name. Uses only the variables of `@skip` and
 * `@include`.
 */
export function rootSelections(sent: SentOperation): ReadonlyMap<string, FieldNode> {
  const found = new Map<string, FieldNode>();
  const fragments = fragmentsOf(sent.document);
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isIncluded(node, sent)) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        if (!found.has(name)) found.set(name, node);
      } else {
        const fragment = fragments.get(node.name.value);
        // A fragment adds nothing when it is used a second time.
        if (fragments.delete(node.name.value)) collect(fragment!.selectionSet);
      }
    }
  };
  collect(sent.operation.selectionSet);
  return found;
}
