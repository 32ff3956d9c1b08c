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

/** The selected fields by property name. A field without subfields has an empty selection. */
export interface Selection {
  readonly [property: string]: Selection;
}

export const NOTHING: Selection = {};

/** How often a property appears in the answer (it may have aliases), and the bytes of its names. */
interface Shown {
  times: number;
  bytes: number;
}

/**
 * The response names of each selected property. A selection without a document has none, and each property appears
 * once.
 */
const names = new WeakMap<Selection, Map<string, Set<string>>>();

/** How a property appears in the answer: zero times if only the service itself needs it. */
export function shownAs(selection: Selection, property: string): Shown {
  const all = names.get(selection);
  if (!all) return { times: 1, bytes: property.length + PUNCTUATION };
  let bytes = 0;
  const its = all.get(property);
  for (const name of its ?? []) bytes += name.length + PUNCTUATION;
  return { times: its?.size ?? 0, bytes };
}

/** Quotes, colon and comma around a name. */
const PUNCTUATION = 4;

/** The same selection plus a property that is read but not shown. */
export function alsoReading(selection: Selection, property: string): Selection {
  const both = { ...selection, [property]: selection[property] ?? {} };
  if (hasPages(selection)) pages.add(both);
  names.set(
    both,
    names.get(selection) ?? new Map(Object.keys(selection).map(name => [name, new Set([name])])),
  );
  return both;
}

const through = new WeakMap<Selection, Selection>();

/**
 * Wraps the selection in a link, for records that lead to the selected ones. Memoised, because plans are cached by
 * selection object.
 */
export function selectionThrough(selection: Selection, link: string): Selection {
  let found = through.get(selection);
  if (!found) through.set(selection, (found = { [link]: selection }));
  return found;
}

/** The selection of these paths, such as `unidadeMedida.sigla`. */
export function selectionOfPaths(paths: readonly string[]): Selection {
  const selection: Record<string, Selection> = {};
  for (const path of paths) {
    let at = selection;
    for (const name of path.split('.')) at = at[name] ??= {};
  }
  return selection;
}

/** The property of a row behind a field: the field's name, unless the schema renames it. */
export const propertyOf = (field: GraphQLField<unknown, unknown>): string =>
  (field.extensions['property'] as string | undefined) ?? field.name;

/**
 * Whether a field is resolved after its record: with `readsLater` always, with `readsRefined` if it has arguments. Then
 * its value does not depend on the record alone.
 */
const isReadLater = ({ extensions }: GraphQLField<unknown, unknown>, node: FieldNode): boolean =>
  extensions['readsLater'] === true || (extensions['readsRefined'] === true && hasArguments(node));

export const hasArguments = ({ arguments: given }: FieldNode): boolean =>
  given !== undefined && given.length > 0;

/** Selections of records with pages of linked records. */
const pages = new WeakSet<Selection>();

/** Whether the selection has fields that are read after the record, for all records together. */
export const hasPages = (selection: Selection): boolean => pages.has(selection);

const known = new WeakMap<FieldNode, Selection>();

type Selecting = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'returnType'>;

/**
 * The fields selected below the field being resolved, including fragments. `@skip` and `@include` are ignored: an
 * unused column does no harm, and the result can be cached for every execution of the document.
 */
export function selectionOf(info: Selecting): Selection {
  const [node] = info.fieldNodes;
  // A field that occurs once has the same subfields in every execution. Merged fields depend on the other occurrences.
  if (!node || info.fieldNodes.length > 1) return collectAll(info);
  let selection = known.get(node);
  if (!selection) known.set(node, (selection = collectAll(info)));
  return selection;
}

function collectAll(info: Selecting): Selection {
  const selection: Record<string, Selection> = {};
  const type = getNamedType(info.returnType);
  if (isObjectType(type))
    for (const node of info.fieldNodes) collect(node.selectionSet, type, info, selection);
  return selection;
}

function collect(
  set: SelectionSetNode | undefined,
  type: GraphQLObjectType,
  info: Selecting,
  into: Record<string, Selection>,
): void {
  for (const node of set?.selections ?? []) {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      collect(info.fragments[node.name.value]?.selectionSet, type, info, into);
    else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet, type, info, into);
    else {
      const found = type.getFields()[node.name.value];
      if (!found) continue; // __typename
      const field = (found.extensions['insteadOf'] as GraphQLField<unknown, unknown> | undefined) ?? found;
      if (isReadLater(field, node)) {
        // Fields that are read later need the key. It is not shown.
        into['id'] ??= {};
        if (!names.has(into)) names.set(into, new Map());
        pages.add(into);
        continue;
      }
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
