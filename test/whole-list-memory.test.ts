import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses, type Run } from './support/process.ts';

const ROWS = 25_000;
const processes = useProcesses(afterAll);
let service: Run;
let admin: Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  await build();
  const database = await cloneDatabase();
  drop = database.drop;
  await fill(database.url);
  // When idle the service needs 100 MB. If it collected the records, it would run out of memory. With less memory it
  // spends ten times the processor time on garbage collection.
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
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select 'Reagente ' || n, repeat(md5(n::text), 100), 'S', 1 from generate_series(1, $1::int) n`,
    [ROWS],
  );
  await database.end();
}

/** Maximum memory that the service has ever used, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024;
}

/** Reads the list to its end, after a pause. Without backpressure, the server would collect all of it meanwhile. */
async function readLate(): Promise<number> {
  const request = get(`${admin.url}/almoxarifadoquimicos/materiais`, { headers: admin.headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await sleep(4_000);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
  expect(response.complete).toBe(true);
  return bytes;
}

describe.skipIf(!existsSync('/proc/self/status'))('a whole list to slow clients', () => {
  it('is sent in limited memory', async () => {
    const before = await peak();
    const sizes = await Promise.all([readLate(), readLate(), readLate()]);
    for (const bytes of sizes) expect(bytes).toBeGreaterThan(80_000_000);
    const grown = (await peak()) - before;
    if (process.env['SHOW_MEMORY']) process.stderr.write(`${Math.round(grown / 1e6)} MB\n`);
    expect(grown).toBeLessThan(180_000_000);
  });
});
