import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { snakeCase } from '../src/rest/names.ts';
import { ask, listsOf, literal, valueAt, type TestedList } from './support/lists.ts';
import { useService } from './support/service.ts';

const service = useService();
const lists = listsOf(await createSchema()).filter(
  list => list.declaration.filters.length > 0 && list.declaration.paging !== 'never',
);
const portuguese = new Intl.Collator('pt-BR');

/** A list asked for with any filters, orderings and page. */
interface Asked {
  filters: { argument: string; path: string; match: string; sample: number; from: number; length: number }[];
  orders: { argument: string; path: string; direction: 'asc' | 'desc' }[];
  page: number;
  itemsPerPage: number;
}

function anyRequest({ declaration }: TestedList): fc.Arbitrary<Asked> {
  const filter = fc.constantFrom(...declaration.filters);
  const sample = fc.record({ sample: fc.nat(200), from: fc.nat(20), length: fc.integer({ min: 1, max: 6 }) });
  return fc.record({
    filters: fc.uniqueArray(
      fc.tuple(filter, sample).map(([f, s]) => ({ ...f, ...s })),
      { maxLength: 2, selector: f => f.argument },
    ),
    orders: fc
      .subarray(declaration.orders)
      .chain(orders =>
        fc.tuple(
          ...orders.map(order =>
            fc.constantFrom('asc' as const, 'desc' as const).map(direction => ({ ...order, direction })),
          ),
        ),
      ),
    page: fc.integer({ min: 1, max: 5 }),
    itemsPerPage: fc.integer({ min: 1, max: 40 }),
  });
}

type Value = string | number | boolean | null;

function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'string' ? portuguese.compare(a, b as string) : Number(a) - Number(b);
}

describe.each(lists.map(list => [list.field, list] as const))('any request for %s', (_field, list) => {
  const { declaration } = list;
  const paths = [...new Set([...declaration.filters, ...declaration.orders].map(part => part.path))];

  it('answers what a plain search and sort in memory would', async () => {
    const client = await service().as('admin');
    const all = (
      await ask(
        client,
        list,
        declaration.paging === 'always' ? { itemsPerPage: '1000' } : { pagination: 'false' },
        paths,
      )
    ).data;
    const texts = all.flatMap(record => paths.map(path => String(valueAt(record, path) ?? '')));
    const folded = new Map(texts.map((text, i) => [text, i] as const));
    const foldedTexts = await fold(texts);
    const matches = (value: Value, match: string, wanted: Value, foldedWanted: string): boolean =>
      match === 'text'
        ? value !== null && foldedTexts[folded.get(String(value))!]!.includes(foldedWanted)
        : value === wanted;
    await fc.assert(
      fc.asyncProperty(anyRequest(list), async ({ filters, orders, page, itemsPerPage }) => {
        const wanted = filters.map(filter => ({ ...filter, value: pick(all, filter) }));
        const foldedWanted = await fold(wanted.map(({ value }) => String(value)));
        const matching = all.filter(record =>
          wanted.every(({ path, match, value }, i) =>
            matches(valueAt(record, path) as Value, match, value, foldedWanted[i]!),
          ),
        );
        const sorted = matching.toSorted(
          (a, b) =>
            orders.reduce(
              (so, { path, direction }) =>
                so ||
                compare(valueAt(a, path) as Value, valueAt(b, path) as Value) *
                  (direction === 'asc' ? 1 : -1),
              0,
            ) || Number(a['id']) - Number(b['id']),
        );
        const answer = await ask(client, list, {
          ...Object.fromEntries(wanted.map(({ argument, value }) => [argument, literal(value)])),
          ...Object.fromEntries(orders.map(({ argument, direction }) => [argument, direction])),
          ...(declaration.paging !== 'always' && { pagination: 'true' }),
          page: String(page),
          itemsPerPage: String(itemsPerPage),
        });
        expect(answer.data.map(record => record['id'])).toEqual(
          sorted.slice((page - 1) * itemsPerPage, page * itemsPerPage).map(record => record['id']),
        );
        expect(answer.total).toBe(sorted.length);
      }),
      { numRuns: 60 },
    );
  });
});

/** A value to look for that some record has, or a part of it where the filter looks for parts. */
function pick(
  all: Record<string, unknown>[],
  { path, match, sample, from, length }: Asked['filters'][number],
): Value {
  const value = valueAt(all[sample % all.length]!, path) as Value;
  if (match !== 'text') return value ?? 'nothing';
  const letters = [...String(value ?? 'nada')];
  return letters.slice(from % letters.length, (from % letters.length) + length).join('');
}

/** Texts as the database folds them for text filters: its dictionary knows more letters than JavaScript. */
async function fold(texts: string[]): Promise<string[]> {
  const rows = await service().sql(
    'select fold(t) from unnest($1::text[]) with ordinality as u(t, i) order by i',
    [texts],
  );
  return rows.flat() as string[];
}

describe('names', () => {
  it('of records and bodies can be told apart in legacy spelling as in GraphQL', () => {
    const camel = fc.stringMatching(/^[a-z][a-z0-9]*([A-Z][a-z0-9]*){0,4}$/);
    fc.assert(
      fc.property(camel, name => {
        expect(snakeCase(name).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())).toBe(name);
      }),
    );
  });
});
