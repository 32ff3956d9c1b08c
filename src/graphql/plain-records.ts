import {
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  locatedError,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { selectedBelow, TYPE_NAME, type Fragments } from './plain-selection.ts';

type Path = readonly (string | number)[];

/** The list whose records are shown. */
export interface Shown {
  /** The path of the list in the answer. */
  readonly at: () => Path;
  /** Names and positions below it that lead to what is being shown. */
  readonly path: (string | number)[];
  /** Errors of fields that are null instead. */
  readonly errors: GraphQLError[];
}

/** Makes the answer for a value. @throws GraphQLError with its path, if the value may not be null */
export type Show = (value: unknown, of: Shown) => unknown;

/** Reads the value of a field from its record. */
export type Read = (record: Record<string, unknown>) => unknown;

/** The schema's way to read fields, and the fragments of the document. */
export interface Reading {
  readOf: (field: GraphQLField<unknown, never>) => Read;
  fragments: Fragments;
}

/**
 * Shows records with what these fields together select. The selection must be plain. `depth`: length of the path to a
 * record.
 */
export function showing(
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  reading: Reading,
  depth: number,
): Show {
  const fields = [...selectedBelow(nodes, reading.fragments)].map(([key, same]) => ({
    key,
    show: showingField(key, same, type, reading, depth),
  }));
  return (record, of) => {
    const shown: Record<string, unknown> = {};
    for (const { key, show } of fields) shown[key] = show(record, of);
    return shown;
  };
}

function showingField(
  key: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  reading: Reading,
  depth: number,
): Show {
  const name = nodes[0]!.name.value;
  if (name === TYPE_NAME) return () => type.name;
  const field = type.getFields()[name]!;
  const read = reading.readOf(field);
  const show = showingValue(field.type, `${type.name}.${name}`, nodes, reading, depth + 1);
  const isRequired = isNonNullType(field.type);
  return (record, of) => {
    try {
      of.path[depth] = key;
      return show(read(record as Record<string, unknown>), of);
    } catch (error) {
      const located = locatedError(error, nodes, [...of.at(), ...of.path.slice(0, depth + 1)]);
      if (isRequired) throw located;
      of.errors.push(located);
      return null;
    }
  };
}

/** Completes the value of a field as GraphQL does (specification, 6.4.3). `nodes` select from the records in it. */
export function showingValue(
  type: GraphQLOutputType,
  field: string,
  nodes: readonly FieldNode[],
  reading: Reading,
  depth: number,
): Show {
  const nullable = getNullableType(type);
  const isRequired = nullable !== type;
  const show = isListType(nullable)
    ? showingEach(showingValue(nullable.ofType, field, nodes, reading, depth + 1), depth)
    : isLeafType(nullable)
      ? showingLeaf(nullable, field)
      : showing(nodes, nullable as GraphQLObjectType, reading, depth);
  return (value, of) => {
    if (value instanceof Error) throw value;
    if (value != null) return show(value, of);
    if (isRequired) throw new Error(`Cannot return null for non-nullable field ${field}.`);
    return null;
  };
}

const showingEach =
  (show: Show, depth: number): Show =>
  (values, of) =>
    (values as unknown[]).map((value, i) => {
      of.path[depth] = i;
      return show(value, of);
    });

const showingLeaf =
  (type: GraphQLLeafType, field: string): Show =>
  value => {
    const shown = type.serialize(value);
    if (shown == null) throw new Error(`${type.name} shows nothing for a value of ${field}.`);
    return shown;
  };
