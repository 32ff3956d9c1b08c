import {
  getNamedType,
  isInterfaceType,
  isListType,
  isObjectType,
  isWrappingType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';
import { fragmentsOf } from './fragments.ts';
import { sizeOf } from './page-sizes.ts';

/** What is measured of a definition, with all fragments expanded. */
export interface Totals {
  /** Levels of nested fields and fragments, or of lists and objects in one literal. */
  depth: number;
  /** Fields with an alias, per operation. */
  aliases: number;
  /** Directives used, per operation. */
  directives: number;
  /** Root fields, per operation. */
  rootFields: number;
  /** Nested lists of a type: `fields`, `interfaces`, … */
  introspection: number;
  /**
   * 1 for each field, per operation. Each list multiplies the fields below it by ten, and the records of a page by
   * `itemsPerPage` where the document says a smaller one.
   */
  cost: number;
}

type ParentType = GraphQLNamedType | null | undefined;
type Field = GraphQLField<unknown, unknown>;

export const nothing: Totals = {
  depth: 0,
  aliases: 0,
  directives: 0,
  rootFields: 0,
  introspection: 0,
  cost: 0,
};
const entriesPerList = 10;
const introspectionLists = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);
const metaFields = new Map<string, Field>(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map(field => [field.name, field]),
);

/** Measures the definitions of a document. Linear in its size: a fragment is measured once for each size of page. */
export class DocumentMeter {
  foundCycle = false;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** By the name of the fragment and the size of the page that it selects from. */
  readonly #measured = new Map<string, Totals | 'open'>();

  constructor(
    readonly document: DocumentNode,
    readonly schema: GraphQLSchema,
  ) {
    this.#fragments = fragmentsOf(document);
  }

  definitions(): Totals[] {
    return this.document.definitions.flatMap(node => {
      if (node.kind === Kind.FRAGMENT_DEFINITION) return { ...this.#fragment(node), rootFields: 0 };
      if (node.kind !== Kind.OPERATION_DEFINITION) return [];
      return this.#inside(node, this.schema.getRootType(node.operation));
    });
  }

  #fragment(node: FragmentDefinitionNode, size = entriesPerList): Totals {
    const key = `${node.name.value} ${size}`;
    const known = this.#measured.get(key);
    if (known === 'open') this.foundCycle = true;
    if (known) return known === 'open' ? nothing : known;
    this.#measured.set(key, 'open');
    const totals = this.#inside(node, this.schema.getType(node.typeCondition.name.value), size);
    this.#measured.set(key, totals);
    return totals;
  }

  /** `size`: how many records the page of this type has at most; it counts for pages alone. */
  #inside(
    node: Pick<FieldNode, 'directives' | 'selectionSet'>,
    type: ParentType,
    size = entriesPerList,
  ): Totals {
    const totals = { ...nothing, directives: node.directives?.length ?? 0 };
    for (const below of node.selectionSet?.selections ?? [])
      addBelow(totals, this.#selection(below, type, size));
    return totals;
  }

  #selection(node: SelectionNode, parent: ParentType, size: number): Totals {
    if (node.kind === Kind.FIELD) return this.#field(node, parent, size);
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#spread(node, size);
    const condition = node.typeCondition?.name.value;
    return this.#inside(node, condition ? this.schema.getType(condition) : parent, size);
  }

  #spread(node: FragmentSpreadNode, size: number): Totals {
    const fragment = this.#fragments.get(node.name.value);
    const totals = fragment ? this.#fragment(fragment, size) : nothing;
    return { ...totals, directives: totals.directives + (node.directives?.length ?? 0) };
  }

  #field(node: FieldNode, parent: ParentType, size: number): Totals {
    const field = fieldOf(parent, node.name.value);
    const { type } = field ?? {};
    const records = Math.min((field && sizeOf(node, field)) || entriesPerList, entriesPerList);
    const totals = this.#inside(node, type && getNamedType(type), records);
    if (node.alias) totals.aliases += 1;
    if (parent?.name === '__Type' && introspectionLists.has(node.name.value)) totals.introspection += 1;
    return {
      ...totals,
      rootFields: 1,
      cost: 1 + totals.cost * listFactor(type, node.name.value === 'data' ? size : entriesPerList),
    };
  }
}

/** Sums are capped at the largest safe integer, because a chain of fragments grows exponentially. */
function addBelow(totals: Totals, below: Totals): void {
  for (const key of ['aliases', 'directives', 'rootFields', 'cost'] as const) {
    totals[key] = Math.min(totals[key] + below[key], Number.MAX_SAFE_INTEGER);
  }
  totals.depth = Math.max(totals.depth, 1 + below.depth);
  totals.introspection = Math.max(totals.introspection, below.introspection);
}

function fieldOf(parent: ParentType, name: string): Field | undefined {
  const hasFields = isObjectType(parent) || isInterfaceType(parent);
  return (hasFields ? parent.getFields()[name] : undefined) ?? metaFields.get(name);
}

function listFactor(type: GraphQLOutputType | undefined, entries: number): number {
  if (!isWrappingType(type)) return 1;
  return listFactor(type.ofType, entries) * (isListType(type) ? entries : 1);
}
