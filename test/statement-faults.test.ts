import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { opened } from '../src/database/opening.ts';
import { TransactionClient } from '../src/database/transaction-client.ts';
import { demoPassword } from '../src/demo/login.ts';
import { Totals } from '../src/listing/totals.ts';
import { hold } from './support/administration.ts';
import { Client, systemHeaders, type Answer } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makePerson } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { StatementFaults, faults, type Fault } from './support/statement-faults.ts';
import {
  batchBody,
  makeBatch,
  makeInvoice,
  movementsOf,
  paths,
  stockAt,
  type Body,
} from './support/stock.ts';

vi.setConfig({ maxConcurrency: 6 });

/** Reaches the database directly, to see the result. */
const beside = useService();
const unhandled: string[] = [];
const noteUnhandled = (error: unknown): number => unhandled.push(String(error));
beforeAll(() => process.on('unhandledRejection', noteUnhandled));
afterAll(() => process.off('unhandledRejection', noteUnhandled));

/** A request that is sent again and again. */
interface Kind {
  /** Creates the records that the requests use. */
  begin?: () => Promise<void>;
  /** Sends a new request, or the last one again. */
  send: (service: TestService, again: boolean) => Promise<Answer>;
  /** Checks an answer below 500. */
  expectRight: (answer: Answer) => Promise<void>;
  /** Checks, at the end, the effects of `rounds` requests. */
  expectLeft?: (rounds: number) => Promise<void>;
  /** What befalls its statements; everything when absent. */
  faults?: readonly Fault[];
}

const settings = { STATEMENT_TIMEOUT_MS: '500', DATABASE_POOL: '4' };
const list = '/almoxarifadoquimicos/materiais?pagination=true&itemsPerPage=3&titulo=acido';
let shown: unknown;

const query = `{ materiais(titulo: "acido", itemsPerPage: 4) { total data { titulo riscos { id } } }
  classificacoesRisco(itemsPerPage: 2) { total data { risco iconeRisco { nome } } } unidadesMedida { data { sigla } } }`;
let several: unknown;

const linked = (after: string) => `{
  materiais(filter: { titulo: { contains: "a" }, lotes: { some: { quantidade: { gt: 0 } } } },
    orderBy: [{ unidadeMedida: { sigla: asc } }], itemsPerPage: 3, ${after}) {
    total nextCursor summary { count }
    groups(by: [{ unidadeMedida: { sigla: true } }]) { key { unidadeMedida { sigla } } count }
    data { titulo riscos(orderBy: [{ id: asc }]) { id }
      lotes(itemsPerPage: 2) { total nextCursor data { codLote estoques { summary { sum { quantidade } } data { id } } } } } } }`;
let linkedPage: string;
let linkedShown: unknown;

const whole = '/almoxarifadoquimicos/materiais?export=true&titulo=acido';
let exported: unknown;
const BROKEN_OFF = 599;

let movement: object;
let idLote: number;
let key: string;

let freeBatch: Body;
const newKinds = randomUUID();

let idReversed: number;
let reversalKey: string;
/** An invoice of one batch, as the next request puts it back. */
let nota: Body;

/** Somebody who is logged in already. */
const clientOf = async ({ url }: TestService): Promise<Client> =>
  new Client(url, (await beside().as('admin')).headers);

const login =
  (username: string, password = demoPassword(username)): Kind['send'] =>
  async service => {
    // Earlier failures would add up.
    await beside().sql('delete from tentativa_senha');
    return service.anyone.with(systemHeaders).post('/auth/login', { username, password });
  };

/** Somebody comes, whose user name begins so. */
function admission(prefix: string): Kind {
  let newcomer: string;
  return {
    async send(service, again) {
      if (!again) newcomer = `${prefix}-${randomUUID()}`;
      const about = { usuario: newcomer, nome_civil: 'Nova', email: `${newcomer}@x.example` };
      return (await clientOf(service)).post('/permissoes/pessoas', { ...about, id_perfil: 2 });
    },
    async expectRight({ status, body }) {
      expect([status, body.usuario, body.acesso]).toEqual([201, newcomer, 'A']);
    },
    async expectLeft() {
      const half = `select p.id from pessoa p where usuario like $1 and not exists (
        select from permissao m join acesso_ambiente a using (id_pessoa) where m.id_pessoa = p.id)`;
      expect(await beside().sql(half, [`${prefix}-%`])).toEqual([]);
    },
  };
}

/** Somebody leaves, whose user name begins so. */
function dismissal(prefix: string): Kind {
  let leaver: number;
  return {
    async send(service, again) {
      if (!again) {
        leaver = await makePerson(beside(), `${prefix}-${randomUUID()}`);
        await hold(beside(), leaver, 2);
      }
      return (await clientOf(service)).delete(`/permissoes/pessoas/${leaver}`);
    },
    async expectRight({ status, body }) {
      expect([status, body.id_pessoa]).toEqual([200, leaver]);
    },
    async expectLeft() {
      const apart = `select p.id from pessoa p join acesso_ambiente a on a.id_pessoa = p.id
        left join auditoria x on x.tabela = 'pessoa' and x.id_registro = p.id and x.operacao = 'update'
        left join auditoria y on y.tabela = 'acesso_ambiente' and y.id_registro = a.id and y.operacao = 'update'
        where p.usuario like $1 and x.requisicao = y.requisicao is not true`;
      expect(await beside().sql(apart, [`${prefix}-%`])).toEqual([]);
    },
  };
}

/** A kind of so many statements that their silence is waited for beside the other faults. */
const parted = (name: string, make: (prefix: string) => Kind): Record<string, Kind> => ({
  [`${name} (all but silence)`]: {
    ...make(`${make.name}-others`),
    faults: faults.filter(fault => fault !== 'silent'),
  },
  [`${name} (silence)`]: { ...make(`${make.name}-silent`), faults: ['silent'] },
});

const kinds: Record<string, Kind> = {
  'a list': {
    async begin() {
      shown = (await (await beside().as('admin')).get(list)).body;
    },
    async send(service) {
      // As a process reads that has just begun: what is audited, the page and its total.
      service.services.listing.totals = new Totals(service.services.listing.reader);
      return (await clientOf(service)).get(list);
    },
    async expectRight({ status, body }) {
      expect({ status, body }).toEqual({ status: 200, body: shown });
    },
  },
  'a query of several lists': {
    async begin() {
      several = (await (await beside().as('admin')).graphql(query)).data;
    },
    async send(service) {
      service.services.listing.totals = new Totals(service.services.listing.reader);
      return (await clientOf(service)).post('/graphql', { query });
    },
    async expectRight({ body }) {
      expect(body).toEqual({ data: several });
    },
  },
  'linked pages, sums and groups from a cursor on': {
    async begin() {
      const admin = await beside().as('admin');
      const { data: first } = await admin.graphql(linked(''));
      linkedPage = linked(`after: "${first.materiais.nextCursor}"`);
      linkedShown = (await admin.graphql(linkedPage)).data;
      expect(linkedShown).toMatchObject({
        materiais: { data: [{ lotes: { total: expect.any(Number) } }, {}, {}] },
      });
    },
    async send(service) {
      service.services.listing.totals = new Totals(service.services.listing.reader);
      return (await clientOf(service)).post('/graphql', { query: linkedPage });
    },
    async expectRight({ body }) {
      expect(body).toEqual({ data: linkedShown });
    },
  },
  'an export': {
    async begin() {
      exported = (await (await beside().as('admin')).get(whole)).body;
    },
    // A download that is cut off is visibly incomplete.
    send: async service =>
      (await clientOf(service))
        .get(whole)
        .catch(() => ({ status: BROKEN_OFF, headers: new Headers(), body: '' })),
    async expectRight({ status, body }) {
      expect({ status, body }).toEqual({ status: 200, body: exported });
    },
  },
  'a movement': {
    async begin() {
      const batch = await makeBatch(beside());
      idLote = batch.id;
      const [{ id_local_destino_fim }] = await movementsOf(beside(), idLote);
      movement = {
        id_lote: idLote,
        id_tipo_movimentacao: 4,
        id_local_origem_fim: id_local_destino_fim,
        quantidade: 1,
        fl_estorno: 'N',
      };
    },
    async send(service, again) {
      if (!again) key = randomUUID();
      return (await clientOf(service))
        .with({ 'idempotency-key': key })
        .post(paths.movements, { movimentacoes: [movement] });
    },
    async expectRight({ status, body }) {
      expect(status).toBe(201);
      expect((await movementsOf(beside(), idLote)).map(({ id }) => id)).toContain(body.data[0].id);
    },
    async expectLeft(rounds) {
      expect(await movementsOf(beside(), idLote)).toHaveLength(1 + rounds);
      await expectBalanced(beside());
    },
  },
  'a movement without a key': {
    async begin() {
      freeBatch = await makeBatch(beside());
    },
    async send(service) {
      const { id, id_local } = freeBatch;
      const from = { ...movement, id_lote: id, id_local_origem_fim: id_local };
      return (await clientOf(service)).post(paths.movements, { movimentacoes: [from] });
    },
    async expectRight({ status }) {
      expect(status).toBe(201);
    },
    // What fails before the server gets its `commit` leaves nothing.
    async expectLeft(rounds) {
      expect(await movementsOf(beside(), freeBatch.id)).toHaveLength(1 + rounds);
      await expectBalanced(beside());
    },
    faults: ['cut', 'error'],
  },
  'a new record without a key': {
    async send(service) {
      const kind = { descricao: newKinds, obriga_cnpj: 'N' };
      return (await clientOf(service)).post('/almoxarifadoquimicos/tipos-empresas', kind);
    },
    async expectRight({ status }) {
      expect(status).toBe(201);
    },
    async expectLeft(rounds) {
      const made = await beside().sql('select criado_por from tipo_empresa where descricao = $1', [newKinds]);
      expect(made).toEqual(Array.from({ length: rounds }, () => [1]));
    },
    faults: ['cut', 'error'],
  },
  'a reversal': {
    async begin() {
      idReversed = (await makeBatch(beside())).id;
    },
    async send(service, again) {
      if (!again) reversalKey = randomUUID();
      const [{ id }] = (await movementsOf(beside(), idReversed)) as [Body];
      const query = `mutation { estornarMovimentacao(id: ${id}, quantidade: 1) { id } }`;
      return (await clientOf(service)).with({ 'idempotency-key': reversalKey }).post('/graphql', { query });
    },
    async expectRight({ body }) {
      expect((await movementsOf(beside(), idReversed)).map(({ id }) => id)).toContain(
        body.data.estornarMovimentacao.id,
      );
    },
    async expectLeft(rounds) {
      expect(await movementsOf(beside(), idReversed)).toHaveLength(1 + rounds);
      await expectBalanced(beside());
    },
  },
  'a change of an invoice': {
    async begin() {
      nota = await makeInvoice(beside(), { lotes: [await batchBody(beside())] });
    },
    async send(service, again) {
      const { numero_nf, id_transportadora, id_fornecedor, lotes } = nota;
      if (!again) lotes[0].quantidade += 1;
      const body = { numero_nf, id_transportadora, id_fornecedor, lotes };
      return (await clientOf(service)).put(`${paths.invoices}/${nota.id}`, body);
    },
    async expectRight({ status, body }) {
      expect([status, body.lotes[0].quantidade]).toEqual([200, nota.lotes[0].quantidade]);
    },
    async expectLeft(rounds) {
      const [{ id, id_local }] = nota.lotes;
      expect(await movementsOf(beside(), id)).toHaveLength(1 + rounds);
      expect(await stockAt(beside(), id, id_local)).toBe(100 + rounds);
      await expectBalanced(beside());
    },
  },
  ...parted('an admission', admission),
  ...parted('a dismissal', dismissal),
  'a login': {
    send: login('docente'),
    async expectRight({ status, body }) {
      expect(status).toBe(200);
      const own = await beside()
        .anyone.with({ token: body.token as string })
        .get('/permissoes/autenticacoes');
      expect(own.status).toBe(200);
    },
  },
  'a login with a wrong password': {
    send: login('tecnico', 'not the password'),
    async expectRight({ status }) {
      expect(status).toBe(401);
    },
  },
};

/** For each kind a service that reaches the database through a proxy. */
const faulty = new Map<string, { proxy: StatementFaults; service: TestService }>();
beforeAll(async () => {
  // Those that write come first: lists show what they made.
  for (const { begin } of Object.values(kinds).toReversed()) await begin?.();
  for (const name of Object.keys(kinds)) {
    const { proxy, url } = await StatementFaults.before(beside().databaseUrl);
    faulty.set(name, { proxy, service: await startService(settings, { databaseUrl: url }) });
  }
});
afterAll(async () => {
  for (const { proxy, service } of faulty.values()) {
    await service.stop();
    proxy.stop();
  }
});

/** Whether it is an error; if so, checks that it is an honest one. */
function isFailure(answer: Answer): boolean {
  const { status, body } = answer;
  const errors: { extensions?: { code: string } }[] = body?.errors ?? [];
  if (errors[0]?.extensions) {
    for (const { extensions } of errors) expect(['INTERNAL', 'UNAVAILABLE']).toContain(extensions!.code);
    return true;
  }
  if (status === 500) expectProblem(answer, 500, 'INTERNAL');
  else if (status < BROKEN_OFF && status > 500) expectProblem(answer, 503, 'UNAVAILABLE');
  return status >= 500;
}

// Six at a time, and those of many statements before those of few, so that none of them is left alone at the end.
it.concurrent.each(Object.entries(kinds).toReversed())(
  '%s of which any statement fails, is lost or falls silent is answered right or with an honest error',
  async (name, { send, expectRight, expectLeft, faults: tried = faults }) => {
    const { proxy, service } = faulty.get(name)!;
    let rounds = 0;
    /** Sends a request, and again until it is answered right. Answers whether that was at once. */
    const round = async (): Promise<boolean> => {
      rounds += 1;
      const answer = await send(service, false);
      proxy.end();
      if (!isFailure(answer)) await expectRight(answer);
      else await eventually(async () => expectRight(await send(service, true)));
      return !isFailure(answer);
    };
    /** Statements of a request; a slow machine makes some fail without a fault. */
    const count = async (): Promise<number> => {
      do proxy.begin('none', 0);
      while (!(await round()));
      return proxy.seen;
    };
    for (const fault of tried) {
      await count();
      const statements = await count();
      expect(statements).toBeGreaterThan(1);
      let failures = 0;
      for (let at = 1; at <= statements; at++) {
        proxy.begin(fault, at);
        if (!(await round())) failures += 1;
      }
      expect(failures, fault).toBeGreaterThan(0);
    }
    await expectLeft?.(rounds);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  },
);

it('a transaction whose `begin` fails does nothing, although several statements came at once', async () => {
  const { proxy, service } = faulty.get('a list')!;
  const pipelining = { servers: () => service.services.servers, pipeline: true };
  const client = new TransactionClient(pipelining);
  await client.connect();
  const descricao = randomUUID();
  const insert = `insert into unidade_medida (descricao, sigla) values ('${descricao}', left(gen_random_uuid()::text, 20))`;
  proxy.begin('error', 1);
  const sent = ['begin', insert, insert].map(async one => client.query(one));
  const ended = (await Promise.allSettled(sent)).map(({ status }) => status);
  proxy.end();
  await client.end();
  expect(ended).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await beside().sql('select id from unidade_medida where descricao = $1', [descricao])).toEqual([]);
});

it('work that was to open a transaction and is inside of another one fails', async () => {
  const { em } = beside().services.orm;
  const inside = em.fork().transactional(async outer =>
    opened(
      first => first.rows('select 1', []),
      started => outer.transactional(async () => started()),
    ),
  );
  await expect(inside).rejects.toThrow('outside of a transaction of its own');
});
