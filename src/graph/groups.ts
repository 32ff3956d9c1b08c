import { getNamedType, getNullableType, type GraphQLInputObjectType, type GraphQLArgument } from 'graphql';
import { AppError, invalidField } from '../errors.ts';
import type { Period, Sum, SumsShape } from '../listing/sums.ts';
import type { Selection } from '../listing/selection.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { graphTexts } from './messages.ts';
import { LISTED } from './distance.ts';
import { givenMembers, memberOf } from './member.ts';
import { readOrder } from './order.ts';
import type { Rights } from './rights.ts';
import { isSumName, type SumName } from './sum-types.ts';

/** Most columns by which one request may group. */
const MOST_KEYS = 10;

export interface GroupArgs {
  by: readonly object[];
  orderBy?: readonly object[] | null;
}

/** The sums that a selection asks for. */
export function sumsOf(selection: Selection): Sum[] {
  return Object.entries(selection).flatMap(([name, below]) =>
    isSumName(name) ? Object.keys(below).map(path => ({ of: name, path })) : [],
  );
}

/**
 * Reads the client's grouping and the ordering of the groups. @throws BAD_REQUEST, FORBIDDEN with the path into the
 * argument
 */
export async function readGroups(
  declared: readonly GraphQLArgument[],
  { by: given, orderBy }: GroupArgs,
  selection: Selection,
  rights: Rights,
): Promise<SumsShape> {
  const typeOf = (name: string): GraphQLInputObjectType =>
    getNamedType(declared.find(arg => arg.name === name)!.type) as GraphQLInputObjectType;
  const by: GroupColumn[] = [];
  for (const [i, one] of given.entries())
    await readKeys({ type: typeOf('by'), links: [], far: 0, field: `by[${i}]` }, one, rights, by);
  if (by.length === 0) throw broken('by', fieldMessages.atLeastOne);
  if (by.length > MOST_KEYS) throw broken('by', fieldMessages.max(MOST_KEYS));
  const paths = by.map(({ path }) => path);
  const unknown = pathsBelow(selection['key'] ?? {}).find(path => !paths.includes(path));
  if (unknown !== undefined) throw broken('by', graphTexts.notGrouped(unknown));
  const sums = sumsOf(selection);
  const orders: SumsShape['orders'][number][] = [];
  for (const [i, one] of (orderBy ?? []).entries())
    orders.push(await readGroupOrder(typeOf('orderBy'), one, `orderBy[${i}]`, { paths, sums, rights }));
  // By default, the largest groups come first.
  return {
    by,
    sums,
    orders: orders.length > 0 ? orders : [{ at: by.length, direction: 'desc' }],
    limited: true,
  };
}

interface GroupColumn {
  path: string;
  period?: Period | undefined;
}

interface Place {
  type: GraphQLInputObjectType;
  links: readonly string[];
  far: number;
  field: string;
}

async function readKeys(
  { type, links, far, field }: Place,
  given: object,
  rights: Rights,
  into: GroupColumn[],
): Promise<void> {
  for (const [input, value] of givenMembers(type, given)) {
    const member = memberOf(input)!;
    const at = `${field}.${input.name}`;
    if (member.kind === 'link') {
      const below = { type: getNullableType(input.type) as GraphQLInputObjectType, field: at };
      const next = await rights.follow(far, member.to, at);
      await readKeys(
        { ...below, links: [...links, ...member.links], far: next },
        value as object,
        rights,
        into,
      );
    } else if (member.kind === 'column' && value !== false) {
      const path = [...links, member.path].join('.');
      if (into.some(known => known.path === path)) throw broken(at, fieldMessages.repeated);
      into.push({ path, ...(typeof value === 'string' && { period: value as Period }) });
    }
  }
}

/** The ordering of groups: by `count`, by a value of their key, or by a sum, which is then also computed. */
async function readGroupOrder(
  type: GraphQLInputObjectType,
  given: object,
  field: string,
  { paths, sums, rights }: { paths: readonly string[]; sums: Sum[]; rights: Rights },
): Promise<SumsShape['orders'][number]> {
  const members = [...givenMembers(type, given)];
  if (members.length !== 1) throw broken(field, fieldMessages.oneMember);
  const [[input, value]] = members as [[(typeof members)[0][0], unknown]];
  const at = `${field}.${input.name}`;
  if (input.name === 'count')
    return { at: paths.length, direction: (value as string).toLowerCase() as 'asc' | 'desc' };
  const below = getNullableType(input.type) as GraphQLInputObjectType;
  const [order] = await readOrder(below, [value as object], at, rights, LISTED);
  const { path, direction } = order!;
  if (input.name === 'key') {
    if (!paths.includes(path)) throw broken(at, graphTexts.notGrouped(path));
    return { at: paths.indexOf(path), direction };
  }
  const of = input.name as SumName;
  let index = sums.findIndex(sum => sum.of === of && sum.path === path);
  if (index < 0) index = sums.push({ of, path }) - 1;
  return { at: paths.length + 1 + index, direction };
}

/** Converts the values of a row to `key`, `count` and the sums. */
export function groupOf({ by, sums }: SumsShape, values: readonly unknown[]): Record<string, unknown> {
  const key: Record<string, unknown> = {};
  for (const [i, { path }] of by.entries()) {
    const links = path.split('.');
    const last = links.pop()!;
    let at = key;
    for (const link of links) at = (at[link] ??= {}) as Record<string, unknown>;
    at[last] = values[i];
  }
  return { key, ...figuresOf(sums, values.slice(by.length)) };
}

/** Converts values to `count` and the sums. */
export function figuresOf(
  sums: readonly Sum[],
  [count, ...values]: readonly unknown[],
): Record<string, unknown> {
  const figures: Record<string, Record<string, unknown>> = { sum: {}, avg: {}, min: {}, max: {} };
  for (const [i, { of, path }] of sums.entries()) figures[of]![path] = values[i];
  return { count, ...figures };
}

const pathsBelow = (selection: Selection): string[] =>
  Object.entries(selection).flatMap(([name, below]) => {
    const paths = pathsBelow(below);
    return paths.length > 0 ? paths.map(path => `${name}.${path}`) : [name];
  });

const broken = (field: string, message: Text): AppError => invalidField('BAD_REQUEST', field, message);
