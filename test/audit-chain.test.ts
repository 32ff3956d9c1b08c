import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainBatch } from '../src/domain/audit/chain.ts';
import { headText, type Head } from '../src/domain/audit/links.ts';
import { sealParts } from '../src/domain/audit/seal.ts';
import type { Verification } from '../src/domain/audit/verification.ts';
import { verifyTrail } from '../src/domain/audit/verify.ts';
import { takeOver } from '../src/domain/file-owner.ts';
import { sweepFiles } from '../src/domain/file-sweep.ts';
import type { Storage } from '../src/storage/storage.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { startBucket, type TestStorage } from './support/storages.ts';

const processes = useProcesses(afterAll);
let folder: string;
let bucket: TestStorage;
let storage: Storage;
let started: TestService;
const service = (): TestService => started;

/** The owner of the database, who can switch every trigger off. */
let owner: pg.Client;

/** A month that is over, and whose entries may be archived. */
const OLD = '2024-03';

beforeAll(async () => {
  await build();
  folder = await processes.dataFolder();
  bucket = await startBucket();
  storage = await bucket.open();
  started = await startService(bucket.environment);
  owner = new pg.Client({ connectionString: service().databaseUrl });
  await owner.connect();
  await owner.query(`do $$ declare mes text := to_char(now() at time zone 'UTC', '"auditoria_"YYYY_MM'); begin
      execute format('alter table auditoria detach partition %I', mes);
      execute format('alter table auditoria attach partition %I for values from (''2024-05-01'') to (%L)', mes,
        (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
    end $$;
    select auditoria_criar_mes(m) from generate_series(timestamp '2024-03-01', '2024-04-01', interval '1 month') m`);
  await owner.query(
    `insert into auditoria (momento, operacao, tabela, id_registro, requisicao, alteracoes)
     select timestamptz '2024-03-01T12:00Z' + make_interval(mins => 20 * n), 'update', 'material', n, 'pedido-' || n,
       jsonb_build_object('titulo', jsonb_build_array('a' || chr(8232) || n, 'b' || chr(13) || chr(10)))
     from generate_series(1, 1500) n`,
  );
  await owner.query(
    `insert into auditoria (momento, operacao, alteracoes) select '2024-03-10T12:00Z', 'login_recusado', '{}' from generate_series(1, 2)`,
  );
  await chain();
  await sealParts(service().services.orm);
});
afterAll(async () => {
  await owner.end();
  await started.stop();
  storage.close();
  await bucket.stop();
});

/** Chains all that there is. A transaction in any database of the server delays it while it runs. */
const chain = (): Promise<void> =>
  eventually(async () => {
    while ((await chainBatch(service().services.orm)).more);
    const waiting = await service().sql(
      `select from auditoria a, cadeia_auditoria c
       where (a.transacao, a.id) > (coalesce(c.ate_transacao, '0'), c.ate_id) limit 1`,
    );
    expect(waiting).toEqual([]);
  });

const verify = (heads: readonly Head[] = []): Promise<Verification> =>
  verifyTrail(service().services, heads, () => undefined);

const TABLES = ['auditoria', 'elo_auditoria', 'selo_auditoria', 'cadeia_auditoria'];

/** What a verification finds after the owner did something, which is undone afterwards. */
async function findsAfter(
  work: string | (() => Promise<unknown>),
  heads: readonly Head[] = [],
): Promise<string[]> {
  const each = (of: (table: string) => string): string => TABLES.map(of).join(';');
  await owner.query(
    `set session_replication_role = replica; ${each(name => `create temp table _${name} as table ${name}`)}`,
  );
  try {
    await (typeof work === 'string' ? owner.query(work) : work());
    return (await verify(heads)).findings;
  } finally {
    await owner.query(
      `begin; ${each(name => `delete from ${name}; insert into ${name} overriding system value select * from _${name}; drop table _${name}`)};
       commit; set session_replication_role = default`,
    );
  }
}

const newest = async (part = 'true'): Promise<string> =>
  (
    await service().sql(`select max(id)::text from auditoria where operacao <> 'login_recusado' and ${part}`)
  )[0]![0] as string;

const current = new Date().toISOString().slice(0, 7);

describe('the chain of the audit trail', () => {
  it('has every committed entry once, in whatever order transactions end', async () => {
    const admin = await service().as('admin');
    const slow = new pg.Client({ connectionString: service().databaseUrl });
    await slow.connect();
    await slow.query(`begin; update unidade_medida set descricao = descricao || '!' where id = 1`);
    await admin.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: 'Mais nova' });
    const { orm } = service().services;
    await Promise.all([chainBatch(orm), chainBatch(orm), chainBatch(orm)]);
    const before = await verify();
    expect(before.findings).toEqual([]);
    expect(before.waiting).toBeGreaterThan(0);
    await slow.query('commit');
    await slow.end();
    await chain();
    const [[all]] = (await service().sql(`select count(*)::int from auditoria`)) as [[number]];
    expect(await verify()).toMatchObject({ findings: [], entries: all, waiting: 0, forgotten: 0 });
    const [[linked, different]] = (await service().sql(
      'select count(*)::int, count(distinct id)::int from (select unnest(ids) as id from elo_auditoria) l',
    )) as [[number, number]];
    expect([linked, different]).toEqual([all, all]);
  });

  it('goes on after a restore into a younger cluster, whose transactions have lower numbers', async () => {
    const admin = await service().as('admin');
    await admin.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: 'Antes da cópia' });
    await owner.query(
      `update cadeia_auditoria set ate_transacao = '9999999999'; select auditoria_restaurada()`,
    );
    await chain();
    await admin.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: 'Depois da cópia' });
    await chain();
    expect(await verify()).toMatchObject({ findings: [], waiting: 0 });
    await owner.query(
      `insert into auditoria (operacao, tabela, id_registro, alteracoes, transacao) values ('insert', 'material', 1, '{}', '99999999999');
       select auditoria_restaurada()`,
    );
    await chain();
    expect(await verify()).toMatchObject({ findings: [], waiting: 0 });
  });

  it('skips no transaction that ends while the trail is chained after a restore', async () => {
    const admin = await service().as('admin');
    await admin.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: 'Nova' });
    // A transaction in any database of the server, from before, would have the batch find nothing to wait for.
    await eventually(async () =>
      expect(
        await service().sql('select pg_snapshot_xmin(pg_current_snapshot()) > max(transacao) from auditoria'),
      ).toEqual([[true]]),
    );
    const [slow, locker] = [0, 1].map(() => new pg.Client({ connectionString: service().databaseUrl }));
    await Promise.all([slow!.connect(), locker!.connect()]);
    await slow!.query(`begin; update unidade_medida set descricao = descricao || '!' where id = 1`);
    await owner.query('update cadeia_auditoria set ate_transacao = null');
    await locker!.query('begin; lock table elo_auditoria in share mode');
    const chaining = chainBatch(service().services.orm);
    await eventually(async () =>
      expect(
        (
          await service().sql(
            `select count(*)::int from pg_locks where relation = 'elo_auditoria'::regclass and not granted`,
          )
        )[0],
      ).toEqual([1]),
    );
    await slow!.query('commit');
    await locker!.query('rollback');
    await chaining;
    await chain();
    expect(await verify()).toMatchObject({ findings: [], waiting: 0 });
    await Promise.all([slow!.end(), locker!.end()]);
  });

  it('names an entry that was changed', async () => {
    const id = await newest();
    expect(await findsAfter(`update auditoria set id_pessoa = 99 where id = ${id}`)).toEqual([
      `entry ${id} of ${current} does not match its link: it was changed`,
    ]);
  });

  it('names an entry that was removed, also a refusal of the last year', async () => {
    const id = await newest();
    expect(await findsAfter(`delete from auditoria where id = ${id}`)).toEqual([
      `entry ${id} of ${current} is not there: it was removed`,
    ]);
    const [[refusal]] = (await service().sql(
      `insert into auditoria (operacao, alteracoes) values ('login_recusado', '{}') returning id::text`,
    )) as [[string]];
    await chain();
    expect(await findsAfter(`delete from auditoria where id = ${refusal}`)).toEqual([
      `entry ${refusal} of ${current}-recusas is not there: it was removed`,
    ]);
  });

  it('accepts that refusals are deleted after a year', async () => {
    expect(
      await findsAfter(`delete from auditoria where operacao = 'login_recusado' and momento < '2024-05-01'`),
    ).toEqual([]);
  });

  it('names links that are missing, and an entry that was put behind the chain', async () => {
    const id = await newest();
    const gap = await findsAfter(
      `delete from elo_auditoria where id = (select id from elo_auditoria where cadeia = '${OLD}' order by primeiro limit 1)`,
    );
    expect(gap[0]).toMatch(new RegExp(`^the links of entries 1 to \\d+ of ${OLD} are missing$`));
    expect(gap[1]).toMatch(new RegExp(`^entry \\d+ of ${OLD} has no link`));
    expect(
      await findsAfter(
        `insert into auditoria (id, momento, operacao, tabela, id_registro, alteracoes, transacao) overriding system value
         values (${id}000, '2024-03-05', 'insert', 'material', 1, '{}', '3')`,
      ),
    ).toEqual([`entry ${id}000 of ${OLD} has no link: it was added later, or its link was removed`]);
  });

  it('names a sealed month to which an entry was added, and one that has no seal', async () => {
    const late = `insert into auditoria (momento, operacao, tabela, id_registro, alteracoes) values ('2024-03-05', 'insert', 'material', 1, '{}')`;
    const added = await findsAfter(async () => {
      await owner.query(late);
      await chain();
    });
    expect(added).toEqual([`chain ${OLD} has 1501 entries, but was sealed with 1500`]);
    const unsealed = await findsAfter(`delete from selo_auditoria where parte = '2024-04'`);
    expect(unsealed.join()).toContain('2024-04 is complete but has no seal');
    const taken = await findsAfter(`delete from selo_auditoria where parte = '${OLD}'`);
    expect(taken.join()).toContain('the seal of 2024-04 does not fit');
  });

  it('detects by a saved head a change that leaves no other trace', async () => {
    await chain();
    const { heads } = await verify();
    expect(await verify(heads)).toMatchObject({ findings: [], kept: heads.length, matching: heads.length });
    const id = await newest();
    const rewrite = async (): Promise<void> => {
      await owner.query(`update auditoria set id_pessoa = 99 where id = ${id};
        delete from elo_auditoria; delete from selo_auditoria; update cadeia_auditoria set ate_transacao = '0', ate_id = 0`);
      await chain();
      await sealParts(service().services.orm);
    };
    expect(await findsAfter(rewrite)).toEqual([]);
    expect((await findsAfter(rewrite, heads)).join()).toContain(
      `chain ${current} is not the one whose head was kept`,
    );
    const cut = `with last as (delete from elo_auditoria where id = (select max(id) from elo_auditoria where cadeia = '${current}') returning ids)
      delete from auditoria where id in (select unnest(ids) from last)`;
    expect(await findsAfter(cut)).toEqual([]);
    expect((await findsAfter(cut, heads)).join()).toMatch(
      /ends at entry \d+, but a head was kept of entry \d+: its end was removed/,
    );
    const last = `delete from selo_auditoria where parte = '2024-04'; delete from auditoria_2024_04; delete from elo_auditoria where cadeia = '2024-04';
      update cadeia_auditoria set ate_momento = '2024-04-20'`;
    expect(await findsAfter(last)).toEqual([]);
    expect(await findsAfter(last, heads)).toEqual([
      'there are 1 seals, but a head was kept of seal 2: the last ones were removed',
    ]);
  });
});

describe('the commands of the audit trail', () => {
  const run = async (name: string, args: string[] = []) => {
    const environment = { ...bucket.environment, DATABASE_URL: service().databaseUrl };
    const command = processes.command(name, environment, args);
    const { code } = await command.exited;
    return { code, stdout: command.stdout, stderr: command.stderr };
  };
  /** Digest of the archive of the old month. */
  let file: string;
  const bytes = async (): Promise<Buffer> => buffer((await storage.open(file))!.bytes);
  const put = async (content: Buffer): Promise<void> => storage.put(await storage.receive([content]));

  it('archive nothing into a storage of another database, whose sweep would remove the files', async () => {
    await storage.setLabel(JSON.stringify({ place: 'elsewhere', name: 'other at db:5432' }));
    const { code, stderr } = await run('audit-archive', ['--months', '13']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('belong to another database, other at db:5432') as string,
    });
    expect(await service().sql(`select to_regclass('auditoria_2024_03') is not null`)).toEqual([[true]]);
    await takeOver({ ...service().services, storage });
  });

  it('archive old months into files, and leave the others in the trail', async () => {
    const admin = await service().as('admin');
    const total = async (): Promise<number> =>
      (await admin.graphql('{ trilhaAuditoria { total } }')).data.trilhaAuditoria.total;
    const before = await total();
    const { code, stdout } = await run('audit-archive', ['--months', '13']);
    expect(stdout).toMatch(
      /^2024-03: 1500 entries were moved into the file [0-9a-f]{64} \(\d+ bytes\)\.\n2024-04: 0 entries/,
    );
    expect(code).toBe(0);
    // Refusals that nobody deleted in time go with their month.
    expect(before - (await total())).toBeLessThanOrEqual(1502);
    expect(await service().sql(`select to_regclass('auditoria_2024_03')`)).toEqual([[null]]);
    [[file]] = (await service().sql(`select arquivo from selo_auditoria where parte = '${OLD}'`)) as [
      [string],
    ];
    expect(await storage.has(file)).toBe(true);
    expect((await run('audit-archive', ['--months', '13'])).stdout).toContain('No sealed part');
  });

  it('search the files by record, person, request and time', async () => {
    const { stdout, stderr } = await run('audit-search', ['--table', 'material', '--record', '7']);
    expect(JSON.parse(stdout)).toMatchObject({
      momento: '2024-03-01T14:20:00.000Z',
      id_registro: 7,
      requisicao: 'pedido-7',
      alteracoes: { titulo: ['a\u20287', 'b\r\n'] },
    });
    expect(stderr).toContain('1 archived entries');
    const day = await run('audit-search', ['--from', '2024-03-05', '--until', '2024-03-05']);
    expect(day.stdout.trim().split('\n')).toHaveLength(72);
    expect((await run('audit-search', ['--from', '2024-04-01'])).stdout).toBe('');
  });

  it('keep the files from the sweep', async () => {
    const { removed } = await sweepFiles(service().services, 0);
    expect(removed).toEqual([]);
    expect(await storage.has(file)).toBe(true);
  });

  it('verify months and files against the heads in a log, and print new ones', async () => {
    await chain();
    const log = join(folder, 'log');
    const { heads } = await verify();
    await writeFile(
      log,
      `{"level":30,"heads":["${heads.map(headText).join('","')}"],"msg":"audit trail chained"}\n`,
    );
    const good = await run('audit-verify', ['--heads', log]);
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toContain(`${heads.length} of the ${heads.length} given heads match.\n`);
    for (const head of heads) expect(good.stdout).toContain(headText(head));
    const forgotten = join(folder, 'forgotten');
    await writeFile(forgotten, `${OLD}-recusas:1:${'0'.repeat(64)}`);
    const both = await run('audit-verify', ['--heads', log, '--heads', forgotten]);
    expect(both.stderr).toBe('');
    expect(both.stdout).toContain(
      `${heads.length} of the ${heads.length + 1} given heads match. The others belong to refusals`,
    );
    const id = await newest();
    await owner.query(
      `set session_replication_role = replica; update auditoria set vezes = 2 where id = ${id}`,
    );
    const bad = await run('audit-verify', ['--heads', log]);
    await owner.query(
      `update auditoria set vezes = 1 where id = ${id}; set session_replication_role = default`,
    );
    expect([bad.code, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toContain(`entry ${id} of ${current} does not match its link: it was changed`);
  });

  it('name a file that is gone, or damaged, or was written anew with an entry changed', async () => {
    const kept = await bytes();
    await bucket.shorten(file);
    expect((await verify()).findings[0]).toMatch(/^the archive of 2024-03 \([0-9a-f]{64}\) is damaged$/);
    await bucket.lose(file);
    expect((await verify()).findings[0]).toMatch(/is missing$/);
    const forged = gzipSync(gunzipSync(kept).toString().replace('pedido-70"', 'pedido-71"'));
    const sha256 = createHash('sha256').update(forged).digest('hex');
    await put(forged);
    const findings = await findsAfter(
      `update selo_auditoria set arquivo = '${sha256}', tamanho = ${forged.length} where parte = '${OLD}'`,
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^entry \d+ of 2024-03 does not match its link: it was changed$/);
    await put(kept);
    expect((await verify()).findings).toEqual([]);
  });
});
