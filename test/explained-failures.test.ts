import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../src/errors.ts';
import { explain } from '../src/process/explain.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';

const LOCKED =
  /^Another transaction, perhaps of the same command, held for too long .+ Then start again\.\n?$/;

describe('a command', () => {
  const processes = useProcesses();
  beforeAll(build);

  it('says what to do when another one of its kind holds what it needs', async () => {
    const database = await cloneDatabase({ empty: true });
    const other = new pg.Client({ connectionString: database.url });
    try {
      const environment = { DATABASE_URL: database.url, DATA_DIR: await processes.dataFolder() };
      expect((await processes.command('migrate', environment).exited).code).toBe(0);
      await other.connect();
      await other.query('begin; lock table chave_api in share row exclusive mode');
      const seed = processes.command('seed-demo', environment);
      expect((await seed.exited).code).toBe(1);
      expect(seed.stderr).toMatch(LOCKED);
    } finally {
      await other.end();
      await database.drop();
    }
  });
});

describe('an explanation of a failure', () => {
  it('names the causes, and has a stack only of a fault of the service', () => {
    const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:1')]), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    const away = new AppError('UNAVAILABLE', { cause: refused });
    expect(explain(away)).toBe('Service unavailable\nECONNREFUSED');
    const ended = new Error('select 1', {
      cause: Object.assign(new Error('shutting down'), { code: '57P01' }),
    });
    expect(explain(ended)).toBe('select 1\nshutting down');
    expect(explain(new Error('Connection terminated unexpectedly'))).toBe(
      'Connection terminated unexpectedly',
    );
    for (const code of ['55P03', '40P01'])
      expect(explain(new Error('insert', { cause: Object.assign(new Error('lock'), { code }) }))).toMatch(
        LOCKED,
      );
    expect(explain(new TypeError('x is not a function'))).toContain('\n    at ');
  });
});
