import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { demoPassword } from '../../src/demo/login.ts';
import { Client, systemHeaders, type Answer } from './client.ts';
import { FaultProxy } from './fault-proxy.ts';
import { patient } from './patient.ts';
import { eventually } from './process.ts';
import { startService, useService, type TestService } from './service.ts';

/** Half of them are for one person, who sends two at a time. */
const EXPORTS = 4;
/** Requests that may wait for each connection of such a service. */
export const WAITING_EACH = 100;

export const materials = '/almoxarifadoquimicos/materiais';
/** One for each service, so that logins at the same time are not too many for a user. */
const demoUsers = ['tecnico', 'docente', 'discente', 'almoxarife', 'admin'];

/**
 * Services that reach one database through a proxy each, by so many connections, started for a test file; and one that
 * reaches it directly.
 */
export function useServicesBehindProxies(count: number, connections?: number) {
  const service = useService();
  let beside: TestService;
  const free: BehindProxy[] = [];
  const waiting: ((one: BehindProxy) => void)[] = [];
  const giveBack = (one: BehindProxy): void => {
    const next = waiting.shift();
    if (next) next(one);
    else free.push(one);
  };
  beforeAll(async () => {
    beside = patient(service());
    for (const user of demoUsers.slice(0, count))
      free.push(await BehindProxy.start(beside, user, connections));
  });
  afterAll(() => Promise.all(free.map(one => one.stop())));

  /** A test on one of the services, which must work again at the end. */
  const test = (body: (all: BehindProxy) => Promise<void>) => async (): Promise<void> => {
    const all = free.shift() ?? (await new Promise<BehindProxy>(resolve => waiting.push(resolve)));
    try {
      await body(all);
      await expectRecovered(all);
    } finally {
      all.proxy.end();
      giveBack(all);
    }
  };
  return { beside: () => beside, test };
}

/** A service that reaches its database through a proxy. */
export class BehindProxy {
  private constructor(
    readonly proxy: FaultProxy,
    readonly service: TestService,
    readonly beside: TestService,
    readonly admin: Client,
    private readonly user: string,
    readonly most: number,
  ) {}

  static async start(beside: TestService, user: string, most = 4): Promise<BehindProxy> {
    const { proxy, url } = await FaultProxy.before(beside.databaseUrl);
    const settings = { DATABASE_POOL: `${most}`, EXPORT_POOL: `${EXPORTS}`, STATEMENT_TIMEOUT_MS: '3000' };
    const service = await startService(settings, { databaseUrl: url });
    const { headers } = await beside.as('admin');
    return new BehindProxy(proxy, service, beside, new Client(service.url, headers), user, most);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.proxy.stop();
  }

  /** One request of each kind. */
  readonly kinds: Record<string, () => Promise<Answer>> = {
    read: () => this.admin.get(materials),
    write: () => this.admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Ícone' }),
    login: () => this.login(),
    export: () => this.admin.get(`${materials}?export=true`),
    query: () => this.admin.post('/graphql', { query: '{ materiais { total data { id } } }' }),
    mutation: () =>
      this.admin.post('/graphql', { query: 'mutation { criarIconeRisco(input: { nome: "Ícone" }) { id } }' }),
  };

  login(headers: Record<string, string> = {}): Promise<Answer> {
    const credentials = { username: this.user, password: demoPassword(this.user) };
    return this.service.anyone.with({ ...systemHeaders, ...headers }).post('/auth/login', credentials);
  }

  each(): Promise<Answer>[] {
    return Object.values(this.kinds).map(send => send());
  }

  get pool(): Promise<Pool> {
    return this.service.services.orm.em.getConnection().getNativeClient();
  }

  /**
   * What the connections to the database that stand for the service do: `idle`, or what and with which statement. Also
   * those that the service has given up, as long as the database has not noticed. The time tells them from connections
   * of others, this one for example, that got the port of a closed one.
   */
  async connections(): Promise<string[]> {
    const { made } = this.proxy;
    const rows = await this.beside.sql(
      `select case state when 'idle' then state else concat_ws(' ', state, wait_event, query) end from pg_stat_activity
       join unnest($1::int[], $2::timestamptz[]) as made (port, closed) on port = client_port
       where datname = current_database() and (closed is null or backend_start < closed)`,
      [made.map(({ port }) => port), made.map(({ closed }) => closed)],
    );
    return rows.map(([does]) => String(does));
  }

  terminateConnections(): Promise<unknown> {
    return this.beside.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where client_port = any($1) and datname = current_database()',
      [this.proxy.openPorts],
    );
  }
}

/** Such an error says only this, and when to come back. */
export function expectAway({ status, headers, body }: Answer): void {
  expect({ status, code: body.code ?? body.errors[0].extensions.code }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\bat \/|timeout|terminated|ECONN/i);
}

/** Everything is served again without help, with all connections free of earlier requests. */
async function expectRecovered(all: BehindProxy): Promise<void> {
  all.proxy.end();
  await eventually(async () => expect((await all.service.anyone.get('/readyz')).status).toBe(200));
  // On a busy machine some of them may be too slow. A connection that is held or broken fails every round.
  for (let round = 0; round < 2; round++)
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => all.admin.get(`${materials}/1`)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
  await eventually(async () => {
    await all.beside.sql('delete from tentativa_senha');
    const again = [];
    for (const send of Object.values(all.kinds)) again.push((await send()).status);
    expect(again).toEqual([200, 201, 200, 200, 200, 200]);
  });
  const pool = await all.pool;
  await eventually(async () => {
    const open = await all.connections();
    expect(open.length).toBeLessThanOrEqual(all.most + EXPORTS);
    expect(new Set(open)).toEqual(new Set(['idle']));
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
    await sleep(50);
  });
}
