import { Socket } from 'node:net';
import { Pool, type PoolConfig } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { cursorBatches } from '../src/database/reader.ts';
import { RowsClient } from '../src/database/rows-client.ts';
import { Servers } from '../src/database/servers.ts';
import type { PrimaryConfig } from '../src/database/primary.ts';
import { useService } from './support/service.ts';

const service = useService();

/** A socket whose data arrive in small pieces, of another size each time. */
class InPieces extends Socket {
  #size = 0;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'data') return super.emit(event, ...args);
    const chunk = args[0] as Buffer;
    for (let at = 0; at < chunk.length; at += this.#size) {
      this.#size = (this.#size % 13) + 1;
      super.emit('data', chunk.subarray(at, at + this.#size));
    }
    return true;
  }
}

function open(more: PoolConfig = {}): Pool {
  const { databaseUrl } = service();
  const config: PoolConfig & PrimaryConfig = {
    servers: () => new Servers(databaseUrl),
    Client: RowsClient,
    max: 1,
    ...more,
  };
  const pool = new Pool(config);
  // The database may be dropped while a connection that was given up still ends.
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  return pool;
}

const ROWS = `select n, case when n % 3 > 0 then repeat('ação 🧪 ', n % 40) end, n % 2 = 0, n::bigint * 5000000000, n / 7.0,
  date '2026-11-25' + n, timestamptz '2026-11-25 10:00:00.5-03' + n * interval '1 hour', jsonb_build_object('n', n),
  array[n, null], case when n = 50 then repeat('á', 300000) end, ''
  from generate_series(1, 100) n`;

async function read(pool: Pool, size: number): Promise<unknown[][]> {
  const { signal } = new AbortController();
  const { reader } = service().services.listing;
  const rows: unknown[][] = [];
  for await (const batch of cursorBatches({ pool, signal, reader }, ROWS, [], { size, timeoutMs: 60_000 })) {
    expect(batch.length).toBeLessThanOrEqual(size);
    rows.push(...batch.values(0, batch.length));
  }
  return rows;
}

it.each([7, 50, 100, 1_000])(
  'rows of a cursor have the values that the driver reads, %d at a time',
  async size => {
    const pool = open();
    const { rows } = await pool.query<unknown[]>({ text: ROWS, rowMode: 'array' });
    expect(await read(pool, size)).toEqual(rows);
  },
);

it('rows that arrive in small pieces are complete, and so is what the connection reads afterwards', async () => {
  const pool = open({ stream: () => new InPieces() });
  expect(await read(pool, 30)).toEqual(await read(open(), 30));
  const { rows } = await pool.query('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);
});

it('a connection whose rows were not read to the end gives the next rows to their reader', async () => {
  const pool = open();
  const { signal } = new AbortController();
  const { reader } = service().services.listing;
  for await (const batch of cursorBatches({ pool, signal, reader }, ROWS, [], {
    size: 5,
    timeoutMs: 60_000,
  })) {
    expect(batch.length).toBe(5);
    break;
  }
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(await read(pool, 1_000)).toHaveLength(100);
});

it('rows with some of their fields have them in the order asked for, also one of them twice', async () => {
  const { signal } = new AbortController();
  const { reader } = service().services.listing;
  const place = { pool: open(), signal, reader };
  for await (const batch of cursorBatches(place, ROWS, [], { size: 1_000, timeoutMs: 60_000 })) {
    const all = batch.values(0, 100);
    expect(batch.with([4, 0, 1, 4]).values(0, 100)).toEqual(all.map(row => [row[4], row[0], row[1], row[4]]));
  }
  expect.assertions(1);
});
