import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { grantToApplication } from '../src/database/application-role.ts';
import { migrate } from '../src/database/migrate.ts';
import { openOrm } from '../src/database/orm.ts';
import { databaseSettings } from '../src/services.ts';
import { cloneDatabase } from './support/clone.ts';
import { ownedDatabase, type OwnedDatabase } from './support/owned-database.ts';
import { sql } from './support/sql.ts';

/** Creates the table `informado_mapa`. */
const CREATES = 'Migration20261129000132';
/** Adds the column `arquivo` to `andamento_importacao`. */
const NEXT = 'Migration20261129000133';

/** Migrated, with the rights of the role that runs the service. */
let origin: OwnedDatabase;
let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let orm: MikroORM;

const of = (database: string, as: string): string =>
  Object.assign(new URL(as), { pathname: new URL(database).pathname }).href;
const asSuperuser = (statements: string) => sql(clone.url, statements);
const asOwner = (statements: string) => sql(of(clone.url, origin.asOwner), statements);
const asApp = (statements: string) => sql(of(clone.url, origin.asApp), statements);

const settings = (url: string) => databaseSettings(readConfig({}), url);
const log = pino({ level: 'silent' });
const migrateAsOwner = (wait = {}) =>
  migrate({ orm, log }, settings(of(clone.url, origin.asOwner)), async () => [], wait);

beforeAll(async () => {
  origin = await ownedDatabase();
  const own = await openOrm(settings(origin.asOwner));
  await migrate({ orm: own, log }, settings(origin.asOwner), async () => []);
  await grantToApplication(own, origin.app);
  await own.close();
});
afterAll(() => origin.drop());

async function open(options: { of?: string; empty?: boolean }): Promise<void> {
  clone = await cloneDatabase(options);
  await asSuperuser(`alter database ${new URL(clone.url).pathname.slice(1)} owner to "${origin.owner}"`);
  orm = await openOrm(settings(of(clone.url, origin.asOwner)));
}
afterEach(async () => {
  await orm.close();
  await clone.drop();
});

/** A database before these migrations, of which the first one was the last to run. */
async function before(...migrations: string[]): Promise<void> {
  await open({ of: origin.url });
  for (const name of migrations) await orm.migrator.down({ migrations: [name] });
}

async function rightsOn(role: string, relation: string): Promise<string[]> {
  const found = await asSuperuser(
    `select p from unnest('{select,insert,update,delete,truncate}'::text[]) p where has_table_privilege('${role}', '${relation}', p)`,
  );
  return found.flat().map(String);
}

describe('while the owner migrates, the role that runs the version before', () => {
  it('may use a new table as soon as its migration is committed, also when a later one fails', async () => {
    await before(NEXT, CREATES);
    await asOwner('alter table andamento_importacao add arquivo text');
    await expect(migrateAsOwner()).rejects.toThrow('arquivo');
    expect(await asApp('select count(*)::int from informado_mapa')).toEqual([[0]]);
    expect(await rightsOn(origin.app, 'informado_mapa')).toEqual(['select', 'insert', 'update', 'delete']);
    await asOwner('alter table andamento_importacao drop arquivo');
    await migrateAsOwner();
  });

  it('gets on what protects the audit trail only what the service needs', async () => {
    await before(NEXT);
    const narrow = ['auditoria', 'elo_auditoria', 'selo_auditoria', 'auditoria_antes', 'auditoria_futuro'];
    const tables = [...narrow, 'mikro_orm_migrations'];
    await asOwner(`revoke all on ${tables.join()} from "${origin.app}"`);
    await migrateAsOwner();
    const rights = await Promise.all(tables.map(async table => (await rightsOn(origin.app, table)).join()));
    expect(rights).toEqual(['select,insert', 'select,insert', 'select,insert', 'select', 'select', 'select']);
  });

  it('is not mistaken: a role that only reads, or writes some tables, gets nothing', async () => {
    await before(NEXT, CREATES);
    await asOwner(`revoke all on all tables in schema public from "${origin.app}";
      grant select on all tables in schema public to "${origin.app}";
      grant insert, update, delete on movimentacao, estoque, pessoa to "${origin.app}"`);
    await migrateAsOwner();
    expect(await rightsOn(origin.app, 'informado_mapa')).toEqual([]);
    expect(await rightsOn(origin.app, 'credencial')).toEqual(['select']);
  });
});

describe('further tables in the schema', () => {
  const COPY = 'create table pessoa_antes_upgrade as select * from pessoa';
  const COUNTS = `create table relatorio_dba as
    select titulo, titulo_busca, versao, count(*) as n from material group by titulo, titulo_busca, versao`;
  const triggers = (table: string) =>
    asSuperuser(`select tgname from pg_trigger where tgrelid = '${table}'::regclass order by 1`);

  it("of an administrator stop no migration: a superuser's copy, and the owner's own", async () => {
    await before(NEXT);
    await asSuperuser(COPY);
    await asOwner(COUNTS);
    await migrateAsOwner();
    await asOwner(
      `insert into relatorio_dba values ('a', 'a', 1, 1); update relatorio_dba set n = 2; delete from relatorio_dba`,
    );
    expect([await triggers('relatorio_dba'), await triggers('pessoa_antes_upgrade')]).toEqual([[], []]);
  });

  it('of an extension stop neither the first migration nor the rights of the role that runs the service', async () => {
    await open({ empty: true });
    await asSuperuser(`create extension pg_buffercache; create extension pg_trgm;
      create table de_extensao (id int, versao int, nome text, nome_busca text); alter extension pg_trgm add table de_extensao`);
    await migrateAsOwner();
    await grantToApplication(orm, origin.app);
    expect(await triggers('de_extensao')).toEqual([]);
    expect(await rightsOn(origin.app, 'pg_buffercache')).toEqual([]);
    expect(await rightsOn(origin.app, 'pessoa')).toEqual(['select', 'insert', 'update', 'delete']);
  });

  it('that an earlier upgrade gave triggers without which nothing works lose them', async () => {
    await before('Migration20261129000138');
    await asOwner(COUNTS);
    await asOwner(`create trigger auditar_insert after insert on relatorio_dba referencing new table as novas
      for each statement execute function auditar();
      create trigger versionar before update on relatorio_dba for each row execute function versionar();
      create trigger dobrar before insert or update on relatorio_dba for each row execute function dobrar('titulo');
      comment on trigger dobrar on relatorio_dba is 'pendente'`);
    await migrateAsOwner();
    await asOwner(`insert into relatorio_dba values ('a', 'a', 1, 1)`);
    expect(await triggers('relatorio_dba')).toEqual([]);
  });
});

it('an owner whose table belongs to another role hears which, and what to do', async () => {
  await before(NEXT);
  await asSuperuser('alter table andamento_importacao owner to current_user');
  const refused = migrateAsOwner();
  await expect(refused).rejects.toThrow(/does not own .*: .*andamento_importacao\n.*alter table … owner to/s);
  await expect(refused).rejects.not.toThrow('npm run migrate');
});

it('an owner that waits for a table hears who uses it, without a time that it may not see, and who may end that', async () => {
  await before(NEXT);
  const app = new pg.Client({ connectionString: of(clone.url, origin.asApp), application_name: 'sii' });
  await app.connect();
  // The end of a failed test drops the database before.
  app.on('error', () => undefined);
  await app.query('begin; select from andamento_importacao');
  const { processID } = app as pg.Client & { processID: number };
  const refused = migrateAsOwner({ patienceMs: 1 });
  await expect(refused).rejects.toThrow(`by process ${processID} (sii of user ${origin.app}). Wait`);
  await expect(refused).rejects.toThrow('pg_signal_backend');
  await app.end();
});
