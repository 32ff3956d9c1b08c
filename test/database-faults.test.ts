import { describe, expect, it, vi } from 'vitest';
import { databaseTexts } from '../src/database/messages.ts';
import { requestTexts } from '../src/request/messages.ts';
import { expectAway, materials, useServicesBehindProxies, WAITING_EACH } from './support/behind-proxy.ts';
import { allChanges, changeFaces, pageOf, type FeedChange, type FeedPage } from './support/changes.ts';
import { Client, type Answer } from './support/client.ts';
import type { FaultProxy } from './support/fault-proxy.ts';
import { expectBalanced } from './support/ledger.ts';
import { eventually } from './support/process.ts';
import { batchBody, makeBatch, paths } from './support/stock.ts';
import { endOf, nextChanges, nextPage, transports } from './support/subscriptions.ts';

vi.setConfig({ maxConcurrency: 5 });

const { beside, test: behindProxy } = useServicesBehindProxies(5);
const FEW = 2;
const { test: withFewConnections } = useServicesBehindProxies(1, FEW);

/** Faults that make every request fail as long as they last. */
const outages: [name: string, begin: (proxy: FaultProxy) => unknown, end: (proxy: FaultProxy) => unknown][] =
  [
    ['falls silent', proxy => proxy.begin({ kind: 'stall' }), proxy => proxy.end()],
    ['refuses connections', proxy => proxy.refuse(), proxy => proxy.listen()],
    ['is too slow', proxy => proxy.begin({ kind: 'slow', bytesPerSecond: 100 }), proxy => proxy.end()],
  ];

describe.concurrent.each(outages)('while the database %s', (_name, begin, end) => {
  it(
    'every request gets 503 in bounded time, and everything works afterwards',
    behindProxy(async all => {
      const { proxy, service } = all;
      await Promise.all(all.each());
      await begin(proxy);
      try {
        for (const answer of await Promise.all([...all.each(), ...all.each()])) expectAway(answer);
        expect((await service.anyone.get('/healthz')).status).toBe(200);
        const { status, body } = await service.anyone.get('/readyz');
        expect({ status, database: body.database }).toEqual({ status: 503, database: 'away' });
      } finally {
        await end(proxy);
      }
    }),
  );
});

describe.concurrent('while the database stops answering', () => {
  it(
    'readiness checks do not use up the connections',
    behindProxy(async ({ proxy, service, pool }) => {
      proxy.begin({ kind: 'stall' });
      const answers = await Promise.all(Array.from({ length: 30 }, () => service.anyone.get('/readyz')));
      expect(new Set(answers.map(({ body }) => body.database))).toEqual(new Set(['away']));
      const { totalCount, idleCount, waitingCount } = await pool;
      expect(totalCount - idleCount + waitingCount).toBeLessThanOrEqual(1);
    }),
  );
});

it(
  'while the database stops answering, requests beyond those that may wait for a connection are refused at once',
  withFewConnections(async ({ proxy, service, admin }) => {
    proxy.begin({ kind: 'stall' });
    // A busy machine may send so slowly that the first requests time out before the last ones wait. So no other test runs
    // meanwhile, and the client has its connections already.
    await eventually(async () => {
      const all = { length: FEW * WAITING_EACH + 50 };
      await Promise.all(Array.from(all, () => service.anyone.get('/healthz')));
      // Each of these pages takes a connection of its own.
      const page = `${materials}?pagination=true&itemsPerPage=150`;
      const sent = Array.from(all, () => admin.get(page));
      const answers = await Promise.all(sent);
      for (const answer of answers) expectAway(answer);
      const refused = answers.filter(({ body }) => body.detail === databaseTexts.overloaded.pt);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.length).toBeLessThanOrEqual(50);
    });
  }),
);

describe.concurrent('connections', () => {
  it(
    'that the server terminates, or that break, cost at most the requests that were on them',
    behindProxy(async all => {
      const { proxy, admin } = all;
      const { read, write, query, mutation } = all.kinds;
      const met = new Set<number>();
      let over = false;
      const work = async (send: () => Promise<Answer>): Promise<void> => {
        while (!over) {
          const answer = await send();
          if (answer.status >= 500) expectAway(answer);
          met.add(answer.status);
        }
      };
      const workers = [read, write, query, mutation].map(send => work(send!));
      try {
        let times = 0;
        await eventually(async () => {
          await all.terminateConnections();
          await admin.get(`${materials}/1`);
          proxy.cut();
          await admin.get(`${materials}/1`);
          expect(++times).toBeGreaterThanOrEqual(10);
          expect(met).toContain(503);
        });
        // On a busy machine nothing may have been short enough so far.
        await eventually(() => expect([...met]).toEqual(expect.arrayContaining([200, 201])));
      } finally {
        over = true;
        await Promise.all(workers);
      }
      expect(met).toEqual(new Set([200, 201, 503]));
    }),
  );

  it(
    'that break before a commit was sent are answered as an outage, and nothing was written',
    behindProxy(async ({ proxy, admin }) => {
      proxy.begin({ kind: 'lose answer', to: 'insert into "icone_risco"', by: 'cut' });
      const answer = await admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Nunca gravado' });
      expectAway(answer);
      expect(answer.body.detail).toBe(databaseTexts.databaseAway.pt);
      const found = await beside().sql(`select from icone_risco where nome = 'Nunca gravado'`);
      expect(found).toEqual([]);
    }),
  );
});

it(
  'a login that an outage broke off is not counted as a failed one, and its network is known if it was committed',
  behindProxy(async all => {
    await beside().sql('delete from tentativa_senha');
    // Of the statements of a login, only that which opens the session has the name of the request.
    const request = 'login-broken-off';
    all.proxy.begin({ kind: 'lose answer', to: request, by: 'cut' });
    for (let times = 0; times < 6; times++) expectAway(await all.login({ 'x-request-id': request }));
    expect(await beside().sql('select estado from tentativa_senha')).toEqual([['entrou']]);
    all.proxy.end();
    expect((await all.kinds['login']!()).status).toBe(200);
  }),
);

describe('changes', () => {
  const asked = { tabelas: ['noticia', 'tipo_empresa'] };
  const REST = changeFaces['REST']!;
  const write = async (text: string): Promise<void> => {
    // To report changes of news, the service looks up who may read them.
    await beside().sql('update noticia set titulo = $1 where id = (select min(id) from noticia)', [text]);
    await beside().sql('update tipo_empresa set descricao = $1 where id = 1', [text]);
  };
  const textOf = (change?: FeedChange) =>
    change?.alteracoes.find(({ campo }) => ['titulo', 'descricao'].includes(campo))?.depois;

  type Read = (client: Client, after: string) => AsyncGenerator<FeedPage>;
  const readers: Record<string, Read> = {
    async *feed(client, after) {
      for (let page; 'data' in (page = await REST(client, { ...asked, after })); after = page.cursor)
        yield page;
    },
    ...Object.fromEntries(
      Object.entries(transports).map(([name, subscribe]): [string, Read] => [
        name,
        async function* pages(client, after) {
          for await (const { data } of subscribe(client, { ...asked, after })) if (data) yield data.mudancas;
        },
      ]),
    ),
  };

  it(
    'reach each reader once, although connections break and the reader resumes from its last page',
    behindProxy(async all => {
      const { ultimo: start } = await pageOf(REST, all.admin, { first: 1 });
      const seen = new Set<unknown>();
      const reading = Object.values(readers).map(async read => {
        const received: FeedChange[] = [];
        for (let after = start; textOf(received.at(-1)) !== 'last';)
          for await (const page of read(all.admin, after)) {
            received.push(...page.data);
            after = page.cursor;
            for (const change of page.data) seen.add(textOf(change));
            if (textOf(received.at(-1)) === 'last') break;
          }
        return received;
      });
      for (let round = 1; round <= 10; round++) {
        await write(`round ${round}`);
        if (round % 2 === 0) all.proxy.cut();
        else await all.terminateConnections();
        await eventually(() => expect(seen).toContain(`round ${round}`));
      }
      await beside().sql(`update tipo_empresa set descricao = 'last' where id = 1`);
      const directly = new Client(beside().url, all.admin.headers);
      const committed = await allChanges(REST, directly, { ...asked, after: start });
      expect(committed).toHaveLength(21);
      for (const received of await Promise.all(reading)) expect(received).toEqual(committed);
    }),
  );

  it(
    'reach subscribers although the connection of the permission check broke',
    behindProxy(async all => {
      const { proxy, admin } = all;
      const breakOff = async (): Promise<void> => {
        // A connection that has prepared the statement does not send its text again.
        await all.terminateConnections();
        proxy.begin({ kind: 'lose answer', to: 'from "noticia" t', by: 'cut' });
      };
      const subscription = transports['WebSocket']!(admin, asked);
      await nextPage(subscription);
      // From then on it receives its changes together with others.
      for (const text of ['first', 'second']) {
        await write(text);
        await nextChanges(subscription, 2);
      }
      await breakOff();
      await write('third');
      await eventually(() => expect(proxy.lost).toBeGreaterThan(0));
      proxy.end();
      await write('fourth');
      const received = await nextChanges(subscription, 4);
      expect(received.map(textOf)).toEqual(['third', 'third', 'fourth', 'fourth']);
      await subscription.return!();

      // If it continues from a cursor, the error contains the next cursor.
      await breakOff();
      const after = received[0]!.cursor;
      await eventually(async () => {
        const end = await endOf(transports['WebSocket']!(admin, { ...asked, after }));
        expect(end).toMatchObject({ code: 'UNAVAILABLE', cursor: after });
      });
    }),
  );
});

/** An entry of seven, and the number of times that it was registered. */
async function someMovement(): Promise<{ body: object; registered: () => Promise<unknown> }> {
  const batch = await makeBatch(beside());
  const entry = {
    id_lote: batch.id,
    id_tipo_movimentacao: 2,
    id_local_destino_fim: batch.id_local,
    quantidade: 7,
    fl_estorno: 'N',
  };
  const count = 'select count(*)::int from movimentacao where id_lote = $1 and quantidade = 7';
  return {
    body: { movimentacoes: [entry] },
    registered: async () => (await beside().sql(count, [batch.id]))[0]![0],
  };
}

describe.concurrent.each(['cut', 'stall'] as const)('a commit whose answer is lost (%s)', by => {
  it(
    'is answered as one whose outcome is unknown',
    behindProxy(async all => {
      const { body, registered } = await someMovement();
      all.proxy.begin({ kind: 'lose answer', to: 'commit\0', by });
      const [answer, onGraphql] = await Promise.all([
        all.admin.post(paths.movements, body),
        all.kinds['mutation']!(),
      ]);
      for (const one of [answer, onGraphql]) expectAway(one);
      expect(answer.body.detail).toBe(databaseTexts.outcomeUnknown.pt);
      expect(onGraphql.body.errors[0].message).toBe(databaseTexts.outcomeUnknown.pt);
      expect(await registered()).toBe(1);
      await expectBalanced(beside());
    }),
  );

  it(
    'gives, sent again with its Idempotency-Key, the answer that was lost',
    behindProxy(async ({ proxy, admin }) => {
      const { body, registered } = await someMovement();
      const client = admin.with({ 'idempotency-key': `lost-${by}` });
      proxy.begin({ kind: 'lose answer', to: 'commit\0', by });
      expectAway(await client.post(paths.movements, body));
      proxy.end();
      const again = await client.post(paths.movements, body);
      expect(again.status).toBe(201);
      expect(again.body.data).toHaveLength(1);
      expect((await client.post(paths.movements, body)).body).toEqual(again.body);
      expect(await registered()).toBe(1);
      await expectBalanced(beside());
    }),
  );
});

describe.concurrent('a request', () => {
  it(
    'that exceeds its deadline as a whole, although no part does, is aborted and leaves nothing',
    behindProxy(async all => {
      const body = await batchBody(beside(), { cod_lote: 'Tarde demais' });
      await Promise.all(all.each());
      all.proxy.begin({ kind: 'delay', ms: 900 });
      const answer = await all.admin.post(paths.batches, body);
      expectAway(answer);
      expect(answer.body.detail).toBe(requestTexts.tookTooLong.pt);
      const pool = await all.pool;
      await eventually(() => expect(pool.totalCount - pool.idleCount).toBe(0));
      expect(await beside().sql(`select from lote where cod_lote = 'Tarde demais'`)).toEqual([]);
    }),
  );
});
