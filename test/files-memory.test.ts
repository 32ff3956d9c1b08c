import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { temporaryFolder } from './support/folder.ts';
import { node, project, Run } from './support/process.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const LARGEST = 25 * 1024 * 1024;
const content = randomBytes(LARGEST);
let service: Run;
let admin: Client;
let drop: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  folder = await temporaryFolder();
  const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' };
  service = new Run(
    spawn(node, ['--import', 'tsx', 'src/main.ts'], { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  admin = (await (await service.client()).login('admin')).with(systemHeaders);
  await send(randomBytes(1000));
}, 60_000);

afterAll(async () => {
  await service.stop();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

/** Most memory that the service ever held, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024;
}

/** Sends a file as a client does that has its body in pieces. */
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

/** Reads a file as bytes after a pause, in which a server that does not wait would gather it all. */
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

describe.skipIf(!existsSync('/proc/self/status'))(
  'ten of the largest files at once',
  { timeout: 60_000 },
  () => {
    let id: number;

    it('come in without any of them being held in memory', async () => {
      const before = await peak();
      const made = await times(10, () => send(content));
      id = made[0]!.id;
      const used = (await peak()) - before;
      console.log('up', used / 1e6);
      // As text and bytes in memory the ten would take some 1,200 MB.
      expect(used).toBeLessThan(120_000_000);
    });

    it('go out as bytes without any of them being held in memory', async () => {
      const before = await peak();
      const read = await times(10, () => readLate(id));
      expect(new Set(read)).toEqual(new Set([createHash('sha256').update(content).digest('hex')]));
      console.log('down', ((await peak()) - before) / 1e6);
      expect((await peak()) - before).toBeLessThan(120_000_000);
    });

    it('json', async () => {
      const before = await peak();
      await admin.get(`${files}/${id}`);
      console.log('json one', before / 1e6, ((await peak()) - before) / 1e6);
      expect(service.stderr).toBe('');
    });
  },
);
