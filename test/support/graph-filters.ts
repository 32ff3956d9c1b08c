import fc from 'fast-check';
import {
  getNamedType,
  isEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLLeafType,
} from 'graphql';
import type { EntityClass } from '../../src/graph/member.ts';
import type { ShapeColumn } from '../../src/graph/shape.ts';
import type { Filter, GraphModel, OrderBy } from './graph-model.ts';

/** The type of a list's argument. */
export const inputOf = (field: GraphQLField<unknown, unknown>, arg: string): GraphQLInputObjectType =>
  getNamedType(field.args.find(({ name }) => name === arg)!.type) as GraphQLInputObjectType;

const ranges = ['lt', 'lte', 'gt', 'gte'];

/** The comparisons that a column must have. */
export function comparisonsOf(type: GraphQLLeafType): string[] {
  if (type.name === 'Boolean') return ['eq', 'isNull'];
  const equality = ['eq', 'ne', 'in', 'notIn'];
  if (isEnumType(type) || type.name === 'ID') return [...equality, 'isNull'];
  return [...equality, ...(type.name === 'String' ? ['contains', 'startsWith'] : ranges), 'isNull'];
}

/** Values of a column as clients send them: some that occur in records, and some that do not. */
function valueOf(model: GraphModel, record: EntityClass, column: ShapeColumn): fc.Arbitrary<unknown> {
  const { type, isFlag } = column;
  if (type.name === 'Boolean' || isFlag) return fc.boolean();
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  const stored = [...new Set(model.rows(record).map(row => model.valueOf(record, row, column)))];
  const found = stored.filter(value => value !== null);
  if (column.identifier && found.length === 0)
    return fc.constant(column.identifier === 'uuid' ? '6a6e1a0c-3b0f-4b68-9c7a-0d5d0c1f2e3a' : 1);
  const usual = { Int: 1, Float: 1.5, Date: '2026-03-31', DateTime: Date.parse('2026-04-01T02:30:00Z') };
  const some =
    found.length > 0 ? fc.constantFrom(...found) : fc.constant(usual[type.name as 'Int'] ?? 'nada');
  if (type.name === 'Int') return some;
  if (type.name === 'Float') return fc.tuple(some, fc.constantFrom(0, 0.5)).map(([a, b]) => Number(a) + b);
  if (type.name === 'DateTime') return some.chain(value => moment(Number(value)));
  return some;
}

/** A timestamp, or one a millisecond later, in one of two time zones. */
const moment = (at: number): fc.Arbitrary<string> =>
  fc.constantFrom(
    new Date(at).toISOString(),
    new Date(at + 1).toISOString(),
    new Date(at - 3 * 3_600_000).toISOString().replace('Z', '-03:00'),
  );

/** Part of a text with variations: in capitals, without accents, or with a wildcard. */
const part = (text: string, from: boolean): fc.Arbitrary<string> =>
  fc
    .record({
      skip: from ? fc.constant(0) : fc.nat(Math.max(0, text.length - 1)),
      length: fc.integer({ min: 0, max: 6 }),
      written: fc.constantFrom(
        (one: string) => one,
        (one: string) => one.toUpperCase(),
        (one: string) => one.normalize('NFD').replace(/\p{M}/gu, ''),
        (one: string) => one.replace(/.$/, '%'),
        (one: string) => one.replace(/.$/, '_'),
        (one: string) => `${one}\\`,
      ),
    })
    .map(({ skip, length, written }) => written(text.slice(skip, skip + length)).toWellFormed());

/** One comparison of a column. */
export function comparison(
  model: GraphModel,
  record: EntityClass,
  column: ShapeColumn,
  is: string,
): fc.Arbitrary<Filter> {
  const value = valueOf(model, record, column);
  if (is === 'isNull') return fc.boolean().map(given => ({ isNull: given }));
  if (is === 'in' || is === 'notIn') return fc.array(value, { maxLength: 4 }).map(given => ({ [is]: given }));
  if (is === 'contains' || is === 'startsWith')
    return value.chain(text => part(String(text), is === 'startsWith')).map(given => ({ [is]: given }));
  return value.map(given => ({ [is]: given }));
}

/** Any filter on records of a class, with this depth. */
export function anyFilter(
  model: GraphModel,
  record: EntityClass,
  depth: number,
  far = 0,
): fc.Arbitrary<Filter> {
  const { columns, links, own, pages } = model.shape(record);
  const column = fc.constantFrom(...columns).chain(one =>
    fc
      .constantFrom(...comparisonsOf(one.type))
      .chain(is => comparison(model, record, one, is))
      .map((given): Filter => ({ [one.name]: given })),
  );
  if (depth === 0) return column;
  const inside = fc.constant(0).chain(() => anyFilter(model, record, depth - 1, far));
  const combined = fc
    .constantFrom('and', 'or')
    .chain(by => fc.array(inside, { maxLength: 3 }).map(all => ({ [by]: all })));
  // A record whose list shows only some records may not be filtered by, beyond the links that its parent's list shows.
  const followed = model.shapes
    .known(links)
    .filter(({ to }) => far < 2 || Object.keys(model.shapes.lists.get(to)?.always ?? {}).length === 0)
    .map(link =>
      fc
        .constant(0)
        .chain(() => anyFilter(model, link.to, depth - 1, far + 1))
        .map((below): Filter => ({ [link.name]: below })),
    );
  const quantified = model.shapes
    .known([...own, ...pages])
    .map(many =>
      fc
        .constantFrom('some', 'none', 'every')
        .chain(by =>
          anyFilter(model, many.to, depth - 1).map((below): Filter => ({ [many.name]: { [by]: below } })),
        ),
    );
  return fc.oneof(
    { weight: 3, arbitrary: column },
    { weight: 1, arbitrary: fc.tuple(column, inside).map(([a, b]) => ({ ...a, ...b })) },
    { weight: 1, arbitrary: combined },
    { weight: 1, arbitrary: inside.map((not): Filter => ({ not })) },
    { weight: 1, arbitrary: inside.map((given): Filter => ({ ...given, not: null })) },
    ...(followed.length > 0 ? [{ weight: 3, arbitrary: fc.oneof(...followed) }] : []),
    ...(quantified.length > 0 ? [{ weight: 2, arbitrary: fc.oneof(...quantified) }] : []),
  );
}

/** Any column of a class of records, or of a linked class, to order by. */
export function anyOrder(model: GraphModel, record: EntityClass, depth = 2): fc.Arbitrary<OrderBy> {
  const { columns, links } = model.shape(record);
  const own = fc
    .record({
      name: fc.constantFrom(...columns.map(({ name }) => name)),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    })
    .map(({ name, direction }) => ({ path: [name], direction }));
  const followed = depth > 0 ? model.shapes.known(links) : [];
  if (followed.length === 0) return own;
  const linked = fc
    .constantFrom(...followed)
    .chain(({ name, to }) =>
      anyOrder(model, to, depth - 1).map(({ path, direction }) => ({ path: [name, ...path], direction })),
    );
  return fc.oneof(own, linked);
}

/** An ordering as clients send it: `{ lote: { dataVenc: asc } }`. */
export const writtenOrder = ({ path, direction }: OrderBy): object =>
  path.reduceRight<unknown>((below, name) => ({ [name]: below }), direction) as object;
