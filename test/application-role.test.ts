import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { grantToApplication } from '../src/database/application-role.ts';
import { checkDatabase } from '../src/database/check.ts';
import { openOrm } from '../src/database/orm.ts';
import { seedDemo } from '../src/demo/demo.ts';
import { databaseSettings } from '../src/services.ts';
import { type Client, systemHeaders } from './support/client.ts';
import { ownedDatabase, type OwnedDatabase } from './support/owned-database.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { startService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { copyDemoFiles } from './support/storages.ts';

const processes = useProcesses(afterAll);
let database: OwnedDatabase;
let url: string;
let asOwner: string;
let asApp: string;
let service: Run;
let client: Client;

async function done(run: Run): Promise<string> {
  const { code } = await run.exited;
  expect({ code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
  return run.stdout;
}

beforeAll(async () => {
  await build();
  database = await ownedDatabase();
  ({ url, asOwner, asApp } = database);
});
afterAll(() => database.drop());

describe('the service under a role that owns nothing', () => {
  it('does not start before the owner has migrated, and says so', async () => {
    const run = processes.service({ DATABASE_URL: asApp });
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).toContain('The tables cannot be created');
    expect(run.stderr).toContain(`npm run migrate -- ${database.app} first`);
  });

  it('does not start before the owner has named it, and says so', async () => {
    await done(processes.command('migrate', { DATABASE_URL: asOwner }));
    const run = processes.service({ DATABASE_URL: asApp });
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).not.toContain('cannot be created');
    expect(run.stderr).toContain(
      `With the DATABASE_URL of ${database.owner}, run: npm run migrate -- ${database.app}`,
    );
  });

  it('gets its rights from the command that migrates', async () => {
    const migrate = processes.command('migrate', { DATABASE_URL: asOwner }, [database.app]);
    expect(await done(migrate)).toBe(
      `The database is at this version, and ${database.app} may run the service on it.\n`,
    );
  });

  it('gets none from itself, and hears whose DATABASE_URL is needed', async () => {
    const run = processes.command('migrate', { DATABASE_URL: asApp }, [database.app]);
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).toMatch(new RegExp(`Only the owner .*${database.owner}.* Set DATABASE_URL`));
  });

  it('is one role: a second name is refused', async () => {
    const run = processes.command('migrate', { DATABASE_URL: asOwner }, [database.app, 'reports']);
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).toContain('Usage: npm run migrate');
  });

  it.each([
    ['is not there', () => 'nobody', 'There is no role'],
    ['owns the tables', () => database.owner, 'its rights cannot be limited'],
  ])('is not a role that %s', async (_what, role, said) => {
    const orm = await openOrm(databaseSettings(readConfig({}), asOwner));
    await expect(grantToApplication(orm, role())).rejects.toThrow(said);
    await orm.close();
  });

  it('starts, and takes demo data and imports', async () => {
    const beside = await startService({ DATA_DIR: await processes.dataFolder() }, { databaseUrl: asApp });
    expect(await seedDemo(beside.services)).toBe(true);
    const file = join(await processes.dataFolder(), 'lotacoes.csv');
    await writeFile(file, 'sigla;nome\nNOVA;Unidade nova\n');
    await beside.stop();
    const run = processes.command('import', { DATABASE_URL: asApp }, ['lotacoes', file]);
    // Its user may not analyse the tables, so reads do not become fast at once.
    expect(await done(run)).toMatch(/: 1 created, 0 changed, 0 unchanged\.\n.*may not analyse the tables/);
    service = processes.service({ DATABASE_URL: asApp });
    client = await service.client();
    expect((await client.get('/readyz')).body).toMatchObject({ status: 'ready' });
  });

  it('moves stock, approves, changes passwords and shows the trail', async () => {
    const [tecnico, admin] = [await client.login('tecnico'), await client.login('admin')];
    const cell = async (controlled: boolean): Promise<Record<string, number>> => {
      const { data } = await admin.graphql(
        `{ estoques(pagination: false) { data { idLote idLocalFim idLocalArmazenado quantidade lote { material { tipoControle { exigeAprovacao } } } } } }`,
      );
      return data.estoques.data.find(
        (row: any) =>
          row.quantidade > 2 && (row.lote.material.tipoControle?.exigeAprovacao ?? false) === controlled,
      );
    };
    const take = async ({ idLote, idLocalFim, idLocalArmazenado }: Record<string, number>) => {
      const movement = {
        id_lote: idLote,
        id_tipo_movimentacao: 4,
        id_local_origem_fim: idLocalFim,
        id_local_origem_arm: idLocalArmazenado,
        quantidade: 1,
        fl_estorno: 'N',
      };
      const { body } = await tecnico.post('/almoxarifadoquimicos/movimentacoes-estoque', {
        movimentacoes: [movement],
      });
      return body.data[0];
    };
    expect(await take(await cell(false))).toMatchObject({ id_status_movimentacao: 2 });
    const pending = await take(await cell(true));
    expect(pending).toMatchObject({ id_status_movimentacao: 1 });
    const approved = await admin.graphql(
      `mutation { aprovarMovimentacao(idMovimentacao: ${pending.id}) { situacao } }`,
    );
    expect(approved.data.aprovarMovimentacao).toEqual({ situacao: 'APROVADA' });
    const password = { username: 'tecnico', password: 'another long password' };
    expect((await tecnico.with(systemHeaders).put('/auth/senha', password)).status).toBe(200);
    const { data } = await admin.graphql(
      `{ trilhaAuditoria(tabela: "movimentacao", idRegistro: ${pending.id}) { data { operacao } } }`,
    );
    expect(data.trilhaAuditoria.data).toEqual([{ operacao: 'INCLUSAO' }, { operacao: 'ALTERACAO' }]);
  });

  it('corrects the transaction numbers of a restored trail, and can change nothing else that way', async () => {
    const row = `insert into auditoria (tabela, id_registro, operacao, alteracoes, transacao)
      values ('material', 1, 'insert', '{}', '99999999999')`;
    await sql(url, row);
    const foreign = 'select count(*)::int from auditoria where transacao > pg_current_xact_id()';
    expect(await sql(url, foreign)).toEqual([[1]]);
    const app = new pg.Client({ connectionString: asApp });
    await app.connect();
    // With a table of the same name, it would act with the owner's rights.
    await app.query(`create temporary table auditoria (tabela text, transacao xid8);
      insert into auditoria values ('material', '99999999999');
      create function pg_temp.acted() returns trigger language plpgsql as $$
        begin raise exception 'acted as %', current_user; end $$;
      create trigger acted before update on auditoria for each row execute function pg_temp.acted()`);
    await app.query('select auditoria_restaurada()');
    await app.end();
    expect(await sql(url, foreign)).toEqual([[0]]);
  });

  it('says at its start that the order of texts has changed under the indexes, until the owner has repaired it', async () => {
    const name = new URL(url).pathname.slice(1);
    const outdated = async () =>
      (await checkDatabase(databaseSettings(readConfig({}), asApp))).outdatedCollations;
    expect(await outdated()).toEqual([]);
    // As after an update of ICU and libc.
    await sql(url, `update pg_collation set collversion = '0' where collname = 'pt_br'`);
    await sql(url, `update pg_database set datcollversion = '0' where datname = current_database()`);
    const run = processes.service({ DATABASE_URL: asApp });
    await run.logged('the order of texts has changed under the indexes');
    expect(run.stderr).toContain(`"outdated":["database ${name}","collation pt_br"]`);
    await sql(asOwner, `reindex database ${name}`);
    await sql(asOwner, 'alter collation pt_br refresh version');
    await sql(asOwner, `alter database ${name} refresh collation version`);
    expect(await outdated()).toEqual([]);
  });

  it.each([
    'update auditoria set id_pessoa = 1',
    'delete from auditoria',
    'truncate auditoria',
    'delete from auditoria_antes',
    'delete from auditoria_futuro',
    `insert into auditoria_futuro (operacao, alteracoes) values ('insert', '{}')`,
    'alter table auditoria detach partition auditoria_futuro',
    'delete from elo_auditoria',
    'update selo_auditoria set elo = elo',
    'alter table auditoria disable trigger all',
    'alter table movimentacao disable trigger all',
    'truncate movimentacao cascade',
    `set session_replication_role = replica`,
    'drop table movimentacao',
    'drop trigger auditar_update on estoque',
    'create table nova (id int)',
    'alter table estoque drop constraint estoque_quantidade_check',
    `insert into mikro_orm_migrations (name) values ('another')`,
    'create or replace function auditar() returns trigger language plpgsql as $$ begin return null; end $$',
    `copy pessoa to program 'cat'`,
  ])('is refused by the database: %s', async statement => {
    await expect(sql(asApp, statement)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(/^(permission denied|must be owner)/),
    });
  });

  it.each(['update movimentacao set quantidade = quantidade + 1', 'delete from movimentacao'])(
    'is refused by the ledger: %s',
    async statement => {
      await expect(sql(asApp, `${statement} where id_status_movimentacao = 2`)).rejects.toMatchObject({
        code: 'SI001',
      });
    },
  );

  it('chains the trail, but only the owner archives it', async () => {
    const waiting = `select from auditoria a, cadeia_auditoria c where (a.transacao, a.id) > (coalesce(c.ate_transacao, '0'), c.ate_id) limit 1`;
    await eventually(async () => expect(await sql(url, waiting)).toEqual([]));
    const verify = processes.command('audit-verify', { DATABASE_URL: asApp });
    expect(await done(verify)).toContain(' entries match their chains.');
    const archive = processes.command('audit-archive', { DATABASE_URL: asApp });
    expect((await archive.exited).code).toBe(1);
    expect(archive.stderr).toContain('Only the role that owns the database may archive');
    const DATA_DIR = await processes.dataFolder();
    await copyDemoFiles(DATA_DIR);
    await done(processes.command('audit-archive', { DATABASE_URL: asOwner, DATA_DIR }));
  });

  it('may read every table, but cannot empty or change the trail', async () => {
    const without = (right: string) =>
      sql(
        url,
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
           and not has_table_privilege('${database.app}', oid, '${right}') order by 1`,
      );
    const all = (await sql(url, `select tablename from pg_tables where schemaname = 'public'`)).length - 1;
    const parts = await sql(
      url,
      `select relname from pg_class where relispartition and relkind = 'r' union select 'auditoria_antes'`,
    );
    const closed = (...others: string[]): string[] => [...parts.flat().map(String), ...others].toSorted();
    expect(await without('select')).toEqual([]);
    expect((await without('insert')).flat()).toEqual(closed('mikro_orm_migrations'));
    const kept = closed('elo_auditoria', 'mikro_orm_migrations', 'selo_auditoria');
    expect((await without('update')).flat()).toEqual(kept);
    expect((await without('delete')).flat()).toEqual(kept);
    expect(
      await sql(url, `select has_table_privilege('${database.app}', 'auditoria', 'update, delete')`),
    ).toEqual([[false]]);
    expect(await without('truncate')).toHaveLength(all);
  });
});
