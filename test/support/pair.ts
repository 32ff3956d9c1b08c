import { afterAll, beforeAll } from 'vitest';
import type { Client } from './client.ts';
import { patient, PatientClient } from './patient.ts';
import { build, useProcesses, type Run } from './process.ts';
import { useService, type TestService } from './service.ts';

export interface Pair {
  /** A service inside the test on the same database, to create records and read tables. */
  service: TestService;
  /** The administrator's client of one process or the other, alternately. */
  client: (turn: number) => Client;
  /** Kills one process or the other, alternately, and starts a new one. Meanwhile its client fails. */
  replace: (turn: number) => Promise<void>;
  /** Ends both processes gracefully. */
  stop: () => Promise<void>;
}

/** Two processes of the built service on one database, for the whole test file. `settings` apply to these two. */
export function usePair(settings: Record<string, string> = {}): () => Pair {
  // One administrator sends everything, so there are many requests of one person.
  const service = useService({ APPROVE_OWN: 'true' });
  const processes = useProcesses(afterAll);
  let pair: Pair | undefined;
  beforeAll(async () => {
    await build();
    const environment = {
      DATABASE_URL: service().databaseUrl,
      LOG_LEVEL: 'warn',
      MAX_REQUESTS_PER_PERSON: '1000',
      APPROVE_OWN: 'true',
      ...settings,
    };
    const runs = [processes.service(environment), processes.service(environment)];
    const beside = patient(service());
    const admin = await beside.as('admin');
    const clientOf = async (run: Run): Promise<Client> => new PatientClient(await run.ready(), admin.headers);
    const clients = await Promise.all(runs.map(clientOf));
    pair = {
      service: beside,
      client: turn => clients[turn % clients.length]!,
      replace: async turn => {
        const at = turn % clients.length;
        await runs[at]!.stop('SIGKILL');
        runs[at] = processes.service(environment);
        clients[at] = await clientOf(runs[at]);
      },
      stop: async () => void (await Promise.all(runs.map(run => run.stop()))),
    };
  });
  return () => pair!;
}

/** Runs this many at the same time. */
export const atOnce = <T>(count: number, work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
