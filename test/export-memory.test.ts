import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client as Database } from 'pg';
import type { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses, type Run } from './support/process.ts';

const ROWS = 51_000;
/** As a workbook in memory these rows would take some 200 MB, although they are short, because of the cells. */
const SHEET_ROWS = 20_000;
const materials = '/almoxarifadoquimicos/materiais';
const processes = useProcesses(afterAll);
let service: Run;
let admin: Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  await build();
  const database = await cloneDatabase();
  drop = database.drop;
  await fill(database.url);
  // When idle the service needs 100 MB. If it collected the 200 MB of rows, it would run out of memory. With less
  // memory it spends ten times the processor time on garbage collection.
  const NODE_OPTIONS = '--max-old-space-size=256';
  service = processes.service({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', NODE_OPTIONS });
  admin = await (await service.client()).login('admin');
});

afterAll(async () => {
  await service.stop();
  await drop();
});

async function fill(url: string): Promise<void> {
  const database = new Database({ connectionString: url });
  await database.connect();
  // The test searches nothing, and indexing so much text would take longer than the test.
  await database.query('drop index material_titulo_busca, material_descricao_busca, material_titulo_sort');
  // The audit trail is not needed either, and chaining it would take time.
  await database.query('set session_replication_role = replica');
  await database.query(
    `insert into material (titulo, catmat, descricao, estado_fisico, id_unidade_medida, criado_em, alterado_em)
     select 'Reagente ' || n, case when n > $1::int then 'planilha' end, case when n > $1::int then 'x' else repeat(md5(n::text), 125) end, 'S', 1, now(), now()
     from generate_series(1, $1::int + $2::int) n`,
    [ROWS, SHEET_ROWS],
  );
  await database.end();
}

/** Maximum memory that the service has ever used, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024;
}

/** Reads an export to its end, after a pause. Without backpressure, the server would collect all of it meanwhile. */
async function readLate(query: string): Promise<{ bytes: number; lines: number }> {
  const request = get(`${admin.url}${materials}?export=true&${query}`, { headers: admin.headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await sleep(4_000);
  let [bytes, lines] = [0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  }
  expect(response.complete).toBe(true);
  return { bytes, lines };
}

describe.skipIf(!existsSync('/proc/self/status'))('a long export to a slow client', () => {
  it('is sent as csv in limited memory', async () => {
    const before = await peak();
    const { bytes, lines } = await readLate('formatoPlanilha=csv');
    expect(lines).toBeGreaterThan(ROWS);
    expect(bytes).toBeGreaterThan(200_000_000);
    expect((await peak()) - before).toBeLessThan(180_000_000);
  });

  it('is sent as xlsx in limited memory', async () => {
    const before = await peak();
    const { bytes } = await readLate('formatoPlanilha=xlsx&catmat=planilha');
    expect(bytes).toBeGreaterThan(500_000);
    expect((await peak()) - before).toBeLessThan(150_000_000);
  });
});
