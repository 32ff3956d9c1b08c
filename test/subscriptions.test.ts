import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { ChangePage } from '../src/changes/follow.ts';
import type { Position } from '../src/changes/position.ts';
import type { Ended } from '../src/changes/subscriber.ts';
import { Context } from '../src/request/context.ts';
import { Client } from './support/client.ts';
import { changeFaces, connection, pageOf } from './support/changes.ts';
import { lockWaits } from './support/lock-waits.ts';
import { grant } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';
import {
  endOf,
  nextChanges,
  nextPage,
  SUBSCRIBE,
  transports,
  type Subscribe,
} from './support/subscriptions.ts';

const service = useService({ MAX_SUBSCRIPTIONS_PER_PERSON: '5' });
const kinds = '/almoxarifadoquimicos/tipos-empresas';
const table = { tabelas: ['tipo_empresa'] };
const controller = 'almoxarifadoquimicos/tipos-empresas';
let other: TestService;
let admin: Client;

beforeAll(async () => {
  admin = await service().as('admin');
  other = await startService({}, service());
});
afterAll(() => other.stop());

const change = async (client: Client, descricao: string): Promise<void> => {
  expect((await client.put(`${kinds}/1`, { descricao, obriga_cnpj: 'N' })).status).toBe(200);
};
const described = ({ alteracoes }: { alteracoes: { campo: string; depois: string | null }[] }) =>
  alteracoes.find(({ campo }) => campo === 'descricao')?.depois;

const idsOf = ({ changes }: ChangePage): number[] => changes.map(({ id }) => id);

const followed = (): number => service().services.changes.followed;

describe.each(Object.entries(transports))(
  'a subscription to changes over %s',
  (name, subscribe: Subscribe) => {
    it('begins with a page at once, and tells what other processes write', async () => {
      const elsewhere = new Client(other.url, admin.headers);
      const subscription = subscribe(admin, table);
      expect(await nextPage(subscription)).toMatchObject({ data: [], mais: false });
      await change(elsewhere, `${name} elsewhere`);
      await change(admin, `${name} here`);
      const received = await nextChanges(subscription, 2);
      expect(received.map(described)).toEqual([`${name} elsewhere`, `${name} here`]);
      expect(received[0]).toMatchObject({
        tipo: 'tipo_empresa.alterado',
        registro: { tabela: 'tipo_empresa', id: 1 },
      });
    });

    it('has one empty page at its beginning, and then only pages with changes', async () => {
      const subscription = subscribe(admin, table);
      expect((await nextPage(subscription)).data).toEqual([]);
      const second = nextPage(subscription);
      // Time for the page that must not come: the change of another table makes the service read anew.
      await admin.put('/almoxarifadoquimicos/icones-risco/1', { descricao: name });
      await change(admin, `${name} first`);
      expect((await second).data.map(described)).toEqual([`${name} first`]);
    });

    it('goes on from a cursor: what happened meanwhile comes first, and nothing twice', async () => {
      const first = subscribe(admin, table);
      const { cursor } = await nextPage(first);
      await first.return!();
      for (const i of [1, 2, 3]) await change(admin, `${name} ${i}`);
      const second = subscribe(admin, { ...table, after: cursor });
      const meanwhile = await nextChanges(second, 3);
      await change(admin, `${name} 4`);
      const [last] = await nextChanges(second, 1);
      expect([...meanwhile, last!].map(described)).toEqual([1, 2, 3, 4].map(i => `${name} ${i}`));
      const third = subscribe(admin, { ...table, after: meanwhile[1]!.cursor });
      expect(await nextChanges(third, 2)).toEqual([meanwhile[2], last]);
    });

    it('leaves nothing behind when its reader leaves while it begins', async () => {
      const { changes } = service().services;
      const begun = vi.spyOn(changes, 'follow');
      const begins = Promise.withResolvers<void>();
      vi.spyOn(Context.prototype, 'session').mockImplementationOnce(async function (this: Context) {
        begins.resolve();
        // Over WebSocket nothing else tells the test that the service knows it.
        await Promise.race([once(this.closed, 'abort'), sleep(500)]);
        return this.caller.session();
      });
      onTestFinished(() => void vi.restoreAllMocks());
      const subscription = subscribe(admin, table);
      const first = subscription.next();
      await begins.promise;
      await subscription.return!();
      await first;
      await eventually(() => expect(begun).toHaveBeenCalledOnce());
      await eventually(() => expect(followed()).toBe(0));
    });

    it('is of what its reader may list, and ends with the right to it', async () => {
      const takeAway = await grant(service(), 'docente', { controller, nivel: 1 });
      const docente = await service().as('docente');
      const subscription = subscribe(docente, table);
      await nextPage(subscription);
      await change(admin, `${name} for docente`);
      const { cursor } = (await nextChanges(subscription, 1))[0]!;
      await takeAway();
      expect(await endOf(subscription)).toMatchObject({ code: 'FORBIDDEN', cursor: expect.any(String) });
      expect(await endOf(subscribe(docente, table))).toMatchObject({ code: 'FORBIDDEN' });
      const all = subscribe(docente, { after: cursor });
      expect((await nextPage(all)).data).toEqual([]);
    });

    it('ends with its session', async () => {
      const discente = await service().anyone.login('discente');
      const subscription = subscribe(discente);
      await nextPage(subscription);
      await discente.graphql('mutation { sair }');
      expect(await endOf(subscription)).toMatchObject({
        code: 'UNAUTHENTICATED',
        cursor: expect.any(String),
      });
    });

    it('is refused like any other request', async () => {
      expect(await endOf(subscribe(service().anyone))).toMatchObject({ code: 'UNAUTHENTICATED' });
      const refused = { code: 'BAD_REQUEST' };
      expect(await endOf(subscribe(admin, { tabelas: ['nada'] }))).toMatchObject(refused);
      expect(await endOf(subscribe(admin, { after: 'x' }))).toMatchObject(refused);
      expect(await endOf(subscribe(admin, {}, '{ __typename }'))).toMatchObject(refused);
      expect(await endOf(subscribe(admin, {}, 'subscription { nada }'))).toMatchObject(refused);
      expect(await endOf(subscribe(admin, {}, 'subscription {'))).toMatchObject(refused);
      const { cursor } = await pageOf(changeFaces['REST']!, admin, { first: 1 });
      const elsewhere = Buffer.from(cursor, 'base64url')
        .toString()
        .replace(/^\w{8}/, '00000000');
      const gone = subscribe(admin, { after: Buffer.from(elsewhere).toString('base64url') });
      expect(await endOf(gone)).toMatchObject({ code: 'GONE' });
    });

    it('is one of few that a person may have', async () => {
      const tecnico = await service().as('tecnico');
      const all = Array.from({ length: 5 }, () => subscribe(tecnico));
      await Promise.all(all.map(nextPage));
      expect(await endOf(subscribe(tecnico))).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 10 });
      await all[0]!.return!();
      await eventually(async () => nextPage(subscribe(tecnico)));
    });
  },
);

describe('subscriptions', () => {
  it('leave nothing behind when their readers have gone', async () => {
    await eventually(() => expect(followed()).toBe(0));
  });

  it('want events: a plain answer is refused', async () => {
    const answer = await admin.post('/graphql', { query: SUBSCRIBE });
    expect(answer.body.errors[0].extensions.code).toBe('BAD_REQUEST');
    expectProblem(await admin.post('/webhook', { url: 'http://127.0.0.1' }), 404, 'NOT_FOUND');
  });

  it.each(['the right to it', 'another right'])(
    'send nothing that waits for a reader who loses %s',
    async lost => {
      const give = (table: string) =>
        grant(service(), 'docente', { controller: `almoxarifadoquimicos/${table}`, nivel: 1 });
      const rights = {
        'the right to it': await give('icones-risco'),
        'another right': await give('tipos-empresas'),
      };
      const { changes, sessions, wrote } = service().services;
      const session = (await sessions.find((await service().as('docente')).headers['token']!))!;
      const follow = () =>
        changes.follow(session, { after: null, tables: ['icone_risco'], first: 100 }, () => undefined);
      const [slow, fast] = [follow(), follow()];
      await Promise.all([slow.next(), fast.next()]);
      const page = slow.next();
      await service().sql(
        `insert into icone_risco (nome) select 'wait ' || i from generate_series(1, 1500) i`,
      );
      wrote();
      for (let read = 0; read < 1_500;) read += idsOf((await fast.next()).value as ChangePage).length;
      const { end } = (await page).value as ChangePage;
      const confirmed = vi.spyOn(sessions, 'confirm');
      onTestFinished(() => confirmed.mockRestore());
      await rights[lost as keyof typeof rights]();
      const isDone = () => confirmed.mock.settledResults.filter(({ type }) => type === 'fulfilled');
      // The sessions of the second time are asked for after those of the first time were compared.
      await eventually(() => expect(isDone().length).toBeGreaterThan(1));
      for (const takeAway of Object.values(rights)) await takeAway();
      const error: unknown = await slow.next().catch((ended: unknown) => ended);
      expect(error).toMatchObject({ position: end });
      await fast.return(undefined);
    },
  );

  it('lose no change of their own when a reader loses the list of all while it is distributed', async () => {
    const takeAway = await grant(service(), 'docente', { controller: 'academico/planos-ensino', nivel: 1 });
    const docente = await service().as('docente');
    const followed = { tabelas: ['noticia', 'plano_ensino'] };
    const subscription = transports['WebSocket']!(docente, followed);
    const { cursor } = await nextPage(subscription);
    const [[plan]] = (await service().sql(
      `select id_plano_ensino from docente_plano where id_pessoa = (select id from pessoa where usuario = 'docente')`,
    )) as [[number]];
    const url = service().databaseUrl;
    const [writer, holder] = [await connection(url), await connection(url)];
    await writer.query('begin');
    await writer.query(`update noticia set titulo = titulo || '.' where id = 1`);
    await writer.query(`update plano_ensino set ementa = ementa || '.' where id = $1`, [plan]);
    const isHeld = holder.query('begin; lock table noticia');
    const waiting = lockWaits(`relation = 'noticia'::regclass`);
    const oneWaits = () => eventually(async () => expect(await service().sql(waiting)).toHaveLength(1));
    await oneWaits();
    await writer.query('commit');
    await isHeld;
    service().services.wrote();
    await oneWaits();
    await takeAway();
    const { sessions } = service().services;
    const confirmed = vi.spyOn(sessions, 'confirm');
    onTestFinished(() => confirmed.mockRestore());
    await eventually(() => expect(confirmed.mock.settledResults.length).toBeGreaterThan(1));
    await holder.query('rollback');
    // The subscription is cut, unless the wait for the lock ended before: then the changes are distributed anew.
    const missed = await nextChanges(subscription, 2).catch(() =>
      nextChanges(transports['WebSocket']!(docente, { ...followed, after: cursor }), 2),
    );
    expect(missed.map(({ registro }) => registro)).toMatchObject([
      { tabela: 'noticia', id: 1 },
      { tabela: 'plano_ensino', id: plan },
    ]);
  });

  it('end before the change that was not sent yet, if they end while it is marked as seen', async () => {
    const { changes, sessions } = service().services;
    const leaving = await service().anyone.login('admin');
    const follow = async ({ headers }: Client, after: Position | null) =>
      changes.follow(
        (await sessions.find(headers['token']!))!,
        { after, tables: ['tipo_empresa'], first: 100 },
        () => undefined,
      );
    const ended = await follow(leaving, null);
    await ended.next();
    const held = Promise.withResolvers<void>();
    const saw = vi.spyOn(sessions, 'saw').mockImplementationOnce(() => held.promise);
    onTestFinished(() => saw.mockRestore());
    const page = ended.next().catch((error: unknown) => error);
    await change(admin, 'not sent yet');
    await eventually(() => expect(saw).toHaveBeenCalled());
    await leaving.graphql('mutation { sair }');
    const { position } = (await page) as Ended;
    held.resolve();
    const again = await follow(admin, position!);
    const { value } = await again.next();
    expect((value as ChangePage).changes).toHaveLength(1);
    await again.return(undefined);
  });

  it('begin now, also if all others left while changes were read', async () => {
    const { changes, listing, sessions, wrote } = service().services;
    const session = (await sessions.find(admin.headers['token']!))!;
    const follow = () =>
      changes.follow(session, { after: null, tables: ['tipo_empresa'], first: 100 }, () => undefined);
    const first = follow();
    await first.next();
    const { reader } = listing;
    const read = reader.together!.bind(reader);
    const [held, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reads = vi.spyOn(reader, 'together').mockImplementation(async statements => {
      const found = await read(statements);
      if (statements.some(({ text }) => text.includes('mudanca_transacao'))) {
        isHeld.resolve();
        await held.promise;
      }
      return found;
    });
    onTestFinished(() => reads.mockRestore());
    await service().sql(`update tipo_empresa set descricao = 'while they read' where id = 1`);
    wrote();
    await isHeld.promise;
    await first.return(undefined);
    reads.mockRestore();
    held.resolve();
    await service().sql(`update tipo_empresa set descricao = 'while nobody reads' where id = 1`);
    const second = follow();
    await second.next();
    await change(admin, 'for the second reader');
    const { value } = await second.next();
    expect((value as ChangePage).changes).toHaveLength(1);
    await second.return(undefined);
  });

  it('drop a reader who does not read, with the place to go on', async () => {
    const { changes, sessions, wrote } = service().services;
    const session = (await sessions.find(admin.headers['token']!))!;
    const follow = (after: Position | null) =>
      changes.follow(session, { after, tables: ['icone_risco'], first: 100 }, () => undefined);
    const read = async (pages: AsyncGenerator<ChangePage>, count: number): Promise<number[]> => {
      const ids: number[] = [];
      while (ids.length < count) ids.push(...idsOf((await pages.next()).value as ChangePage));
      return ids;
    };
    const [slow, fast] = [follow(null), follow(null)];
    await Promise.all([slow.next(), fast.next()]);
    const page = slow.next();
    const all = read(fast, 3_000);
    await service().sql(`insert into icone_risco (nome) select 'many ' || i from generate_series(1, 3000) i`);
    wrote();
    const ids = await all;
    const taken = idsOf((await page).value as ChangePage);
    const error: unknown = await slow.next().catch((ended: unknown) => ended);
    expect(error).toMatchObject({ code: 'RATE_LIMITED' });
    const again = follow((error as Ended).position!);
    expect([...taken, ...(await read(again, 3_000 - taken.length))]).toEqual(ids);
    await Promise.all([fast, again].map(pages => pages.return(undefined)));
  });

  it('leave no listeners behind when their readers pause', async () => {
    const listeners: number[] = [];
    // As if the connection were full at each message, and free again at once.
    Object.defineProperty(ServerResponse.prototype, 'writableNeedDrain', {
      configurable: true,
      get(this: ServerResponse) {
        listeners.push(this.listenerCount('close') + this.listenerCount('drain'));
        setImmediate(() => this.emit('drain'));
        return true;
      },
    });
    onTestFinished(() => void Reflect.deleteProperty(ServerResponse.prototype, 'writableNeedDrain'));
    const subscription = transports['server-sent events']!(admin, table);
    await nextPage(subscription);
    for (const n of [1, 2, 3]) {
      await change(admin, `pause ${n}`);
      await nextChanges(subscription, 1);
    }
    expect(listeners.length).toBeGreaterThan(3);
    expect(new Set(listeners.slice(1)).size).toBe(1);
  });

  it('end in order when their process ends, with the place to go on', async () => {
    const open = Object.values(transports).map(subscribe => subscribe(admin, table));
    await Promise.all(open.map(nextPage));
    await change(admin, 'before the end');
    const received = await Promise.all(open.map(subscription => nextChanges(subscription, 1)));
    service().services.changes.drain();
    for (const subscription of open) {
      const { cursor, ...end } = await endOf(subscription);
      expect(end).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
      await change(admin, 'after the end');
      const after = await pageOf(changeFaces['REST']!, admin, { after: cursor!, ...table });
      expect(after.data.map(described)[0]).toBe('after the end');
      await change(admin, 'later');
    }
    expect(received.flat().map(described)).toEqual(['before the end', 'before the end']);
    expect(await endOf(transports['WebSocket']!(admin))).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

it('a message over WebSocket whose bytes are not UTF-8 closes the connection', async () => {
  for (const binary of [false, true]) {
    const socket = new WebSocket(`${admin.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const message = '{"type":"connection_init","payload":{"app-name":"\xe9"}}';
    socket.send(Buffer.from(message, 'latin1'), { binary });
    expect(await once(socket, 'close')).toEqual([1007, expect.anything()]);
  }
});
