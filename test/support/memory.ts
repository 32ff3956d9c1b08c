import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { Client as Database } from 'pg';
import type { Client } from './client.ts';
import { cloneDatabase } from './clone.ts';
import { build, useProcesses, type Run } from './process.ts';

/** Whether this machine tells how much memory a process takes. */
export const measuresMemory = (): boolean => existsSync('/proc/self/clear_refs');

/**
 * A service as a process of its own, with an administrator. Its materials come from a statement, which is not audited
 * and keeps no index for searches.
 */
export function useSmallService(fill: string, values: unknown[]): () => { service: Run; admin: Client } {
  const processes = useProcesses(afterAll);
  let started: { service: Run; admin: Client };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    await build();
    const database = await cloneDatabase();
    drop = database.drop;
    const client = new Database({ connectionString: database.url });
    await client.connect();
    // The tests search nothing, and indexing so much text would take longer than the tests.
    await client.query('drop index material_titulo_busca, material_descricao_busca, material_titulo_sort');
    // The audit trail is not needed either, and chaining it would take time.
    await client.query('set session_replication_role = replica');
    await client.query(fill, values);
    await client.end();
    // When idle the service needs 100 MB. If it collected all records, it would run out of memory. With less memory it
    // spends ten times the processor time on garbage collection.
    const NODE_OPTIONS = '--max-old-space-size=256';
    const service = processes.service({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', NODE_OPTIONS });
    started = { service, admin: await (await service.client()).login('admin') };
  });
  afterAll(async () => {
    await started.service.stop();
    await drop();
  });
  return () => started;
}

/** Maximum number of bytes of memory that a process needs for some work, in addition to before. */
export async function growth({ pid }: Run, work: () => Promise<unknown>): Promise<number> {
  const measure = async (what: string): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)![1]) * 1024;
  };
  // Resets the kernel's record of the maximum memory.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await measure('VmRSS');
  await work();
  const grown = (await measure('VmHWM')) - before;
  if (process.env['SHOW_MEMORY']) process.stderr.write(`${Math.round(grown / 1e6)} MB\n`);
  return grown;
}

/** Reads an answer to its end, after a pause. Without backpressure, the server would collect all of it meanwhile. */
export async function readLate(client: Client, path: string): Promise<{ bytes: number; lines: number }> {
  const request = get(client.url + path, { headers: client.headers });
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
