import { Client as Connection } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const POOL = 4;
const service = useService({ DATABASE_POOL: `${POOL}`, MAX_REQUESTS_PER_PERSON: '' });
const materials = '/almoxarifadoquimicos/materiais';
const units = '/almoxarifadoquimicos/unidades-medida';

/** Requests that wait, because the table is locked. */
const faces: Record<string, (client: Client) => Promise<{ status: number; headers: Headers; body: any }>> = {
  REST: client => client.get(`${materials}/1`),
  GraphQL: client => client.post('/graphql', { query: '{ material(id: 1) { id } }' }),
};

describe.each(Object.entries(faces))('over %s, one person with many requests at a time', (_, read) => {
  let blocker: Connection;

  beforeEach(async () => {
    blocker = new Connection({ connectionString: service().databaseUrl });
    await blocker.connect();
    await blocker.query('begin; lock table material in access exclusive mode');
  });

  afterEach(() => blocker.end());

  const blocked = async (): Promise<number> => {
    const sql = `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%material%'`;
    return (await service().sql(sql))[0]![0] as number;
  };

  it('leaves connections for others, and gets Retry-After', async () => {
    const [admin, other] = [await service().as('admin'), await service().as('almoxarife')];
    const answers = Array.from({ length: 3 * POOL }, () => read(admin));
    await eventually(async () => expect(await blocked()).toBe(POOL / 2));
    expect((await other.get(units)).status).toBe(200);
    // The lock lasts longer than the wait, so some requests get their turn, and get the error that the database is
    // busy.
    const codes: string[] = [];
    for (const { headers, body } of await Promise.all(answers)) {
      codes.push(body.code ?? body.errors[0].extensions.code);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(new Set(codes)).toEqual(new Set(['RATE_LIMITED', 'UNAVAILABLE']));
    await blocker.query('rollback');
    expect((await read(admin)).status).toBe(200);
  });

  it('gets answers one after the other if each turn comes soon enough', async () => {
    const admin = await service().as('admin');
    const answers = Array.from({ length: 3 * POOL }, () => read(admin));
    await eventually(async () => expect(await blocked()).toBe(POOL / 2));
    await blocker.query('rollback');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
