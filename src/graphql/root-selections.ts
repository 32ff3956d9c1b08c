import {
  Kind,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from './fragments.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * The root fields that an operation selects, once for each response name. Uses only the variables of `@skip` and
 * `@include`.
 */
export function rootSelections(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  given: Given,
): ReadonlyMap<string, FieldNode> {
  const found = new Map<string, FieldNode>();
  const fragments = fragmentsOf(document);
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isIncluded(node.directives ?? [], given)) continue;
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
  collect(selectionSet);
  return found;
}

function isIncluded(directives: readonly DirectiveNode[], given: Given): boolean {
  return directives.every(({ name, arguments: [condition] = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    const left = name.value === 'skip';
    if (condition?.value.kind === Kind.BOOLEAN) return condition.value.value !== left;
    return condition?.value.kind !== Kind.VARIABLE || given[condition.value.name.value] !== left;
  });
}
