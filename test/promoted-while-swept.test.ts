import { createHash } from 'node:crypto';
import { access, mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrm } from '../src/database/orm.ts';
import { Servers } from '../src/database/servers.ts';
import { chainBatch } from '../src/domain/audit/chain.ts';
import { sealParts } from '../src/domain/audit/seal.ts';
import { placeOf } from '../src/storage/storage.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { sql } from './support/sql.ts';
import { copyDemoFiles } from './support/storages.ts';

const MONTH = '2020-01';

describe.runIf(hasPostgres())('a standby that is promoted while commands work on the old primary', () => {
  const processes = useProcesses(afterAll);
  let old: InstalledPostgres;
  let promoted: InstalledPostgres;

  const onOld = (text: string): Promise<unknown[][]> => sql(old.url('sii'), text);
  const environment = (DATA_DIR: string) => ({
    DATABASE_URL: `postgresql://postgres@127.0.0.1:${old.port},127.0.0.1:${promoted.port}/sii`,
    DATA_DIR,
  });

  beforeAll(async () => {
    await build();
    old = await InstalledPostgres.start(await processes.dataFolder());
    await old.create('sii');
    const DATA_DIR = await processes.dataFolder();
    await processes.command('seed-demo', { DATABASE_URL: old.url('sii'), DATA_DIR }).exited;
    await sealMonth();
    promoted = await old.standby(await processes.dataFolder());
  });
  afterAll(() => Promise.all([old, promoted].map(server => server.stop())));

  async function sealMonth(): Promise<void> {
    // The first month of a new database reaches back without an end.
    await onOld(`do $$ declare mes text := to_char(now() at time zone 'UTC', '"auditoria_"YYYY_MM'); begin
        execute format('alter table auditoria detach partition %I', mes);
        execute format('alter table auditoria attach partition %I for values from (%L) to (%L)', mes,
          date_trunc('month', now() at time zone 'UTC') at time zone 'UTC',
          (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
      end $$;
      select auditoria_criar_mes('${MONTH}-01');
      insert into auditoria (momento, operacao, tabela, id_registro, alteracoes)
        values ('${MONTH}-07T12:00Z', 'update', 'material', 1, '{}')`);
    const settings = { pool: 2, statementTimeoutMs: 60_000, timeZone: 'America/Sao_Paulo' };
    const orm = await openOrm({ ...settings, servers: new Servers(old.url('sii')) });
    while ((await chainBatch(orm)).more);
    await sealParts(orm);
    await orm.close();
  }

  /** A folder with the files of the demo, and with old contents that no record uses. */
  async function folderWith(...orphans: string[]): Promise<{ folder: string; paths: string[] }> {
    const folder = await processes.dataFolder();
    await copyDemoFiles(folder);
    const sweep = processes.command('files-sweep', environment(folder));
    expect((await sweep.exited).code, sweep.stderr).toBe(0);
    const paths = orphans.map(text =>
      join(folder, 'files', placeOf(createHash('sha256').update(text).digest('hex'))),
    );
    for (const [i, path] of paths.entries()) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, orphans[i]!);
      await utimes(path, new Date(0), new Date(0));
    }
    return { folder, paths };
  }

  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  it('ends them: a sweep removes nothing more, and no month leaves the trail', async () => {
    const [full, clean, archives] = await Promise.all([
      folderWith('one', 'two', 'three'),
      folderWith(),
      folderWith(),
    ]);
    // What marks a removal, drops old claims or claims an archive waits on the old primary.
    await onOld(`create table portao as select false as aberto;
      create function espera() returns trigger language plpgsql as $$ begin
        while not (select aberto from portao) loop perform pg_sleep(0.02); end loop;
        return null;
      end $$;
      create trigger espera after insert or delete on envio_arquivo for each statement execute function espera()`);
    const commands = [
      processes.command('files-sweep', environment(full.folder)),
      processes.command('files-sweep', environment(clean.folder)),
      processes.command('audit-archive', environment(archives.folder)),
    ] as const;
    const waiting = `select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'`;
    await eventually(async () => expect(await onOld(waiting)).toEqual([[commands.length]]));
    await promoted.promote();
    await onOld('update portao set aberto = true');
    for (const command of commands) {
      expect((await command.exited).code).toBe(1);
      expect(command.stderr).toContain(
        'Another server of DATABASE_URL has become the primary meanwhile. The ',
      );
    }
    // The one whose removal had begun.
    const left = await Promise.all(full.paths.map(isThere));
    expect(left.filter(Boolean)).toHaveLength(2);
    expect(await onOld(`select arquivo from selo_auditoria where parte = '${MONTH}'`)).toEqual([[null]]);
  });
});
