import type { ApolloServerPlugin } from '@apollo/server';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, FragmentSpreadNode } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLOutputType, GraphQLSchema } from 'graphql';
import type { ParseOptions, SelectionNode } from 'graphql';
import { GraphQLError, Kind, SchemaMetaFieldDef, TypeMetaFieldDef, getNamedType, visit } from 'graphql';
import { isInterfaceType, isListType, isObjectType, isWrappingType } from 'graphql';
import { fragmentsOf } from './fragments.ts';
import { sizeOf } from './page-sizes.ts';

/** Limits of one document. All except `tokens` are counted with all fragments expanded. */
export interface DocumentLimits {
  /** Lexical tokens, without comments and white space. */
  tokens: number;
  /** Levels of nested fields and fragments, or of lists and objects in one literal. */
  depth: number;
  /** Fields with an alias, per operation. */
  aliases: number;
  /** Directives used, per operation. */
  directives: number;
  /** Root fields, per operation. */
  rootFields: number;
  /**
   * 1 for each field, per operation. Each list multiplies the fields below it by ten, and the records of a page by
   * `itemsPerPage` where the document says a smaller one.
   */
  cost: number;
}

/** Ample for a screen of ten lists with nested links, and for the full introspection query (cost 51,863). */
export const defaultLimits: DocumentLimits = {
  tokens: 5_000,
  depth: 20,
  aliases: 50,
  directives: 50,
  rootFields: 20,
  cost: 60_000,
};

/**
 * A limit and the measured value. `introspection` counts nested lists of a type (`fields`, `interfaces`, …);
 * `fragmentCycle` is a fragment that contains itself.
 */
export interface BrokenLimit {
  limit: keyof DocumentLimits | 'introspection' | 'fragmentCycle';
  allowed: number;
  found: number;
}

/**
 * Apollo's `parseOptions`. They are needed in addition to `limitsPlugin`: too many tokens are a parse error, status
 * 400.
 */
export const parseOptions: ParseOptions = { maxTokens: defaultLimits.tokens };

/**
 * Refuses a document over the limits after parsing and before validation: 400 `BAD_REQUEST`. Documents in Apollo's
 * store were measured before they were stored.
 */
export const limitsPlugin: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async validationDidStart({ document, schema }) {
        const refused = refusedDocument(document, schema);
        if (refused) throw refused;
      },
    };
  },
  // Apollo masks errors from before validation as server errors, unless this hook throws them again.
  async unexpectedErrorProcessingRequest({ error }) {
    if (error instanceof RefusedDocument) throw error;
  },
};

/** The error for a document over the limits; undefined for any other. */
export function refusedDocument(document: DocumentNode, schema: GraphQLSchema): GraphQLError | undefined {
  const broken = brokenLimit(document, schema);
  return broken && new RefusedDocument(broken);
}

const CHEAPER =
  'Select less below lists, or write itemsPerPage below 10 into the document, as a number and not as a variable.';

class RefusedDocument extends GraphQLError {
  constructor({ limit, allowed, found }: BrokenLimit) {
    const advice = limit === 'cost' ? ` ${CHEAPER}` : '';
    super(`The document exceeds the limit "${limit}": found ${found}, allowed ${allowed}.${advice}`, {
      extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
    });
  }
}

/**
 * The first limit that the document exceeds; undefined if none. Measures every definition, used or not. Pure, and
 * linear in the size of the document.
 */
export function brokenLimit(
  document: DocumentNode,
  schema: GraphQLSchema,
  limits = defaultLimits,
): BrokenLimit | undefined {
  const tokens = document.tokenCount ?? 0;
  if (tokens > limits.tokens) return { limit: 'tokens', allowed: limits.tokens, found: tokens };
  const meter = new DocumentMeter(document, schema);
  const measured = [{ ...nothing, depth: literalDepth(document) }, ...meter.definitions()];
  if (meter.foundCycle) return { limit: 'fragmentCycle', allowed: 0, found: 1 };
  const allowed: Totals = { ...limits, introspection: introspectionAllowed };
  return measured.map(totals => firstAbove(totals, allowed)).find(broken => broken !== undefined);
}

type Totals = Record<Exclude<BrokenLimit['limit'], 'tokens' | 'fragmentCycle'>, number>;
type ParentType = GraphQLNamedType | null | undefined;

const nothing: Totals = { depth: 0, aliases: 0, directives: 0, rootFields: 0, introspection: 0, cost: 0 };
const entriesPerList = 10;
// No tool nests these lists. With two levels, the number of types is already multiplied by their fields and by the
// fields of those.
const introspectionAllowed = 1;
const introspectionLists = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);
const metaFields = new Map<string, Field>(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map(field => [field.name, field]),
);

function firstAbove(totals: Totals, allowed: Totals): BrokenLimit | undefined {
  const limit = (Object.keys(nothing) as (keyof Totals)[]).find(key => totals[key] > allowed[key]);
  return limit && { limit, allowed: allowed[limit], found: totals[limit] };
}

function literalDepth(document: DocumentNode): number {
  let [open, deepest] = [0, 0];
  // A visitor that returns a value would replace the node.
  const literal = {
    enter: () => {
      deepest = Math.max(deepest, ++open);
    },
    leave: () => {
      open--;
    },
  };
  visit(document, { ListValue: literal, ObjectValue: literal });
  return deepest;
}

class DocumentMeter {
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

type Field = GraphQLField<unknown, unknown>;

function fieldOf(parent: ParentType, name: string): Field | undefined {
  const hasFields = isObjectType(parent) || isInterfaceType(parent);
  return (hasFields ? parent.getFields()[name] : undefined) ?? metaFields.get(name);
}

function listFactor(type: GraphQLOutputType | undefined, entries: number): number {
  if (!isWrappingType(type)) return 1;
  return listFactor(type.ofType, entries) * (isListType(type) ? entries : 1);
}
