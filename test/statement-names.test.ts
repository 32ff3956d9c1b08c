import { expect, it } from 'vitest';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();

/** Most composed statements that a connection keeps. */
const MOST = 500;

/** The prepared statements of the connection that sequential requests use: the pool returns the last one first. */
const prepared = async (): Promise<string[]> =>
  (await service().sql('select statement as c0 from pg_prepared_statements')).flat() as string[];

const columns = ['titulo', 'descricao', 'catmat', 'numeroCas', 'fispq'];
const comparisons = ['eq', 'ne', 'contains', 'startsWith'];

/** The filter with this number. All of them have different shapes. */
const filter = (number: number): string =>
  columns.map((name, i) => `${name}: { ${comparisons[Math.floor(number / 4 ** i) % 4]!}: "x" }`).join(', ');

it('connections keep the statements of the service, and the latest of those that clients composed', async () => {
  const admin = await service().as('admin');
  const almoxarife = await service().as('almoxarife');
  const ask = async (n: number): Promise<void> => {
    const query = `{ materiais(filter: { ${filter(n)} }, itemsPerPage: 1) { data { id } } }`;
    expect((await admin.graphql(query)).errors).toBeUndefined();
  };
  const isList = (text: string): boolean => text.includes('from "material" t');
  await ask(0);
  const first = (await prepared()).find(isList)!;
  for (let n = 1; n <= MOST; n++) await ask(n);
  const later = await prepared();
  expect(later).not.toContain(first);
  expect(later.filter(isList)).toHaveLength(MOST);

  // Statements are still prepared after that: a movement, a list, and a shape that was evicted.
  await makeBatch(service());
  await almoxarife.get(paths.stock);
  await ask(0);
  const last = await prepared();
  for (const table of ['sessao', 'insert into movimentacao', 'from "estoque" t'])
    expect(
      last.some(text => text.includes(table)),
      table,
    ).toBe(true);
  expect(last).toContain(first);
  expect(
    await service().sql(`select count(*)::int as c0 from pg_prepared_statements where name like 'list%'`),
  ).toEqual([[MOST]]);
});
