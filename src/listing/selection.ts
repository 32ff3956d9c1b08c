import {
  getNamedType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

/** The fields a client asked for, by property name; a field without subfields has an empty selection. */
export interface Selection {
  readonly [property: string]: Selection;
}

export const NOTHING: Selection = {};

/** How often a property stands in the answer, under as many names, and about how many bytes these take. */
interface Shown {
  times: number;
  bytes: number;
}

/** The names under which each property of a selection is answered; of one that no document made, each once. */
const names = new WeakMap<Selection, Map<string, Set<string>>>();

/** How a property of a selection is shown; what is read for other reasons is not. */
export function shownAs(selection: Selection, property: string): Shown {
  const all = names.get(selection);
  if (!all) return { times: 1, bytes: property.length + PUNCTUATION };
  let bytes = 0;
  const its = all.get(property);
  for (const name of its ?? []) bytes += name.length + PUNCTUATION;
  return { times: its?.size ?? 0, bytes };
}

/** Quotes, colon and comma. */
const PUNCTUATION = 4;

/** The same selection with a property that is read and not shown. */
export function alsoReading(selection: Selection, property: string): Selection {
  const both = { ...selection, [property]: selection[property] ?? {} };
  names.set(
    both,
    names.get(selection) ?? new Map(Object.keys(selection).map(name => [name, new Set([name])])),
  );
  return both;
}

/** What is needed for the values at the ends of these paths, such as `unidadeMedida.sigla`. */
export function selectionOfPaths(paths: readonly string[]): Selection {
  const selection: Record<string, Selection> = {};
  for (const path of paths) {
    let at = selection;
    for (const name of path.split('.')) at = at[name] ??= {};
  }
  return selection;
}

/** Property of a row behind a field: its own name, unless a view of the schema renamed it. */
const propertyOf = (field: GraphQLField<unknown, unknown>): string =>
  (field.extensions['property'] as string | undefined) ?? field.name;

const known = new WeakMap<FieldNode, Selection>();

/**
 * What was asked for below the field being resolved, fragments included. `@skip` and `@include` are not
 * looked at: reading a column too many is harmless, and the result holds for every run of the document.
 */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  const [node] = info.fieldNodes;
  // A field written once has the same subfields each time its document runs; merged ones depend on their company.
  if (!node || info.fieldNodes.length > 1) return collectAll(info);
  let selection = known.get(node);
  if (!selection) known.set(node, (selection = collectAll(info)));
  return selection;
}

function collectAll(info: GraphQLResolveInfo): Selection {
  const selection: Record<string, Selection> = {};
  const type = getNamedType(info.returnType);
  if (isObjectType(type))
    for (const node of info.fieldNodes) collect(node.selectionSet, type, info, selection);
  return selection;
}

function collect(
  set: SelectionSetNode | undefined,
  type: GraphQLObjectType,
  info: GraphQLResolveInfo,
  into: Record<string, Selection>,
): void {
  for (const node of set?.selections ?? []) {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      collect(info.fragments[node.name.value]?.selectionSet, type, info, into);
    else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet, type, info, into);
    else {
      const field = type.getFields()[node.name.value];
      if (!field) continue; // __typename
      const property = propertyOf(field);
      const below = (into[property] ??= {}) as Record<string, Selection>;
      named(into, property).add((node.alias ?? node.name).value);
      const fieldType = getNamedType(field.type);
      if (isObjectType(fieldType)) collect(node.selectionSet, fieldType, info, below);
    }
  }
}

function named(selection: Selection, property: string): Set<string> {
  let all = names.get(selection);
  if (!all) names.set(selection, (all = new Map()));
  let its = all.get(property);
  if (!its) all.set(property, (its = new Set()));
  return its;
}
