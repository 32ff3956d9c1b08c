import { expect, it, vi } from 'vitest';
import { allChanges, changeFaces, pageOf, type Told } from './support/changes.ts';
import { atOnce, usePair } from './support/pair.ts';
import { nextPage, transports } from './support/subscriptions.ts';

/** `CHANGES_SECONDS=60 CHANGES_WRITERS=50` makes a long run of it. */
const seconds = Number(process.env['CHANGES_SECONDS'] ?? 3);
const writers = Number(process.env['CHANGES_WRITERS'] ?? 8);
vi.setConfig({ testTimeout: 120_000 + seconds * 4_000 });

const pair = usePair();
const REST = changeFaces['REST']!;
const subscribers = Object.values(transports);
const tabelas = ['tipo_empresa'];

it('whoever goes on from any cursor, at any process and in any way, misses nothing and gets nothing twice', async () => {
  const { service, client } = pair();
  const ids = await atOnce(writers, async turn => {
    const { body } = await client(turn).post('/almoxarifadoquimicos/tipos-empresas', {
      descricao: `Writer ${turn}`,
      obriga_cnpj: 'N',
    });
    return body.id as number;
  });
  const { ultimo: start } = await pageOf(REST, client(0), { first: 1 });
  let isWriting = true;
  const writing = atOnce(writers, async turn => {
    const end = performance.now() + seconds * 1_000;
    for (let i = 0; performance.now() < end; i++)
      await client(turn + i).put(`/almoxarifadoquimicos/tipos-empresas/${ids[turn]}`, {
        descricao: `Writer ${turn}: ${i}`,
        obriga_cnpj: 'N',
      });
  }).then(() => (isWriting = false));

  // The reader keeps what it has read, and after each death goes on from some cursor that it had.
  const read: Told[] = [];
  let deaths = 0;
  for (; isWriting; deaths++) {
    const back = Math.min(read.length, Math.floor(Math.random() * 20));
    const after = read.at(-1 - back)?.cursor ?? start;
    const known = read.findIndex(({ cursor }) => cursor === after) + 1;
    const got: Told[] = [];
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
  expect(deaths).toBeGreaterThan(3);
  expect(read.length).toBeGreaterThan(writers);
  const told = read.map(({ id }) => id);
  expect(new Set(told).size).toBe(told.length);
  expect(told.toSorted()).toEqual(committed.map(([id]) => id as string).toSorted());
  for (const id of ids) {
    const versions = read
      .filter(({ registro }) => registro.id === id)
      .map(({ registro }) => registro.versao!);
    expect(versions).toEqual(versions.map((_, i) => i + 2));
  }
});
