import { once } from 'node:events';
import { get, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { everything, makeCaller } from './support/administration.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

/** More than the socket buffers between client and service hold. */
const LARGEST = 12_000_000;
const service = useService({ FILES_MAX_BYTES: String(LARGEST) });
const files = '/arquivosdigitais/arquivos-digitais';

const open = new Set<ClientRequest>();
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});

/** Two people who may do everything. */
const clients = (): Promise<[Client, Client]> => Promise.all([someone(), someone()]);
const someone = async (): Promise<Client> =>
  (await makeCaller(service(), everything)).client.with(systemHeaders);

/** Begins to send a file, and does not finish. Returns the early response, if any. */
async function beginUpload({
  url,
  headers,
}: Client): Promise<{ status: number; retryAfter: number; body: string }> {
  const sending = request(url + files, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
  });
  open.add(sending);
  sending.write('{"id_tabela_origem":1,"nome_tabela_origem":"m","nome":"g","tipo_mime":"a/b","conteudo":"');
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  sending.on('error', () => undefined);
  const { statusCode, headers: told } = response;
  return { status: statusCode!, retryAfter: Number(told['retry-after']), body: await text(response) };
}

const upload = ({ post }: Client, bytes: number) =>
  post(files, {
    id_tabela_origem: 1,
    nome_tabela_origem: 'm',
    nome: 'g',
    tipo_mime: 'a/b',
    conteudo: Buffer.alloc(bytes, 'x').toString('base64'),
  });

/** Requests a file, and does not read it. */
async function beginRead({ url, headers }: Client, id: number): Promise<IncomingMessage> {
  const asking = get(`${url}${files}/${id}`, { headers });
  asking.on('error', () => undefined);
  open.add(asking);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

it('one person can send only a limited number of files at a time, and others can still send theirs', async () => {
  const [one, other] = await clients();
  const begun = Array.from({ length: 11 }, () => beginUpload(one));
  const refused = await Promise.race(begun);
  expect(refused.status).toBe(429);
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.body).toContain('envia ou baixa 10 arquivos');
  expect((await upload(other, 10)).status).toBe(201);
  for (const sending of open) sending.destroy();
  await Promise.allSettled(begun);
  await eventually(async () => expect((await upload(one, 10)).status).toBe(201));
});

it('one person can read only a limited amount of contents in JSON at a time, and others still get theirs', async () => {
  const [one, other] = await clients();
  const { id } = (await upload(one, LARGEST)).body;
  const held = [await beginRead(one, id), await beginRead(one, id)];
  expect(held.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expectProblem(await one.get(`${files}/${id}`), 429, 'RATE_LIMITED');
  expect((await other.get(`${files}/${id}`)).status).toBe(200);
  await Promise.all(held.map(response => text(response)));
  await eventually(async () => expect((await one.get(`${files}/${id}`)).status).toBe(200));
});
