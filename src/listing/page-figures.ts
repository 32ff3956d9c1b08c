import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Page } from './page.ts';

/**
 * Computes the figures of a written page, which would be read after it. The stored answer needs them, and the write may
 * change or delete the records.
 */
export async function addFigures(
  page: Page<object>,
  info: GraphQLResolveInfo,
  context: unknown,
): Promise<void> {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return;
  for (const [key, fieldNodes] of selectedIn(info)) {
    const [node] = fieldNodes as [FieldNode];
    const field = type.getFields()[node.name.value];
    if (!field?.extensions['readsLater']) continue;
    const path = { prev: info.path, key, typename: type.name };
    const { name: fieldName, type: returnType } = field;
    const called = { ...info, fieldName, fieldNodes, returnType, parentType: type, path };
    const given = getArgumentValues(field, node, info.variableValues);
    page.figures = { ...page.figures, [key]: await field.resolve!(page, given, context, called) };
  }
}

/** The fields that are selected below a field, by response name, as GraphQL will execute them. */
function selectedIn({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const isLeftOut = (node: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] === false;
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (isLeftOut(node)) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet);
      else if (node.kind === Kind.FRAGMENT_SPREAD) collect(fragments[node.name.value]!.selectionSet);
      else {
        const name = (node.alias ?? node.name).value;
        found.set(name, [...(found.get(name) ?? []), node]);
      }
    }
  };
  for (const { selectionSet } of fieldNodes) collect(selectionSet);
  return found;
}
