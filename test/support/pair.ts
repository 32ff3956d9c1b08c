import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { Client, type Answer } from './client.ts';
import { build, useProcesses } from './process.ts';
import { useService, type TestService } from './service.ts';

/** More than a busy service needs to have room for a client. */
const MOST_TRIES = 50;

/** A client that comes back when the service is too busy for it: what is refused so has left nothing behind. */
class PatientClient extends Client {
  override async send(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await super.send(method, path, body);
      if (answer.status !== 503 || tries === MOST_TRIES) return answer;
      await sleep(Number(answer.headers.get('retry-after')) * 1000);
    }
  }
}

export interface Pair {
  /** A service inside the test on the same database, for making records and looking at tables. */
  service: TestService;
  /** The administrator's client of one process or the other, in turn. */
  client: (turn: number) => Client;
  /** Ends both processes in order. */
  stop: () => Promise<void>;
}

/** Two processes of the built service on one database, which last for the test file. */
export function usePair(): () => Pair {
  const service = useService();
  const processes = useProcesses(afterAll);
  let pair: Pair | undefined;
  beforeAll(async () => {
    await build();
    const environment = { DATABASE_URL: service().databaseUrl, LOG_LEVEL: 'warn' };
    const runs = [processes.service(environment), processes.service(environment)];
    const admin = await service().as('admin');
    const clients = await Promise.all(
      runs.map(async run => new PatientClient(await run.ready(), admin.headers)),
    );
    pair = {
      service: service(),
      client: turn => clients[turn % clients.length]!,
      stop: async () => void (await Promise.all(runs.map(run => run.stop()))),
    };
  });
  return () => pair!;
}

/** So many of these at once. */
export const atOnce = <T>(count: number, work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
