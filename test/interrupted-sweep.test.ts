import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { storeDemoFiles } from '../src/demo/documents.ts';
import { files, useBucket } from './support/bucket.ts';
import { build, useProcesses } from './support/process.ts';

/** Requests whose connection is cut: how many more times, by method and path. */
let cuts: { method: string; path: RegExp; times: number }[] = [];

/** A proxy before a bucket. It cuts an answer in its middle, and anything else before it reaches the bucket. */
async function cutting(bucketUrl: string) {
  const pass = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const cut = cuts.find(
      ({ method, path, times }) => times > 0 && method === req.method && path.test(req.url!),
    );
    if (cut) cut.times--;
    if (cut && req.method !== 'GET') return void req.socket.destroy();
    const body = await buffer(req);
    const { method, headers } = req;
    const forward = request(new URL(req.url!, bucketUrl), { method, headers }).end(body);
    const [answer] = (await once(forward, 'response')) as [IncomingMessage];
    const bytes = await buffer(answer);
    res.writeHead(answer.statusCode!, answer.headers);
    if (!cut) return void res.end(bytes);
    res.write(bytes.subarray(0, bytes.length >> 1), () => req.socket.destroy());
  };
  const server = createServer((req, res) => void pass(req, res).catch(() => req.socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const bucket = useBucket(cutting);
const processes = useProcesses();
let invoice = 9_100;

beforeAll(async () => {
  await build();
  await storeDemoFiles(bucket.service.services);
});
beforeEach(() => {
  cuts = [];
});

async function made(): Promise<{ id: number; sha256: string }> {
  return (await bucket.send(++invoice, randomBytes(20_000))).body;
}

/** A content that no record uses any more, older than the time of grace. */
async function unused(): Promise<string> {
  const { sha256 } = await made();
  await bucket.admin.delete(`${files}/${invoice}:nota_fiscal`);
  await bucket.service.sql(`delete from envio_arquivo where sha256 = $1`, [sha256]);
  await bucket.storage.age(sha256);
  return sha256;
}

async function sweep() {
  const environment = {
    ...bucket.storage.environment,
    FILES_S3_ENDPOINT: bucket.url,
    DATABASE_URL: bucket.service.databaseUrl,
  };
  const one = processes.command('files-sweep', environment);
  const { code } = await one.exited;
  return { code, stdout: one.stdout, stderr: one.stderr };
}

const inUse = async (): Promise<number> =>
  (await bucket.service.sql('select count(distinct sha256)::int from arquivo_digital'))[0]![0] as number;

it('a content whose connection is cut once is read again', async () => {
  const { sha256 } = await made();
  cuts = [{ method: 'GET', path: RegExp(sha256), times: 1 }];
  const { code, stdout, stderr } = await sweep();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`All ${await inUse()} contents in use are present and undamaged.`);
  expect(cuts[0]!.times).toBe(0);
});

it('a content that cannot be read is named, and the sweep removes and verifies all others', async () => {
  const [unread, lost] = [await made(), await made()];
  const old = await unused();
  await bucket.storage.lose(lost.sha256);
  cuts = [{ method: 'GET', path: RegExp(unread.sha256), times: Infinity }];
  const { code, stdout, stderr } = await sweep();
  expect(code).toBe(1);
  expect(stdout).toContain(`  ${old} (20000 bytes) is unused, and was removed\n`);
  expect(stderr).toContain(`  ${unread.sha256} (20000 bytes) could not be read; files ${unread.id}\n`);
  expect(stderr).toContain(`  ${lost.sha256} (20000 bytes) is missing; files ${lost.id}\n`);
  expect(stderr).toContain(`1 of ${await inUse()} contents in use could not be read`);
  expect(stderr).toContain(`1 of ${await inUse()} contents in use are missing or damaged`);
  await bucket.service.sql('delete from arquivo_digital where id = $1', [lost.id]);
});

it('a removal that the bucket does not answer is named, and the sweep goes on', async () => {
  const [stays, goes] = [await unused(), await unused()];
  const lost = await made();
  await bucket.storage.lose(lost.sha256);
  cuts = [{ method: 'DELETE', path: RegExp(stays), times: Infinity }];
  const { code, stdout, stderr } = await sweep();
  expect(code).toBe(1);
  expect(stdout).toContain(`  ${goes} (20000 bytes) is unused, and was removed\n`);
  expect(stderr).toContain(`  ${stays} (20000 bytes) is unused, and could not be removed\n`);
  expect(stderr).toContain(`  ${lost.sha256} (20000 bytes) is missing; files ${lost.id}\n`);
  await bucket.service.sql('delete from arquivo_digital where id = $1', [lost.id]);
  cuts = [];
  const again = await sweep();
  expect(again.code).toBe(0);
  expect(again.stdout).toContain(`  ${stays} (20000 bytes) is unused, and was removed\n`);
});

it('a sweep gives up when several contents in a row cannot be read, and has said what it did and found', async () => {
  const old = await unused();
  cuts = [{ method: 'GET', path: /\/[0-9a-f]{64}/, times: Infinity }];
  const { code, stdout, stderr } = await sweep();
  expect(code).toBe(1);
  expect(stdout).toContain(`  ${old} (20000 bytes) is unused, and was removed\n`);
  expect(stderr.match(/could not be read; files/g)).toHaveLength(5);
  expect(stderr).toMatch(/The file storage is not responding/);
});
