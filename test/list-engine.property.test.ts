import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import type { ListDeclaration } from '../src/listing/declaration.ts';
import { snakeCase } from '../src/text/names.ts';
import { compare, ListModel } from './support/list-model.ts';
import { systemHeaders } from './support/client.ts';
import { ask, listsOf, literal, valueAt, type TestedList } from './support/lists.ts';
import { useService } from './support/service.ts';

const service = useService();
/** Arguments that add rows. */
const ADDING = new Set(['retornarVazio', 'comReconhecidos']);

/** Arguments that the model in memory can follow. It cannot follow those that add rows or change columns. */
const modelled = ({ declaration }: TestedList): string[] =>
  declaration.filters
    .filter(({ argument, within }) => !ADDING.has(argument) && !within)
    .map(({ argument }) => argument);

const lists = listsOf(await createSchema()).filter(
  list =>
    modelled(list).length > 0 &&
    // It is longer than the longest page, and the model contains only one page.
    list.field !== 'trilhaAuditoria' &&
    // The demo has none of these. test/importing.test.ts and test/webhook-delivery.test.ts test them.
    !['importacoes', 'webhooks', 'entregasWebhook'].includes(list.field),
);

/** A request for a list with any filters, orderings and page. */
interface Asked {
  filters: { argument: string; skip: number; from: number; length: number }[];
  orders: { argument: string; path: string; direction: 'asc' | 'desc' }[];
  page: number;
  itemsPerPage: number;
}

function anyRequest(list: TestedList): fc.Arbitrary<Asked> {
  const { declaration } = list;
  const filter = fc.record({
    argument: fc.constantFrom(...modelled(list)),
    skip: fc.nat(200),
    from: fc.nat(20),
    length: fc.integer({ min: 1, max: 6 }),
  });
  const direction = fc.constantFrom('asc' as const, 'desc' as const);
  return fc.record({
    filters: fc.uniqueArray(filter, { maxLength: 2, selector: ({ argument }) => argument }),
    orders: fc
      .subarray(declaration.orders)
      .chain(orders =>
        fc.tuple(...orders.map(order => direction.map(way => ({ ...order, direction: way })))),
      ),
    page: fc.integer({ min: 1, max: 5 }),
    itemsPerPage: fc.integer({ min: 1, max: 40 }),
  });
}

function sorted(
  rows: Record<string, unknown>[],
  orders: ListDeclaration['usually'],
): Record<string, unknown>[] {
  const byOrders = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
    orders.reduce(
      (so, { path, direction }) =>
        so || compare(valueAt(a, path), valueAt(b, path)) * (direction === 'asc' ? 1 : -1),
      0,
    );
  return rows.toSorted((a, b) => byOrders(a, b) || Number(a['id']) - Number(b['id']));
}

describe.each(lists.map(list => [list.field, list] as const))('any request for %s', (_field, list) => {
  it('gives the same answer as a simple search and sort in memory', async () => {
    const client = (await service().as('admin')).with(systemHeaders);
    const model = await ListModel.load(service(), list);
    await fc.assert(
      fc.asyncProperty(anyRequest(list), async ({ filters, orders, page, itemsPerPage }) => {
        let rows = model.rows;
        const given: Record<string, string> = {};
        for (const { argument, skip, from, length } of filters) {
          const wanted = model.sample(argument, skip, from, length);
          given[argument] = literal(wanted);
          rows = await model.matching(argument, wanted, rows);
        }
        // A period that ends before it begins is refused; reports.test.ts tests that.
        fc.pre(!(given['dtPeriodoInicial']! > given['dtPeriodoFinal']!));
        const answer = await ask(client, list, {
          ...given,
          ...Object.fromEntries(orders.map(({ argument, direction }) => [argument, direction])),
          ...(list.declaration.paging !== 'always' && { pagination: 'true' }),
          page: String(page),
          itemsPerPage: String(itemsPerPage),
        });
        const expected = sorted(rows, orders.length > 0 ? orders : list.declaration.usually).slice(
          (page - 1) * itemsPerPage,
          page * itemsPerPage,
        );
        expect(answer.data.map(record => record['id'])).toEqual(expected.map(record => record['id']));
        expect(answer.total).toBe(rows.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('names', () => {
  it('of records and bodies are as distinct in legacy spelling as in GraphQL', () => {
    const camel = fc.stringMatching(/^[a-z][a-z0-9]*([A-Z][a-z0-9]*){0,4}$/);
    fc.assert(
      fc.property(camel, name => {
        expect(snakeCase(name).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())).toBe(name);
      }),
    );
  });
});
