import { open, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { receiveArchive } from '../src/domain/audit/archive-file.ts';
import { chainBatch } from '../src/domain/audit/chain.ts';
import { sealParts } from '../src/domain/audit/seal.ts';
import { verifyTrail } from '../src/domain/audit/verify.ts';
import { otherOwner } from '../src/domain/file-owner.ts';
import { sweepFiles } from '../src/domain/file-sweep.ts';
import { placeOf } from '../src/storage/storage.ts';
import { lockWaits } from './support/lock-waits.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { copyDemoFiles } from './support/storages.ts';

const now = new Date();
const ago = (months: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
const tableOf = (month: string): string => `auditoria_${month.replace('-', '_')}`;

/** Months with three entries each. */
const OLDEST = [ago(42), ago(41), ago(40)] as const;
const OLD = [ago(20), ago(19), ago(18)] as const;
const FILLED = [...OLDEST, ...OLD];
/** A month that is over, and has no entries. */
const YOUNG = ago(2);

const processes = useProcesses(afterAll);
let DATA_DIR: string;
let service: TestService;
/** The owner of the database, who can switch every trigger off. */
let owner: pg.Client;

beforeAll(async () => {
  await build();
  DATA_DIR = await processes.dataFolder();
  await copyDemoFiles(DATA_DIR);
  service = await startService({ DATA_DIR });
  // From now on the files belong to this database.
  await otherOwner(service.services);
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  await owner.query(`do $$ declare mes text := to_char(now() at time zone 'UTC', '"auditoria_"YYYY_MM'); begin
      execute format('alter table auditoria detach partition %I', mes);
      execute format('alter table auditoria attach partition %I for values from (%L) to (%L)', mes,
        date_trunc('month', now() at time zone 'UTC') at time zone 'UTC',
        (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
    end $$;
    select auditoria_criar_mes(to_date(m, 'YYYY-MM')) from unnest(array['${[...FILLED, YOUNG].join("','")}']) m;
    insert into auditoria (momento, operacao, tabela, id_registro, alteracoes)
    select (m || '-07T12:00Z')::timestamptz, 'update', 'material', n, '{}'
    from unnest(array['${FILLED.join("','")}']) m, generate_series(1, 3) n`);
  await seal();
});
afterAll(async () => {
  await owner?.end();
  await service?.stop();
});

/**
 * Seals all months that are over. A transaction in any database of the server delays the chain while it runs. These entries
 * came into months that may be sealed already, so they are waited for.
 */
const seal = (): Promise<void> =>
  eventually(async () => {
    while ((await chainBatch(service.services.orm)).more);
    const chained = 'select distinct cadeia from elo_auditoria where cadeia = any($1) order by 1';
    expect((await service.sql(chained, [FILLED])).flat()).toEqual(FILLED);
    await sealParts(service.services.orm);
    const sealed = await service.sql('select parte from selo_auditoria order by parte');
    expect(sealed.flat()).toEqual([...FILLED, YOUNG]);
  });

const start = (name: string, args: string[] = []) =>
  processes.command(name, { DATA_DIR, DATABASE_URL: service.databaseUrl }, args);

async function run(name: string, args: string[] = []) {
  const command = start(name, args);
  const { code } = await command.exited;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

const pathOf = (sha256: string): string => join(DATA_DIR, 'files', placeOf(sha256));

/** Digests of stored contents that nothing uses. */
async function unused(): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of service.services.storage.inBatches())
    found.push(...batch.map(({ sha256 }) => sha256));
  const rows = await service.sql(
    `select s from unnest($1::text[]) s where s not in (select sha256 from arquivo_digital)
       and s not in (select arquivo from selo_auditoria where arquivo is not null)`,
    [found],
  );
  return rows.flat() as string[];
}

/** Runs `audit:archive`, and other work when the file of a month is stored, and its table is in use. */
async function archiveHeldUp(months: number, month: string, meanwhile: (sha256: string) => Promise<void>) {
  const user = new pg.Client({ connectionString: service.databaseUrl });
  await user.connect();
  try {
    await user.query(`begin; lock table ${tableOf(month)} in row exclusive mode`);
    const command = start('audit-archive', ['--months', String(months)]);
    const waiting = lockWaits(`relation = '${tableOf(month)}'::regclass and mode = 'ShareLock'`);
    await eventually(async () => expect(await service.sql(waiting)).toHaveLength(1));
    const before = { stdout: command.stdout, stderr: command.stderr };
    await meanwhile((await unused())[0]!);
    await user.query('rollback');
    const { code } = await command.exited;
    return { code, before, stdout: command.stdout, stderr: command.stderr };
  } finally {
    await user.end();
  }
}

const moved = (month: string): RegExp =>
  new RegExp(`^${month}: 3 entries were moved into the file [0-9a-f]{64} \\(\\d+ bytes\\)\\.$`, 'm');

/** The archived months, and the digests of their files. */
const archives = async (): Promise<[string, string][]> =>
  (await service.sql(
    'select parte as c0, arquivo as c1 from selo_auditoria where arquivo is not null order by parte',
  )) as [string, string][];

/** Changes the trail, whose triggers refuse it. */
const unrefused = (change: string) =>
  owner.query(`set session_replication_role = replica; ${change}; set session_replication_role = default`);

const falsify = (month: string) => unrefused(`update ${tableOf(month)} set vezes = 2 where id_registro = 2`);

describe('months of the audit trail that are archived', () => {
  it('are moved by one command at a time, and another one names it', async () => {
    const { code, stdout } = await archiveHeldUp(41, OLDEST[0], async () => {
      const other = await run('audit-archive', ['--months', '36']);
      expect(other).toMatchObject({ code: 1, stdout: '' });
      expect(other.stderr).toMatch(
        /^Another npm run audit:archive works on this database: process \d+ \(sii-observer of user sii, since /m,
      );
    });
    expect([code, stdout.match(/ entries were moved /g)?.length]).toEqual([0, 1]);
  });

  it('are passed over by a command that has lost its turn, if another one has moved them meanwhile', async () => {
    const [, first, moved] = OLDEST;
    const file = 'f'.repeat(64);
    const { code, stdout, stderr } = await archiveHeldUp(36, first, async () => {
      // What the other one leaves of two months.
      await unrefused(`create table elos as select * from elo_auditoria where cadeia = '${moved}';
        delete from elo_auditoria where cadeia = '${moved}';
        update selo_auditoria set arquivo = '${file}', tamanho = 1, arquivado_em = now()
        where parte in ('${first}', '${moved}')`);
    });
    await unrefused(`insert into elo_auditoria overriding system value select * from elos; drop table elos;
      update selo_auditoria set arquivo = null, tamanho = null, arquivado_em = null where arquivo = '${file}'`);
    expect(code).toBe(0);
    expect(stderr).not.toContain('was not archived');
    expect(stdout).not.toContain('were moved');
    expect(await service.sql(`select count(*)::int from ${tableOf(first)}`)).toEqual([[3]]);
  });

  it('keep the file that an interrupted attempt left, also if a sweep saw it before', async () => {
    const { code, stdout } = await archiveHeldUp(36, OLDEST[2], async sha256 => {
      await utimes(pathOf(sha256), new Date(0), new Date(0));
      expect((await sweepFiles(service.services, 3600)).removed).toEqual([]);
    });
    expect(code).toBe(0);
    for (const month of OLDEST.slice(1)) expect(stdout).toMatch(moved(month));
    const found = await archives();
    expect(found.map(([month]) => month)).toEqual(OLDEST);
    for (const [, sha256] of found) expect(await service.services.storage.has(sha256)).toBe(true);
  });

  /** Runs a command while the storage does not send this content. */
  const withoutSending = async (sha256: string, command: string, args: string[]) => {
    const folder = dirname(pathOf(sha256));
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'where a folder should be');
    const ended = await run(command, args);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    return ended;
  };

  it('are verified although their file is read for longer than a write may be silent', async () => {
    const quick = await startService({ DATA_DIR, STATEMENT_TIMEOUT_MS: '1000' }, service);
    try {
      const { storage } = quick.services;
      const open = storage.open.bind(storage);
      const opened = vi.spyOn(storage, 'open').mockImplementation(async (...asked) => {
        await sleep(1_500);
        return open(...asked);
      });
      const { findings, unread } = await verifyTrail(quick.services, [], () => undefined);
      expect({ findings, unread }).toEqual({ findings: [], unread: [] });
      expect(opened).toHaveBeenCalledTimes(OLDEST.length);
    } finally {
      await quick.stop();
    }
  });

  it('are verified also if the storage does not send one of them, which is named', async () => {
    const [[, unread]] = (await archives()) as [[string, string]];
    const { code, stderr } = await withoutSending(unread, 'audit-verify', []);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`not verified:\\n  the archive of ${OLDEST[0]} \\(${unread}\\) could not be read\\n`),
    );
    expect(stderr).toMatch(/^[1-9]\d* other entries were read\. Verify again\.$/m);
    expect(stderr).not.toContain('was changed');
  });

  it('are searched also if the storage does not send one of them, which is named', async () => {
    const [[, unread]] = (await archives()) as [[string, string]];
    const search = await withoutSending(unread, 'audit-search', ['--record', '2']);
    expect(search.code).toBe(1);
    const found = search.stdout.trim().split('\n');
    expect(found.map(line => (JSON.parse(line) as { momento: string }).momento)).toEqual(
      OLDEST.slice(1).map(month => `${month}-07T12:00:00.000Z`),
    );
    expect(search.stderr).toContain(`  the archive of ${OLDEST[0]} (${unread}) could not be read\n`);
  });

  it('are named by a sweep and a search if their file is missing or damaged', async () => {
    const [[, lost], [, damaged]] = (await archives()) as [[string, string], [string, string]];
    await service.services.storage.remove(lost);
    await truncate(pathOf(damaged), 20);
    const search = await run('audit-search', ['--record', '2']);
    expect(search.code).toBe(1);
    const found = search.stdout.trim().split('\n');
    expect(found.map(line => (JSON.parse(line) as { momento: string }).momento)).toEqual([
      `${OLDEST[2]}-07T12:00:00.000Z`,
    ]);
    expect(search.stderr).toContain(`  the archive of ${OLDEST[0]} (${lost}) is missing\n`);
    expect(search.stderr).toContain(`  the archive of ${OLDEST[1]} (${damaged}) is damaged\n`);
    expect(search.stderr).not.toContain('    at ');
    const sweep = await run('files-sweep');
    expect(sweep.code).toBe(1);
    const named = (sha256: string, what: string): RegExp =>
      new RegExp(`^  ${sha256} \\(\\d+ bytes\\) is ${what}$`, 'm');
    expect(sweep.stderr).toMatch(named(lost, `missing; archive of ${OLDEST[0]}`));
    expect(sweep.stderr).toMatch(named(damaged, `damaged; archive of ${OLDEST[1]}`));
  });

  it('are told one by one. Those that differ from their seal or lose their file stay, and so do young ones', async () => {
    await falsify(OLD[0]);
    const { code, before, stdout, stderr } = await archiveHeldUp(13, OLD[2], sha256 =>
      service.services.storage.remove(sha256),
    );
    expect(code).toBe(1);
    expect(before.stdout).toMatch(moved(OLD[1]));
    expect(before.stderr).toContain(`${OLD[0]} was not archived, because it is not as it was sealed: entry`);
    expect(stdout).toBe(before.stdout);
    expect(stderr).toContain(`${OLD[2]} was not archived, because the storage took its file (`);
    expect(stderr).toContain(`Still in the database, for the reasons above: ${OLD[0]}, ${OLD[2]}.`);
    expect((await archives()).map(([month]) => month)).toEqual([...OLDEST, OLD[1]]);
    expect(await service.sql(`select count(*)::int from ${tableOf(OLD[2])}`)).toEqual([[3]]);
  });

  it('leave nothing on a full disk, and the reason is told', async () => {
    const handle = await open(
      pathOf((await service.sql('select sha256 from arquivo_digital'))[0]![0] as string),
    );
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' });
    const write = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(full);
    try {
      let ended = false;
      async function* entries() {
        try {
          for (;;) yield { link: Buffer.alloc(32), text: JSON.stringify({ id: Math.random() }) };
        } finally {
          ended = true;
        }
      }
      await expect(receiveArchive(service.services.storage, entries())).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        cause: full,
      });
      await eventually(() => expect(ended).toBe(true));
    } finally {
      write.mockRestore();
      await handle.close();
    }
  });
});
