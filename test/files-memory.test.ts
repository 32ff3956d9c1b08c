import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { temporaryFolder } from './support/folder.ts';
import { growth, measuresMemory } from './support/memory.ts';
import { build, useProcesses, type Run } from './support/process.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const LARGEST = 25 * 1024 * 1024;
const content = randomBytes(LARGEST);
const processes = useProcesses(afterAll);
let service: Run;
let admin: Client;
let drop: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  await build();
  const database = await cloneDatabase();
  drop = database.drop;
  folder = await temporaryFolder();
  service = processes.service({ DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'warn' });
  admin = (await (await service.client()).login('admin')).with(systemHeaders);
  await send(randomBytes(1000));
});

afterAll(async () => {
  await service.stop();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a file in pieces. */
async function send(bytes: Buffer): Promise<{ id: number; sha256: string }> {
  const headers = { ...admin.headers, 'content-type': 'application/json' };
  const sending = request(admin.url + files, { method: 'POST', headers });
  const text = bytes.toString('base64');
  sending.write('{"id_tabela_origem":1,"nome_tabela_origem":"m","nome":"g","tipo_mime":"a/b","conteudo":"');
  for (let at = 0; at < text.length; at += 1_000_000) {
    if (!sending.write(text.slice(at, at + 1_000_000))) await once(sending, 'drain');
  }
  sending.end('"}');
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.statusCode).toBe(201);
  return JSON.parse(Buffer.concat(chunks).toString()) as { id: number; sha256: string };
}

/** Reads a file as bytes after a pause. Without backpressure, the server would collect all of it meanwhile. */
async function readLate(id: number): Promise<string> {
  const accept = 'application/octet-stream';
  const asking = get(`${admin.url}${files}/${id}`, { headers: { ...admin.headers, accept } });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  await sleep(500);
  const hash = createHash('sha256');
  for await (const chunk of response) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

describe.skipIf(!measuresMemory())('ten of the largest files at once', () => {
  let id: number;

  it('are uploaded without holding any of them in memory', async () => {
    const used = await growth(service, async () => {
      id = (await times(10, () => send(content)))[0]!.id;
    });
    // As text and bytes in memory the file would take some 1,200 MB.
    expect(used).toBeLessThan(150_000_000);
  });

  it('are downloaded as bytes without holding any of them in memory', async () => {
    const used = await growth(service, async () => {
      const read = await times(10, () => readLate(id));
      expect(new Set(read)).toEqual(new Set([createHash('sha256').update(content).digest('hex')]));
    });
    expect(used).toBeLessThan(150_000_000);
    expect(service.complaints).toBe('');
  });
  it('are answered as JSON only a few at a time, and the others are told to come back', async () => {
    const statuses: number[] = [];
    const used = await growth(service, async () => {
      const answers = await times(10, () => admin.get(`${files}/${id}`));
      statuses.push(...answers.map(answer => answer.status));
    });
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(used).toBeLessThan(900_000_000);
    expect((await admin.get(`${files}/${id}`)).status).toBe(200);
  });
});
