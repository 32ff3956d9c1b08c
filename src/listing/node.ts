import type { EntityProperty } from '@mikro-orm/core';
import { types } from 'pg';
import { jsonBytes } from '../database/budget.ts';

type Convert = (value: unknown) => unknown;

/** Bytes of a record's braces and the comma after it. */
export const BRACES = 3;

/** How to build a record from a row: the indexes of its columns, and its linked records. */
export interface Node {
  scalars: { property: string; index: number; times: number; convert?: Convert }[];
  links: { property: string; keyIndex: number; times: number; node: Node }[];
  /** Bytes of braces and names in the answer. */
  bytes: number;
}

/** Recently converted timestamps. Linked records repeat them, and each conversion creates a `Date`. */
const converted = new Map<string, string>();
const MOST_CONVERTED = 2_000;

/** Reads every form of a timestamptz, more slowly than `Date`. */
const parsed: (text: string) => Date = types.getTypeParser(types.builtins.TIMESTAMPTZ);

/** Converts PostgreSQL's text of a timestamptz to `2026-11-20T13:45:00.123Z`. */
const toIso: Convert = value => {
  if (value === null) return null;
  const known = converted.get(value as string);
  if (known !== undefined) return known;
  const date = new Date(value as string);
  // `Date` does not read offsets with seconds, which local times had until the zones of today began (1914 in Brazil).
  const iso = (Number.isNaN(date.getTime()) ? parsed(value as string) : date).toISOString();
  if (converted.size >= MOST_CONVERTED) converted.clear();
  converted.set(value as string, iso);
  return iso;
};

/** How to convert the values of a column; undefined if PostgreSQL's form is that of clients. */
export const converterOf = ({ type }: EntityProperty): Convert | undefined =>
  type === 'datetime' ? toIso : undefined;

/** Index in the row of the value at the end of a path of links. */
export function indexAt(node: Node, path: string): number {
  const links = path.split('.');
  const last = links.pop()!;
  const linked = (at: Node, link: string): Node => at.links.find(({ property }) => property === link)!.node;
  return links.reduce(linked, node).scalars.find(({ property }) => property === last)!.index;
}

/** The record that a row holds. */
export function build(node: Node, row: readonly unknown[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { property, index, convert } of node.scalars)
    record[property] = convert ? convert(row[index]) : row[index];
  for (const { property, keyIndex, node: linked } of node.links)
    record[property] = row[keyIndex] === null ? null : build(linked, row);
  return record;
}

/** Estimated bytes of a record in the answer, without its to-many fields. */
export function bytesOf(node: Node, row: readonly unknown[]): number {
  let bytes = node.bytes;
  for (const { index, times } of node.scalars) if (times > 0) bytes += times * jsonBytes(row[index]);
  for (const { keyIndex, times, node: linked } of node.links)
    bytes += times * (row[keyIndex] === null ? 4 : bytesOf(linked, row));
  return bytes;
}
