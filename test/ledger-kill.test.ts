import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../src/embedded-postgres/cluster.ts';
import { settingsOf } from '../src/embedded-postgres/settings.ts';
import type { Answer, Client } from './support/client.ts';
import { times } from './support/fuzzing.ts';
import { expectBalanced } from './support/ledger.ts';
import { makePlace } from './support/make.ts';
import { build, eventually, killPostgres, useProcesses } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const { usedFolder, service: start } = useProcesses();

beforeAll(build);

/** A random entry, transfer or withdrawal of a batch between two locations. */
function anyMovement(id_lote: number, places: readonly [number, number], observacao: string): object {
  const [from, to] = Math.random() < 0.5 ? places : places.toReversed();
  return {
    id_lote,
    id_tipo_movimentacao: 2 + Math.floor(Math.random() * 3),
    id_local_origem_fim: from,
    id_local_destino_fim: to,
    quantidade: 1 + Math.floor(Math.random() * 5),
    fl_estorno: 'N',
    observacao,
  };
}

/** An entry, which never lacks stock. */
const entryOf = (...given: Parameters<typeof anyMovement>): object => ({
  ...anyMovement(...given),
  id_tipo_movimentacao: 2,
});

/** Movements with each remark of a batch. */
async function standing(service: TestService, idLote: number): Promise<Map<string, number>> {
  const rows = await service.sql(
    'select observacao, count(*)::int from movimentacao where id_lote = $1 and observacao is not null group by 1',
    [idLote],
  );
  return new Map(rows as [string, number][]);
}

describe('a service that is killed', () => {
  const service = useService();
  const MANY = 500;
  const ROUNDS = 3 * times;

  /** A request to a process that can be killed. */
  interface Sent {
    send: () => void;
    answered: () => Promise<unknown>;
    kill: () => Promise<unknown>;
  }

  /** Transactions that write movements, in any process. */
  const writers = async (): Promise<number> => {
    const found = await service().sql(
      `select pid from pg_locks where relation = 'movimentacao'::regclass and mode = 'RowExclusiveLock'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return found.length;
  };
  const writing = () => eventually(async () => expect(await writers()).toBeGreaterThan(0));
  const quiet = () => eventually(async () => expect(await writers()).toBe(0));

  it('while it registers 500 movements has registered all of them or none', async () => {
    const { headers } = await service().as('admin');
    const batch = await makeBatch(service(), { quantidade: 1_000_000 });
    const places = [batch.id_local as number, (await makePlace(service())).id] as const;

    /**
     * Starts a process, which is killed after `work` has sent the movements to it. Returns what is stored and what was
     * answered.
     */
    async function round(name: string, work: (request: Sent) => Promise<unknown>) {
      const run = start({ DATABASE_URL: service().databaseUrl });
      const client = (await run.client()).with(headers);
      const movimentacoes = Array.from({ length: MANY }, () => entryOf(batch.id, places, name));
      let answer: Promise<Answer | undefined> | undefined;
      const send = (): void => {
        answer = client.post(paths.movements, { movimentacoes }).catch(() => undefined);
      };
      const kill = () => run.stop('SIGKILL');
      const began = performance.now();
      await work({ send, answered: async () => answer, kill });
      const duration = performance.now() - began;
      await kill();
      await quiet();
      await expectBalanced(service());
      const count = (await standing(service(), batch.id)).get(name) ?? 0;
      const status = (await answer)?.status;
      const outcome = status ?? 'nothing';
      expect(outcome === 201 ? [MANY] : [0, MANY], `${name}, outcome ${outcome}`).toContain(count);
      return { outcome, duration };
    }

    /** Its cells are locked until it is killed, so that it cannot finish before. */
    const whileItWrites = ({ send, kill }: Sent): Promise<unknown> =>
      service()
        .services.orm.em.fork()
        .transactional(async em => {
          await em.execute('select from estoque where id_lote = ? for update', [batch.id]);
          send();
          await writing();
          await kill();
        });

    const { outcome, duration } = await round('not killed before its answer', ({ send, answered }) => {
      send();
      return answered();
    });
    expect(outcome).toBe(201);
    expect(await round('killed while it writes', whileItWrites)).toMatchObject({ outcome: 'nothing' });
    for (let i = 0; i < ROUNDS; i++) {
      const delay = ((i + Math.random()) / ROUNDS) * duration;
      await round(`killed after ${delay} ms`, ({ send }) => {
        send();
        return sleep(delay);
      });
    }
  });
});

describe('a database that is killed', () => {
  const CLIENTS = 10;
  const KILLS = 2;
  /** Number of acknowledged movements between two kills. */
  const WORK = 40;

  it('under a load of movements has kept all acknowledged ones, and the service recovers by itself', async () => {
    const dataDir = await usedFolder();
    const run = start({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
    const client = await run.client();
    const { port, password } = await settingsOf(dataDir);
    const databaseUrl = `postgres://${ROLE}:${password}@127.0.0.1:${port}/sii`;
    const service = await startService({}, { databaseUrl });
    try {
      await expectNothingLost(service, client, () => killPostgres(dataDir));
    } finally {
      await service.stop();
    }
  });

  async function expectNothingLost(
    service: TestService,
    anyone: Client,
    kill: () => Promise<void>,
  ): Promise<void> {
    const admin = anyone.with((await service.as('admin')).headers);
    const batch = await makeBatch(service, { quantidade: 50 });
    const places = [batch.id_local as number, (await makePlace(service)).id] as const;
    const answers = new Map<string, Answer>();
    const acknowledged = (): number => [...answers.values()].filter(({ status }) => status === 201).length;
    let over = false;

    async function work(name: number): Promise<void> {
      for (let i = 0; !over; i++) {
        const tag = `${name}.${i}`;
        const answer = await admin.post(paths.movements, {
          movimentacoes: [anyMovement(batch.id, places, tag)],
        });
        answers.set(tag, answer);
        if (answer.status === 503) await sleep(20);
      }
    }
    /** Resolves when the service works (again). */
    const working = (): Promise<void> => {
      const enough = acknowledged() + WORK;
      return eventually(() => expect(acknowledged()).toBeGreaterThanOrEqual(enough));
    };

    const workers = Array.from({ length: CLIENTS }, (_, name) => work(name));
    try {
      for (let i = 0; i < KILLS; i++) {
        await working();
        await sleep(Math.random() * 200);

        await kill();
      }
      await working();
    } finally {
      over = true;
      await Promise.all(workers);
    }

    await expectBalanced(service);
    const ledger = await standing(service, batch.id);
    for (const [tag, { status, body, headers }] of answers) {
      const outcome = [status, body.code ?? ''].join(' ');
      expect(['201 ', '409 INSUFFICIENT_STOCK', '503 UNAVAILABLE']).toContain(outcome);
      if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      // A movement that was interrupted during its commit may be stored, but only once.
      const stands = status === 201 ? [1] : status === 503 ? [0, 1] : [0];
      expect(stands, `${tag}: ${outcome}`).toContain(ledger.get(tag) ?? 0);
    }
    expect([...answers.values()].some(({ status }) => status === 503)).toBe(true);
  }
});
