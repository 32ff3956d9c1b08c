import {
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type VariableNode,
} from 'graphql';
import { fragmentsOf } from './fragments.ts';
import { dependsOnVariable, isIncluded, variableValue, type SentOperation } from './included.ts';

const SIZE = 'itemsPerPage';

/** The numbers of operations that depend on no variable. Documents are kept, so they come again. */
const known = new WeakMap<OperationDefinitionNode, number>();

/**
 * The maximum number of records in all pages that an operation selects. A nested page is multiplied by the records
 * above it. Unpaged lists count as 0, because their length is unknown before they are read.
 */
export function mostRecords(sent: SentOperation, largest: number): number {
  const before = known.get(sent.operation);
  if (before !== undefined) return before;
  const counted = { ...sent, usesVariables: false };
  const found = recordsOf(counted, largest);
  if (!counted.usesVariables) known.set(sent.operation, found);
  return found;
}

/** Notes whether a variable decides about a page. */
interface Counted extends SentOperation {
  usesVariables: boolean;
}

function recordsOf(sent: Counted, largest: number): number {
  const fragments = fragmentsOf(sent.document);
  const valueOf = (variable: VariableNode): { value: unknown } => {
    sent.usesVariables = true;
    return { value: variableValue(sent, variable) };
  };
  const below = ({ selections }: SelectionSetNode, type: GraphQLObjectType): number => {
    let sum = 0;
    for (const node of selections) {
      if (dependsOnVariable(node)) sent.usesVariables = true;
      if (!isIncluded(node, sent)) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) sum += below(node.selectionSet, type);
      else if (node.kind === Kind.FRAGMENT_SPREAD)
        sum += below(fragments.get(node.name.value)!.selectionSet, type);
      else sum += of(node, type.getFields()[node.name.value]);
    }
    return sum;
  };
  const of = (node: FieldNode, field: GraphQLField<unknown, unknown> | undefined): number => {
    const type = field && getNamedType(field.type);
    if (!node.selectionSet || !isObjectType(type)) return 0;
    const size = sizeOf(node, field!, valueOf);
    // A page size that is too large is reported elsewhere.
    const records = Math.min(size, largest);
    const inside = below(node.selectionSet, type);
    return size === 0 ? inside : records * (1 + inside);
  };
  return below(sent.operation.selectionSet, sent.schema.getRootType(sent.operation.operation)!);
}

/** The page size of a field; 0 for an unpaginated list, or if a variable without a known value decides. */
export function sizeOf(
  { arguments: args = [] }: FieldNode,
  field: GraphQLField<unknown, unknown>,
  valueOf: (variable: VariableNode) => { value: unknown } | undefined = () => undefined,
): number {
  const argumentValue = (name: string): unknown => {
    const declared = field.args.find(arg => arg.name === name)?.defaultValue;
    const value = args.find(arg => arg.name.value === name)?.value;
    if (value?.kind === Kind.INT) return Number(value.value);
    if (value?.kind === Kind.BOOLEAN) return value.value;
    if (value?.kind !== Kind.VARIABLE) return declared;
    const known = valueOf(value);
    return known && (known.value ?? declared);
  };
  if (field.args.some(({ name }) => name === 'pagination') && argumentValue('pagination') !== true) return 0;
  const size = argumentValue(SIZE);
  return typeof size === 'number' ? Math.max(0, size) : 0;
}
