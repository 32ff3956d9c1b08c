import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { fillWithDemo } from './support/demo-database.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { patient } from './support/patient.ts';
import { ownedDatabase, type OwnedDatabase } from './support/owned-database.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { sql } from './support/sql.ts';

const files = '/arquivosdigitais/arquivos-digitais';

/** Clients that move stock and send files, one request after another, until they are stopped. */
class Load {
  readonly done = { movements: 0, files: 0 };
  #stopping = false;
  /** Rejects when a request is refused. */
  readonly running: Promise<void>;

  constructor(admin: Client) {
    const forever = async (work: () => Promise<void>): Promise<void> => {
      while (!this.#stopping) await work();
    };
    this.running = Promise.all([
      ...[2, 4].map(kind => forever(() => this.#move(admin, kind))),
      forever(() => this.#send(admin)),
    ]).then(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.running;
  }

  /** Entries of two and consumptions of one, of the same cell. */
  async #move(admin: Client, id_tipo_movimentacao: number): Promise<void> {
    const side = id_tipo_movimentacao === 2 ? 'id_local_destino_fim' : 'id_local_origem_fim';
    const movement = {
      id_lote: 1,
      id_tipo_movimentacao,
      [side]: 1,
      quantidade: id_tipo_movimentacao === 2 ? 2 : 1,
    };
    const { status } = await admin.post('/almoxarifadoquimicos/movimentacoes-estoque', {
      movimentacoes: [{ ...movement, fl_estorno: 'N' }],
    });
    if (status === 201) this.done.movements++;
    else if (status !== 409) throw new Error(`a movement was answered ${status}`);
  }

  async #send(admin: Client): Promise<void> {
    const { status } = await admin.post(files, {
      id_tabela_origem: 1,
      nome_tabela_origem: 'carga',
      nome: 'dados.bin',
      tipo_mime: 'application/octet-stream',
      conteudo: randomBytes(3000).toString('base64'),
    });
    if (status === 201) this.done.files++;
    else throw new Error(`a file was answered ${status}`);
  }
}

/** As on a server that was used for a long time: its transaction numbers are higher than those of a new one. */
const MANY_TRANSACTIONS = `do $$ begin
  for i in 1..20000 loop
    perform pg_current_xact_id();
    commit;
  end loop;
end $$`;
const NOT_YET = 'select count(*)::int from auditoria where transacao > pg_current_xact_id()';
/** Digest of everything in the trail except the numbers of transactions. */
const TRAIL = `select md5(string_agg((to_jsonb(a) - 'transacao')::text, ',' order by id)) from auditoria a`;

describe.runIf(hasPostgres())('a backup that is made of two roles while stock moves and files arrive', () => {
  const processes = useProcesses(afterAll);
  let server: InstalledPostgres;
  /** Where the backup is restored. */
  let other: InstalledPostgres;
  let target: OwnedDatabase;
  let restored: { DATABASE_URL: string; DATA_DIR: string };
  let token: string;
  let done: Load['done'];

  const migrateAs = async ({ asOwner, app }: OwnedDatabase): Promise<void> => {
    const run = processes.command('migrate', { DATABASE_URL: asOwner }, [app]);
    expect([(await run.exited).code, run.stderr]).toEqual([0, '']);
  };
  /** A service with the demo data. */
  const fill = async (source: OwnedDatabase, dataDir: string): Promise<TestService> => {
    await fillWithDemo(source.asOwner, dataDir);
    await migrateAs(source);
    return patient(await startService({ DATA_DIR: dataDir }, { databaseUrl: source.asApp }));
  };

  beforeAll(async () => {
    await build();
    server = await InstalledPostgres.start(await processes.dataFolder());
    other = await InstalledPostgres.start(await processes.dataFolder());
    await sql(server.url('postgres'), MANY_TRANSACTIONS);
    const [dataDir, backup] = [await processes.dataFolder(), await processes.dataFolder()];
    const source = await ownedDatabase(server);
    const service = await fill(source, dataDir);
    const admin = (await service.as('admin')).with(systemHeaders);
    token = admin.headers['token']!;
    const load = new Load(admin);
    const runs = (more: number) => {
      const before = { ...load.done };
      const enough = eventually(() => {
        if (load.done.movements < before.movements + more || load.done.files < before.files + more)
          throw new Error('not enough done yet');
      });
      return Promise.race([enough, load.running]);
    };
    await runs(10);
    const dump = join(backup, 'sii.dump');
    await server.client('pg_dump', ['--format=custom', `--file=${dump}`, source.asApp]);
    await runs(10);
    // An upload in progress is not yet a content, and may disappear during the copy.
    const filter = (source: string): boolean => basename(source) !== 'incoming';
    await cp(join(dataDir, 'files'), join(backup, 'files'), { recursive: true, filter });
    await runs(10);
    await load.stop();
    done = { ...load.done };
    await service.stop();
    // The roles have other names there.
    target = await ownedDatabase(other);
    const into = `--dbname=${target.asOwner}`;
    await other.client('pg_restore', ['--exit-on-error', '--no-owner', '--no-privileges', into, dump]);
    restored = { DATABASE_URL: target.asApp, DATA_DIR: backup };
  });
  afterAll(() => Promise.all([server.stop(), other.stop()]));

  it('works in another server after npm run migrate, which corrects transaction numbers and statistics', async () => {
    const { url } = target;
    const numbers = async (): Promise<unknown> => (await sql(url, NOT_YET))[0]![0];
    const trail = await sql(url, TRAIL);
    expect(await numbers()).toBeGreaterThan(0);
    await migrateAs(target);
    expect(await numbers()).toBe(0);
    expect(await sql(url, TRAIL)).toEqual(trail);
    const looked = `select count(*)::int from pg_stats where schemaname = 'public' and tablename = 'movimentacao'`;
    expect((await sql(url, looked))[0]![0]).toBeGreaterThan(0);
  });

  it('has a ledger that adds up', async () => {
    const run = processes.command('ledger-verify', restored);
    expect([(await run.exited).code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^All \d+ cells of stock match their \d+ movements, batch by batch\.\n$/);
  });

  it('has every content that its records name, without damage', async () => {
    const run = processes.command('files-sweep', restored, ['--take-over']);
    expect([(await run.exited).code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/All \d+ contents in use are present and undamaged\.\n$/);
  });

  it('can be served: sessions are valid, people log in, and work goes on', async () => {
    const client = await processes.service(restored).client();
    const stood = client.with({ ...systemHeaders, token });
    const { body } = await stood.get(`${files}?apenasInformacao=true&nomeTabelaOrigem=carga`);
    const carried = body.total as number;
    expect(carried).toBeGreaterThanOrEqual(10);
    expect(carried).toBeLessThan(done.files);
    const movement = {
      id_lote: 1,
      id_tipo_movimentacao: 2,
      id_local_destino_fim: 1,
      quantidade: 1,
      fl_estorno: 'N',
    };
    const almoxarife = await client.login('almoxarife');
    const moved = await almoxarife.post('/almoxarifadoquimicos/movimentacoes-estoque', {
      movimentacoes: [movement],
    });
    expect(moved.status).toBe(201);
    const { id } = moved.body.data[0];
    const { data } = await stood.graphql(
      `{ trilhaAuditoria(tabela: "movimentacao", idRegistro: ${id}) { total } }`,
    );
    expect(data.trilhaAuditoria.total).toBe(1);
  });

  it('still has the triggers that refuse changes', async () => {
    const url = target.asOwner;
    for (const statement of [
      'delete from auditoria',
      "update auditoria set transacao = '0'",
      "update auditoria set transacao = '9999999999'",
      "update auditoria set requisicao = 'x'",
      'delete from movimentacao where id_status_movimentacao = 2',
    ])
      await expect(other.client('psql', ['-v', 'ON_ERROR_STOP=1', '-c', statement, url])).rejects.toThrow(
        /append-only|no longer pending/,
      );
  });
});
