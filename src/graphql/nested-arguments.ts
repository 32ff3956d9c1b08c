import {
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isObjectType,
  Kind,
  locatedError,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type SelectionSetNode,
} from 'graphql';
import { AppError, MAX_ERRORS } from '../errors.ts';
import { Rights } from '../graph/rights.ts';
import { hasArguments, selectionOf, type Selection } from '../listing/selection.ts';
import type { Context } from '../request/context.ts';
import { fragmentsOf } from './fragments.ts';
import { isIncluded, type SentOperation } from './included.ts';
import { publicError } from './public-error.ts';

/** A field with arguments that is read after its record, before anything is read. */
export interface Asked {
  context: Context;
  declared: readonly GraphQLArgument[];
  selection: Selection;
  /** What the caller may read is asked later. Until then all may be followed. */
  rights: Rights;
}

/** Reads the arguments of such a field, and nothing else. @throws BAD_REQUEST */
export type ReadArgs = (args: never, asked: Asked) => Promise<unknown>;

/**
 * The errors of arguments below the root fields of a mutation, one for each field. Such fields are read when the mutation
 * is done, and bad input must change nothing. A cursor is not checked: it belongs to a list that is not there yet.
 */
export async function nestedArgumentErrors(
  sent: SentOperation & { context: Context },
): Promise<GraphQLError[]> {
  const nodes = [...fieldsWithArguments(sent)];
  if (nodes.length === 0) return [];
  const { schema, document, operation, given, context } = sent;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  // GraphQL reports the variable, and runs nothing.
  if (!coerced) return [];
  const fragments = Object.fromEntries(fragmentsOf(document));
  const rights = new Rights(new Map(), context.caller);
  const errors: GraphQLError[] = [];
  for (const { node, field, readArgs } of nodes) {
    const info = { fieldNodes: [node], fragments, returnType: field.type };
    const asked = { context, declared: field.args, selection: selectionOf(info), rights };
    try {
      await readArgs(getArgumentValues(field, node, coerced) as never, asked);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(locatedError(publicError(error, context), node));
      if (errors.length >= MAX_ERRORS) break;
    }
  }
  return errors;
}

interface Found {
  node: FieldNode;
  field: GraphQLField<unknown, unknown>;
  readArgs: ReadArgs;
}

/** The selected fields whose arguments are read later. A fragment has the same fields wherever it is used. */
function* fieldsWithArguments(sent: SentOperation): Generator<Found> {
  const fragments = fragmentsOf(sent.document);
  function* below({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): Generator<Found> {
    if (!isObjectType(type)) return;
    for (const node of selections) {
      if (!isIncluded(node, sent)) continue;
      if (node.kind === Kind.INLINE_FRAGMENT) yield* below(node.selectionSet, type);
      else if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value);
        if (fragments.delete(node.name.value)) yield* below(fragment!.selectionSet, type);
      } else {
        const field = type.getFields()[node.name.value];
        const readArgs = field?.extensions['readArgs'] as ReadArgs | undefined;
        if (readArgs && hasArguments(node)) yield { node, field: field!, readArgs };
        if (field && node.selectionSet) yield* below(node.selectionSet, getNamedType(field.type));
      }
    }
  }
  yield* below(sent.operation.selectionSet, sent.schema.getRootType(sent.operation.operation)!);
}
