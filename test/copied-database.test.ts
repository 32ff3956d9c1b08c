import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';

const webhooks = '/institucional/webhooks';
const environment = { WEBHOOK_KEY: 'k'.repeat(32) };

describe('the webhooks of a database', () => {
  const processes = useProcesses(afterAll);
  const databases: { url: string; drop: () => Promise<void> }[] = [];
  let original: { url: string };
  let copy: { url: string };
  let id: number;

  async function made(of?: string): Promise<{ url: string }> {
    const database = await cloneDatabase(of === undefined ? {} : { of });
    databases.push(database);
    return database;
  }

  const migrate = async ({ url }: { url: string }): Promise<string> => {
    const run = processes.command('migrate', { ...environment, DATABASE_URL: url });
    expect((await run.exited).code, run.stderr).toBe(0);
    return run.stdout + run.stderr;
  };

  async function using<T>({ url }: { url: string }, work: (service: TestService) => Promise<T>): Promise<T> {
    const service = await startService(environment, { databaseUrl: url });
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  }

  const stateIn = (database: { url: string }): Promise<object> =>
    using(database, async service => {
      const { body } = await (await service.as('admin')).get(`${webhooks}/${id}`);
      return { situacao: body.situacao, motivo: body.motivo };
    });

  beforeAll(async () => {
    await build();
    original = await made();
    await migrate(original);
    id = await using(original, async service => {
      const admin = await service.as('admin');
      const { body } = await admin.post(webhooks, {
        url: 'https://receiver.example/',
        eventos: ['lote.criado'],
      });
      return body.id as number;
    });
    copy = await made(original.url);
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  it('are paused in its copy, which says so once, until somebody resumes them', async () => {
    expect(await migrate(copy)).toContain('its webhooks are paused');
    expect(await stateIn(copy)).toEqual({ situacao: 'pausado', motivo: 'copia' });
    await using(copy, async service => {
      const admin = await service.as('admin');
      expect((await admin.post(`${webhooks}/retomar`, { id })).status).toBe(200);
    });
    expect(await migrate(copy)).not.toContain('paused');
    expect(await stateIn(copy)).toEqual({ situacao: 'ativo', motivo: null });
  });

  it('go on in the original', async () => {
    expect(await migrate(original)).not.toContain('paused');
    expect(await stateIn(original)).toEqual({ situacao: 'ativo', motivo: null });
  });
});
