import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, visit, type DocumentNode, type GraphQLSchema, type ParseOptions } from 'graphql';
import { DocumentMeter, nothing, type Totals } from './document-meter.ts';

/** Limits of one document. All except `tokens` are counted with all fragments expanded. */
export interface DocumentLimits extends Omit<Totals, 'introspection'> {
  /** Lexical tokens, without comments and white space. */
  tokens: number;
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

/** A limit and the measured value. `fragmentCycle` is a fragment that contains itself. */
export interface BrokenLimit {
  limit: 'tokens' | keyof Totals | 'fragmentCycle';
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

// No tool nests these lists. With two levels, the number of types is already multiplied by their fields and by the
// fields of those.
const introspectionAllowed = 1;

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
