import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { storageTexts } from '../src/storage/messages.ts';
import { files, useBucket } from './support/bucket.ts';
import { expectProblem } from './support/problem.ts';

const content = randomBytes(100_000);
const digest = createHash('sha256').update(content).digest('base64');

/** Number of further uploads to damage on their way. */
let toDamage = 0;
/** The digest sent with each upload. */
let digests: unknown[] = [];

const damaged = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> => {
  if (toDamage-- <= 0 || bytes.length === 0) return bytes;
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
};

/** A proxy to the bucket that checks digests as real storages do, because the tests' storage does not. */
async function pass(req: IncomingMessage, res: ServerResponse, bucketUrl: string): Promise<void> {
  const { method, url: path, headers } = req;
  let body = await buffer(req);
  if (method === 'PUT') {
    const given = headers['x-amz-checksum-sha256'];
    digests.push(given);
    body = damaged(body);
    if (given !== undefined && given !== createHash('sha256').update(body).digest('base64')) {
      res.writeHead(400, { 'content-type': 'application/xml' });
      return void res.end('<Error><Code>BadDigest</Code><Message>The digest is another.</Message></Error>');
    }
  }
  const onward = request(new URL(path!, bucketUrl), { method: method!, headers });
  onward.end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  res.writeHead(answer.statusCode!, answer.headers);
  answer.pipe(res);
}

const bucket = useBucket(async bucketUrl => {
  const wire = createServer((req, res) => void pass(req, res, bucketUrl)).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  return { url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, stop: () => wire.close() };
});
beforeEach(() => {
  digests = [];
  toDamage = 0;
});

const send = (invoice: number) => bucket.send(invoice, content);

it('an upload goes to the bucket with its digest', async () => {
  const { status, body } = await send(9101);
  expect(status).toBe(201);
  expect(digests).toEqual([digest]);
  expect((await bucket.admin.get(`${files}/${body.id}`)).body.conteudo).toBe(content.toString('base64'));
});

it('an upload in which a bit flipped on the way is sent again', async () => {
  toDamage = 1;
  const { status, body } = await send(9102);
  expect(status).toBe(201);
  expect(digests).toEqual([digest, digest]);
  expect((await bucket.admin.get(`${files}/${body.id}`)).body.conteudo).toBe(content.toString('base64'));
});

it('an upload that always arrives damaged is refused and leaves no row', async () => {
  toDamage = Infinity;
  const answer = await send(9103);
  expectProblem(answer, 503, 'UNAVAILABLE');
  expect(answer.body.detail).toBe(storageTexts.storageAway.pt);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(
    await bucket.service.sql('select 1 from arquivo_digital where id_tabela_origem = $1', [9103]),
  ).toEqual([]);
});
