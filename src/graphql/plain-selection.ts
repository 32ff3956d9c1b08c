import {
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type SelectionSetNode,
} from 'graphql';
import { hasArguments } from '../listing/selection.ts';
import { isFlag } from '../entities/choices.ts';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

export const TYPE_NAME = '__typename';

/**
 * Whether everything that is selected of a record is already in the record: no field is read later, has arguments or
 * depends on a directive.
 */
export function isPlain(
  { selections }: SelectionSetNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): boolean {
  return selections.every(node => {
    if (node.directives?.length) return false;
    if (node.kind !== Kind.FIELD) return isPlain(selectionsOf(node, fragments), type, fragments);
    // On usual objects, this name sets the prototype.
    if (keyOf(node) === '__proto__' || hasArguments(node)) return false;
    if (node.name.value === TYPE_NAME) return true;
    const field = type.getFields()[node.name.value]!;
    const below = getNamedType(field.type);
    return isInRecord(field) && (!isObjectType(below) || isPlain(node.selectionSet!, below, fragments));
  });
}

/** Whether a field without arguments shows what is in the record: it has no resolver, or is a flag or a to-many field. */
export const isInRecord = (field: GraphQLField<unknown, never>): boolean =>
  !field.resolve || isFlag(field) || field.extensions['readsRefined'] === true;

/** What an operation or these fields select together, by the names in the answer. */
export function selectedBelow(
  nodes: readonly Pick<FieldNode, 'selectionSet'>[],
  fragments: Fragments,
): ReadonlyMap<string, readonly FieldNode[]> {
  const selected = new Map<string, FieldNode[]>();
  const seen = new Set<SelectionSetNode>();
  for (const { selectionSet } of nodes) collect(selectionSet!, fragments, selected, seen);
  return selected;
}

/** Adds the fields by their names in the answer. A fragment adds nothing when it is used a second time. */
function collect(
  set: SelectionSetNode,
  fragments: Fragments,
  into: Map<string, FieldNode[]>,
  seen: Set<SelectionSetNode>,
): void {
  if (seen.has(set)) return;
  seen.add(set);
  for (const node of set.selections) {
    if (node.kind !== Kind.FIELD) {
      collect(selectionsOf(node, fragments), fragments, into, seen);
      continue;
    }
    const same = into.get(keyOf(node));
    if (same) same.push(node);
    else into.set(keyOf(node), [node]);
  }
}

type Spread = Exclude<SelectionSetNode['selections'][number], FieldNode>;

const selectionsOf = (node: Spread, fragments: Fragments): SelectionSetNode =>
  node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]!.selectionSet;

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;
