import { expect, it } from 'vitest';
import type { Statement } from '../src/database/reader.ts';
import { useService } from './support/service.ts';

const service = useService();

const together = (statements: readonly Statement[]): Promise<unknown[][][]> =>
  service().services.listing.reader.together!(statements);

const numbers = (text: string, ...values: unknown[]): Statement => ({ text, values });
const twice = numbers('select n, n * 2 from generate_series(1, $1::int) n', 3);
const quotient = (by: number): Statement => numbers('select 10 / $1::int', by);

it('statements of one trip answer in their order, at the first time and when they are prepared', async () => {
  for (let time = 0; time < 25; time++)
    expect(await together([twice, quotient(5), numbers('select 1 where false'), quotient(2)])).toEqual([
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
      [[2]],
      [],
      [[5]],
    ]);
});

it('statements of one trip have one transaction', async () => {
  const own = numbers('select pg_current_xact_id()::text');
  const [[[first]], , [[last]]] = (await together([own, twice, own])) as [[[string]], unknown, [[string]]];
  expect(first).toMatch(/^\d+$/);
  expect(last).toBe(first);
});

it('if a statement of a trip fails, the trip fails, and all of them still work afterwards', async () => {
  const unused = numbers('select $1::int + 1', 1);
  for (let time = 0; time < 3; time++)
    await expect(together([twice, quotient(0), unused])).rejects.toMatchObject({ code: '22012' });
  for (let time = 0; time < 25; time++)
    expect((await together([unused, quotient(1), twice])).map(rows => rows.length)).toEqual([1, 1, 3]);
});
