import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { inBackground } from '../src/runtime/background.ts';
import { allChanges, changeFaces, connection, pageOf, type FeedChange } from './support/changes.ts';
import type { Client } from './support/client.ts';
import { atOnce, usePair } from './support/pair.ts';
import { eventually } from './support/process.ts';
import { useReceiver, verified } from './support/receiver.ts';
import { nextPage, transports } from './support/subscriptions.ts';

/** `CHANGES_SECONDS=60 CHANGES_WRITERS=50` makes a long run of it. */
const seconds = Number(process.env['CHANGES_SECONDS'] ?? 3);
const writers = Number(process.env['CHANGES_WRITERS'] ?? 8);
vi.setConfig({ testTimeout: 300_000 + seconds * 4_000 });

const pair = usePair({ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_KEY: 'k'.repeat(32) });
const receiver = useReceiver();
const REST = changeFaces['REST']!;
const subscribers = Object.values(transports);
const tabelas = ['tipo_empresa'];
const companies = '/almoxarifadoquimicos/tipos-empresas';

/** How often the reader dies at least while others write. */
const DEATHS = 4;

/** A record for each writer. */
const records = (): Promise<number[]> =>
  atOnce(writers, async turn => {
    const body = { descricao: `Writer ${turn}`, obriga_cnpj: 'N' };
    return (await pair().client(turn).post(companies, body)).body.id as number;
  });

it('a reader that resumes from any cursor, on any process and over any transport, misses nothing and gets nothing twice', async () => {
  const { service, client } = pair();
  const ids = await records();
  const { ultimo: start } = await pageOf(REST, client(0), { first: 1 });
  let isWriting = true;
  let deaths = 0;
  const writing = atOnce(writers, async turn => {
    const end = performance.now() + seconds * 1_000;
    for (let i = 0; i < 2 || performance.now() < end || deaths < DEATHS; i++)
      await client(turn + i).put(`${companies}/${ids[turn]}`, {
        descricao: `Writer ${turn}: ${i}`,
        obriga_cnpj: 'N',
      });
  }).then(() => (isWriting = false));

  // The reader keeps what it has read, and after each death goes on from some cursor that it had.
  const read: FeedChange[] = [];
  for (; isWriting; deaths++) {
    const back = Math.min(read.length, Math.floor(Math.random() * 20));
    const after = read.at(-1 - back)?.cursor ?? start;
    const known = read.findIndex(({ cursor }) => cursor === after) + 1;
    const got: FeedChange[] = [];
    if (deaths % 3 === 0)
      got.push(...(await pageOf(REST, client(deaths), { after, tabelas, first: 30 })).data);
    else {
      const subscription = subscribers[deaths % 2]!(client(deaths), { after, tabelas });
      for (let pages = 0; pages < 3 && isWriting; pages++) {
        const page = await Promise.race([nextPage(subscription), writing.then(() => undefined)]);
        got.push(...(page?.data ?? []));
      }
      await subscription.return!();
    }
    const again = read.slice(known, known + got.length);
    expect(got.slice(0, again.length)).toEqual(again);
    read.splice(known, got.length, ...got);
  }
  await writing;
  read.push(...(await allChanges(REST, client(0), { after: read.at(-1)?.cursor ?? start, tabelas })));

  const committed = await service.sql(
    `select a.id::text from auditoria a join mudanca_transacao m on m.transacao = a.transacao
     where a.tabela = 'tipo_empresa' and a.operacao = 'update' and a.id_registro = any($1)`,
    [ids],
  );
  expect(read.length).toBeGreaterThan(writers);
  const readIds = read.map(({ id }) => id);
  expect(new Set(readIds).size).toBe(readIds.length);
  expect(readIds.toSorted()).toEqual(committed.map(([id]) => id as string).toSorted());
  for (const id of ids) {
    const versions = read
      .filter(({ registro }) => registro.id === id)
      .map(({ registro }) => registro.versao!);
    expect(versions).toEqual(versions.map((_, i) => i + 2));
  }
});

/** What a failing receiver does with a try of a delivery: the same in each run. */
const FATES = ['refuses', 'cuts', 'hangs', 'loses its answer', 'is slow'] as const;
const fateOf = (attempt: string) => FATES[createHash('sha256').update(attempt).digest()[0]! % 16];
const SLOW_MS = 700;

/** Lets what failed be tried at once, and ends leases before a slow receiver has answered. */
const HURRY = `update entrega_webhook set proxima_em = now(), reservada_ate = null, tentativas = least(tentativas, 3)
where id_webhook = $1 and situacao = 'pendente'
  and (proxima_em > now() or (reservada_ate > now() and tentada_em < now() - interval '0.5 s'))`;

/** Changes that may wait for the receiver before the writers wait, too. */
const MOST_WAITING = 50;

it('a webhook gets every committed change, in order for each record, although its receiver fails and processes are killed', async () => {
  const { service, client, replace } = pair();
  const path = '/random';
  const ids = await records();
  const { ultimo: start } = await pageOf(REST, client(0), { first: 1 });
  const { body: made } = await client(0).post('/institucional/webhooks', {
    url: receiver.at(path),
    eventos: ['tipo_empresa.alterado'],
  });

  const accepted = new Map<string, FeedChange>();
  const tries = new Map<string, number>();
  let repeats = 0;
  let isWell = false;
  receiver.answers(path, (res, message) => {
    const { data } = verified(made.segredo, message) as { data: FeedChange };
    const attempt = `${ids.indexOf(data.registro.id)} ${data.registro.versao}`;
    tries.set(attempt, (tries.get(attempt) ?? 0) + 1);
    const fate = isWell ? undefined : fateOf(`${attempt} ${tries.get(attempt)}`);
    const accept = (): void => {
      if (accepted.has(data.id)) repeats++;
      else accepted.set(data.id, data);
      if (fate === 'loses its answer') res.socket!.destroy();
      else res.writeHead(200).end('ok');
    };
    if (fate === 'refuses') res.writeHead(500).end();
    else if (fate === 'cuts') res.socket!.destroy();
    else if (fate === 'hangs') setTimeout(() => res.socket?.destroy(), SLOW_MS);
    else if (fate === 'is slow') setTimeout(accept, SLOW_MS);
    else accept();
  });
  const hurry = setInterval(() => inBackground(service.sql(HURRY, [made.id]), () => undefined), 50);

  const admin = await service.as('admin');
  let isWriting = true;
  let written = 0;
  const writing = atOnce(writers, async turn => {
    for (let i = 0; isWriting; i++) {
      const change = (by: Client) =>
        by.put(`${companies}/${ids[turn]}`, { descricao: `Writer ${turn}: ${i}`, obriga_cnpj: 'N' });
      // The process may be killed meanwhile.
      await change(client(turn + i)).catch(() => change(admin));
      written++;
      await eventually(() => expect(isWriting && written - accepted.size > MOST_WAITING).toBe(false));
    }
  });
  const beside = await connection(service.databaseUrl);
  const end = performance.now() + seconds * 1_000;
  do {
    await beside.query('begin');
    await beside.query(`update tipo_empresa set descricao = 'not kept' where id = any($1)`, [ids]);
    await beside.query('rollback');
    const replaced: Promise<void>[] = [];
    for (const turn of [0, 1]) {
      const before = receiver.got(path).length;
      await eventually(() => expect(receiver.got(path).length).toBeGreaterThan(before + 15));
      replaced.push(replace(turn));
    }
    await Promise.all(replaced);
  } while (performance.now() < end);
  isWriting = false;
  await writing;
  isWell = true;

  const committed = await allChanges(REST, admin, { after: start, tabelas });
  await eventually(() => expect(accepted.size).toBeGreaterThanOrEqual(committed.length)).finally(() =>
    clearInterval(hurry),
  );
  const ofRecord = (changes: Iterable<FeedChange>, of: number) =>
    [...changes]
      .filter(({ registro }) => registro.id === of)
      .map(({ id, registro, alteracoes }) => ({ id, registro, alteracoes }));
  for (const id of ids) expect(ofRecord(accepted.values(), id)).toEqual(ofRecord(committed, id));
  expect(repeats).toBeGreaterThan(0);
  expect(Math.max(...tries.values())).toBeGreaterThan(2);
});
