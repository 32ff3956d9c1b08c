import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHANGE_KINDS, CHANGED_TABLES, NAMED_KINDS, TABLE_WORDS, NOT_IN_FEED } from '../src/changes/kinds.ts';
import { dropExpired } from '../src/domain/expiry.ts';
import type { Client } from './support/client.ts';
import {
  allChanges,
  changeFaces,
  connection,
  pageOf,
  type AskChanges,
  type FeedChange,
} from './support/changes.ts';
import { grant } from './support/permissions.ts';
import { useService } from './support/service.ts';

const service = useService();
const kinds = '/almoxarifadoquimicos/tipos-empresas';
const REST = changeFaces['REST']!;
let admin: Client;

beforeAll(async () => {
  admin = await service().as('admin');
});

const idsOf = (changes: readonly FeedChange[]): number[] => changes.map(({ id }) => Number(id));

/** The current end of the feed. */
const now = async (): Promise<string> => (await pageOf(REST, admin, { first: 1 })).ultimo;

const after = async (cursor: string, tabelas?: string[]): Promise<FeedChange[]> =>
  allChanges(REST, admin, { after: cursor, ...(tabelas && { tabelas }) });

/** Writes directly to the database. */
const write = (client: pg.Client, id: number, text: string): Promise<unknown> =>
  client.query('update tipo_empresa set descricao = $2 where id = $1', [id, text]);

describe.each(Object.entries(changeFaces))('the feed of changes over %s', (_, ask: AskChanges) => {
  it('shows what was done to a record, by whom, its version and the changed columns', async () => {
    const { ultimo } = await pageOf(ask, admin);
    const { body: kind } = await admin.post(kinds, { descricao: 'Uma', obriga_cnpj: 'N' });
    await admin.put(`${kinds}/${kind.id}`, { descricao: 'Outra', obriga_cnpj: 'N' });
    await admin.delete(`${kinds}/${kind.id}`);
    const { data, mais, cursor } = await pageOf(ask, admin, { after: ultimo });
    expect(data.map(({ tipo, registro }) => [tipo, registro])).toEqual([
      ['tipo_empresa.criado', { tabela: 'tipo_empresa', id: kind.id, versao: 1 }],
      ['tipo_empresa.alterado', { tabela: 'tipo_empresa', id: kind.id, versao: 2 }],
      ['tipo_empresa.removido', { tabela: 'tipo_empresa', id: kind.id, versao: 2 }],
    ]);
    expect(data[1]!.alteracoes).toContainEqual({
      campo: 'descricao',
      antes: 'Uma',
      depois: 'Outra',
    });
    const [[idAdmin]] = (await service().sql(`select id from pessoa where usuario = 'admin'`)) as [[number]];
    expect(CHANGE_KINDS).toEqual(expect.arrayContaining(data.map(({ tipo }) => tipo)));
    expect(data.map(({ idPessoa }) => idPessoa)).toEqual([idAdmin, idAdmin, idAdmin]);
    expect(mais).toBe(false);
    expect((await pageOf(ask, admin, { after: cursor })).data).toEqual([]);
  });

  it('continues after any change, and shows only the requested tables', async () => {
    const { ultimo } = await pageOf(ask, admin);
    const { body: kind } = await admin.post(kinds, { descricao: 'Nova', obriga_cnpj: 'N' });
    await admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Novo' });
    await admin.put(`${kinds}/${kind.id}`, { descricao: 'Novas', obriga_cnpj: 'N' });
    const all = await allChanges(ask, admin, { after: ultimo });
    expect(all.map(({ tipo }) => tipo)).toEqual([
      'tipo_empresa.criado',
      'icone_risco.criado',
      'tipo_empresa.alterado',
    ]);
    const tabelas = ['tipo_empresa'];
    for (const [i, { cursor }] of all.entries()) {
      expect(idsOf(await allChanges(ask, admin, { after: cursor, first: 1 }))).toEqual(
        idsOf(all.slice(i + 1)),
      );
      const own = all.slice(i + 1).filter(({ registro }) => registro.tabela === 'tipo_empresa');
      expect(idsOf(await allChanges(ask, admin, { after: cursor, first: 1, tabelas }))).toEqual(idsOf(own));
    }
  });

  it('refuses an invalid cursor, an unknown table and an invalid page size', async () => {
    const refused = { status: 400, code: 'BAD_REQUEST' };
    expect(await ask(admin, { after: 'abc' })).toEqual(refused);
    expect(await ask(admin, { tabelas: ['lote', 'credencial'] })).toEqual(refused);
    expect(await ask(admin, { first: 0 })).toEqual(refused);
    expect(await ask(admin, { first: 1_001 })).toEqual(refused);
    expect(await ask(service().anyone)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  });

  it('answers that a cursor from before a restore is gone, and starts again', async () => {
    const { ultimo } = await pageOf(ask, admin);
    // The copy was restored in another location, so its mark differs.
    await service().sql(`update historia_mudancas set lugar = 'elsewhere'`);
    await service().sql('select mudancas_restauradas()');
    expect(await ask(admin, { after: ultimo })).toEqual({ status: 410, code: 'GONE' });
    const anew = await pageOf(ask, admin);
    expect(anew).toMatchObject({ data: [], mais: false });
    await admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Depois' });
    const { data } = await pageOf(ask, admin, { after: anew.ultimo });
    expect(data.map(({ tipo }) => tipo)).toEqual(['icone_risco.criado']);
    await service().sql('select mudancas_restauradas()');
    expect((await pageOf(ask, admin, { after: anew.ultimo })).data).toEqual(data);
  });

  it('answers the same for a cursor that a failover lost, even after its number is assigned again', async () => {
    const kept = await now();
    const before = await service().sql('select ultima, fotografia::text from historia_mudancas');
    await admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Perdido' });
    const lost = await now();
    expect(lost).not.toBe(kept);
    // The standby that takes over has not received the last transaction.
    const [ultima, fotografia] = before[0] as [string, string];
    await service().sql('delete from mudanca_transacao where posicao > $1', [ultima]);
    await service().sql('update historia_mudancas set ultima = $1, fotografia = $2::text::pg_snapshot', [
      ultima,
      fotografia,
    ]);
    expect(await ask(admin, { after: lost })).toEqual({ status: 410, code: 'GONE' });
    expect((await pageOf(ask, admin, { after: kept })).data).toHaveLength(1);
  });
});

describe('the order of changes', () => {
  const connect = () => connection(service().databaseUrl);

  it('is the order of commits: a long transaction delays nobody, and appears when it ends', async () => {
    const start = await now();
    const [long, short] = await Promise.all([connect(), connect()]);
    await long.query('begin');
    await write(long, 1, 'long, at first');
    await write(short, 2, 'short');
    const [first] = await after(start);
    expect(first).toMatchObject({ registro: { id: 2 } });
    // Its number is lower than that of the transaction that was already reported.
    await write(long, 3, 'long, at last');
    expect(await after(first!.cursor)).toEqual([]);
    await long.query('commit');
    const rest = await after(first!.cursor);
    expect(rest.map(({ registro }) => registro.id)).toEqual([1, 3]);
    expect(idsOf(await after(start))).toEqual(idsOf([first!, ...rest]));
  });

  it('is the order of writes to a record, where one transaction waited for another', async () => {
    const start = await now();
    const [first, second] = await Promise.all([connect(), connect()]);
    await second.query('begin');
    await write(second, 4, 'second, elsewhere');
    await first.query('begin');
    await write(first, 5, 'first');
    const waiting = write(second, 5, 'second');
    await first.query('commit');
    await waiting;
    const received = await after(start);
    await second.query('commit');
    const all = await after(start);
    expect(all.slice(0, received.length)).toEqual(received);
    const versions = all.filter(({ registro }) => registro.id === 5).map(({ registro }) => registro.versao!);
    expect(versions).toEqual([versions[0], versions[0]! + 1]);
  });

  it('has nothing that was rolled back, and one entry for a write that was repeated after a savepoint', async () => {
    const start = await now();
    const client = await connect();
    await client.query('begin');
    await write(client, 1, 'not kept');
    await client.query('rollback');
    await client.query('begin; savepoint a');
    await write(client, 1, 'not kept either');
    await client.query('rollback to a; savepoint b');
    await write(client, 1, 'kept');
    await client.query('commit');
    const received = await after(start);
    expect(received).toHaveLength(1);
    expect(received[0]!.alteracoes).toContainEqual(
      expect.objectContaining({ campo: 'descricao', depois: 'kept' }),
    );
  });

  it('has pages within a large transaction, and skips tables that were not requested', async () => {
    const start = await now();
    await service().sql('update material set descricao = descricao || $1', ['!']);
    await service().sql(`update unidade_medida set descricao = descricao || '!' where id <= 5`);
    const [[materials]] = (await service().sql('select count(*)::int from material')) as [[number]];
    const tabelas = ['material', 'unidade_medida'];
    const all = await allChanges(REST, admin, { after: start, tabelas, first: 1_000 });
    expect(all.map(({ registro }) => registro.tabela)).toEqual([
      ...Array<string>(materials).fill('material'),
      ...Array<string>(5).fill('unidade_medida'),
    ]);
    expect(await allChanges(REST, admin, { after: start, tabelas, first: 7 })).toEqual(all);
    // Many tables are read by a different statement than few.
    const many = CHANGED_TABLES.filter(table => table !== 'icone_risco');
    for (const tables of [many, [...tabelas, ...tabelas]])
      expect(await allChanges(REST, admin, { after: start, tabelas: tables, first: 7 })).toEqual(all);
    expect(await after(start, ['unidade_medida'])).toEqual(all.slice(-5));
    const client = await connect();
    await client.query(`do $$ begin
      for i in 1..1200 loop update icone_risco set nome = 'n' || i where id = 1; commit; end loop;
    end $$`);
    await service().sql('update unidade_medida set descricao = $1 where id = 6', ['far']);
    expect(await after(all.at(-1)!.cursor, ['unidade_medida'])).toHaveLength(1);
  });

  it('has pages that end early where the changes are large', async () => {
    const start = await now();
    await service().sql(
      `update plano_ensino set ementa = (select string_agg(md5(random()::text), '') from generate_series(1, 10000) where id > 0)
       where id <= 30`,
    );
    const asked = { after: start, tabelas: ['plano_ensino'], first: 1_000 };
    const page = await pageOf(REST, admin, asked);
    expect(page.mais).toBe(true);
    const all = await allChanges(REST, admin, asked);
    expect(all.length).toBeGreaterThan(page.data.length);
    expect(all.map(({ registro }) => registro.id).toSorted((a, b) => a - b)).toEqual(
      (await service().sql('select id from plano_ensino where id <= 30 order by id')).flat(),
    );
  });

  it.each([
    ['', '0'],
    [', also after the clock was ahead', '8 days'],
  ])('is computed from new entries only, however long the trail is%s', async (_, by) => {
    const [client, long] = await Promise.all([connect(), connect()]);
    await long.query('begin');
    await write(long, 2, 'open while others are numbered');
    await write(client, 3, 'new');
    await now();
    await long.query('commit');
    const read = async (): Promise<number> => {
      const { rows } = await client.query<{ read: number }>(
        `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname like 'auditoria%'`,
      );
      return rows[0]!.read;
    };
    await client.query('begin');
    await client.query('update historia_mudancas set momento = momento + $1::interval', [by]);
    await client.query(
      `insert into auditoria (momento, transacao, operacao, tabela, id_registro, alteracoes)
       select momento, transacao, operacao, tabela, id_registro, '{}' from auditoria, generate_series(1, 3)`,
    );
    await client.query('analyze auditoria');
    await write(client, 1, 'new');
    const before = await read();
    await client.query('select numerar_mudancas()');
    expect((await read()) - before).toBeLessThan(100);
    expect(before).toBeGreaterThan(1_000);
    await client.query('rollback');
  });

  it('holds for any concurrent writers: nothing is missing, nothing comes twice', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, connect));
    const act = fc.record({
      who: fc.nat(clients.length - 1),
      what: fc.constantFrom('write', 'write', 'write', 'commit', 'commit', 'rollback', 'read', 'read'),
      first: fc.integer({ min: 1, max: 4 }),
      from: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async acts => {
        const start = await now();
        const open = new Map<number, number>();
        const cursors = [start];
        let read: FeedChange[] = [];
        const committed: number[][] = [];
        const end = async (who: number, how: 'commit' | 'rollback') => {
          const [row] = (
            await clients[who]!.query<{ ids: string[] }>(
              `select coalesce(array_agg(id order by id), '{}') as ids from auditoria
               where transacao = pg_current_xact_id()`,
            )
          ).rows;
          await clients[who]!.query(how);
          if (how === 'commit') committed.push(row!.ids.map(Number));
          open.delete(who);
        };
        for (const { who, what, first, from } of acts) {
          if (what === 'read') {
            // A reader that was killed continues from any of its cursors.
            const at = from % cursors.length;
            const { data } = await pageOf(REST, admin, { after: cursors[at]!, first });
            const known = read.slice(at, at + data.length);
            expect(data.slice(0, known.length)).toEqual(known);
            read = [...read.slice(0, at), ...data, ...read.slice(at + data.length)];
            cursors.splice(at + 1, data.length, ...data.map(({ cursor }) => cursor));
          } else if (what === 'write') {
            if (!open.has(who)) await clients[who]!.query('begin');
            // Each client has its own records, so that nobody waits.
            await write(clients[who]!, who + 1, `${who} ${open.get(who) ?? 0} ${from}`);
            open.set(who, (open.get(who) ?? 0) + 1);
          } else if (open.has(who)) await end(who, what);
        }
        for (const who of open.keys()) await end(who, 'commit');
        const all = await after(start);
        expect(all.slice(0, read.length)).toEqual(read);
        expect(idsOf(all).toSorted((a, b) => a - b)).toEqual(committed.flat().toSorted((a, b) => a - b));
        // The entries of a transaction are consecutive.
        for (const ids of committed) {
          const at = idsOf(all).indexOf(ids[0]!);
          expect(idsOf(all).slice(at, at + ids.length)).toEqual(ids);
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('an old change', () => {
  it('is deleted after thirty days, except for the last position, and its cursors are answered as gone', async () => {
    const start = await now();
    await service().sql('update icone_risco set nome = $1 where id = 1', ['old']);
    const end = await now();
    await service().sql(`update mudanca_transacao set momento = now() - interval '31 days'`);
    await dropExpired(service().services.listing.reader);
    expect(await REST(admin, { after: start })).toEqual({ status: 410, code: 'GONE' });
    expect((await pageOf(REST, admin, { after: end })).data).toEqual([]);
    await service().sql('update icone_risco set nome = $1 where id = 1', ['new']);
    expect(await after(end)).toHaveLength(1);
  });
});

describe('the feed of a database whose clock was wrong', () => {
  /** Writes as if the clock had been off by an interval then. */
  async function writeOff(by: string, id: number): Promise<void> {
    const client = await connection(service().databaseUrl);
    await client.query('begin');
    await write(client, id, `written ${by} off, ${Math.random()}`);
    await client.query('set local session_replication_role = replica');
    await client.query(
      'update auditoria set momento = momento + $1::interval where transacao = pg_current_xact_id()',
      [by],
    );
    await client.query('commit');
  }
  /** Moves the time of the last numbering. */
  const numberedOff = (by: string) =>
    service().sql('update historia_mudancas set momento = momento + $1::interval', [by]);
  const idsAfter = async (cursor: string): Promise<number[]> =>
    (await after(cursor)).map(({ registro }) => registro.id);

  it.each(['6 hours', '8 days', '400 days'])(
    'has what was written while it was %s ahead, and at once what is written after that',
    async by => {
      const start = await now();
      await writeOff(by, 1);
      const [first] = await after(start);
      await numberedOff(by);
      await writeOff('0', 2);
      expect(await idsAfter(first!.cursor)).toEqual([2]);
      await writeOff('0', 3);
      expect(await idsAfter(start)).toEqual([1, 2, 3]);
    },
  );

  it.each(['6 hours', '8 days', '400 days'])(
    'has what was written while it was %s behind, then and after that',
    async by => {
      const start = await now();
      await writeOff(`-${by}`, 1);
      // The clock of the numbering is behind, too: the time of the last one is as far ahead of it.
      await numberedOff(by);
      expect(await idsAfter(start)).toEqual([1]);
      await numberedOff(`-${by}`);
      await writeOff('0', 2);
      expect(await idsAfter(start)).toEqual([1, 2]);
    },
  );

  it('keeps what follows a change of that time as long as that change', async () => {
    const start = await now();
    for (const id of [1, 2, 3, 1]) await writeOff('0', id);
    const changes = await after(start);
    const numbers = (await service().sql(
      'select posicao from mudanca_transacao order by posicao desc limit 4',
    )) as [number][];
    const [, third, second] = numbers.flat();
    await service().sql(
      `update mudanca_transacao set momento = now() + case posicao when $1 then interval '400 days' else interval '-31 days' end
       where posicao <= $2`,
      [second, third],
    );
    const sweep = () => dropExpired(service().services.listing.reader);
    await sweep();
    expect(await REST(admin, { after: start })).toEqual({ status: 410, code: 'GONE' });
    expect(await idsAfter(changes[1]!.cursor)).toEqual([3, 1]);
    await service().sql(`update mudanca_transacao set momento = momento - interval '31 days'`);
    await sweep();
    expect(await REST(admin, { after: changes[1]!.cursor })).toEqual({ status: 410, code: 'GONE' });
  });
});

describe('the kinds of changes', () => {
  it('cover every audited table, or a reason is given', async () => {
    const audited = await service().sql(
      `select c.relname::text from pg_class c join pg_trigger t on t.tgrelid = c.oid
       where t.tgname = 'auditar_insert' and c.relnamespace = 'public'::regnamespace`,
    );
    const known = [...CHANGED_TABLES, ...Object.keys(NOT_IN_FEED)];
    expect(known.toSorted()).toEqual(audited.flat().map(String).toSorted());
  });

  it('name columns that the tables have', async () => {
    const columns = await service().sql(
      `select table_name || '.' || column_name from information_schema.columns where table_schema = 'public'`,
    );
    const named = Object.entries(TABLE_WORDS).flatMap(([table, { acts }]) =>
      Object.keys(acts).map(column => `${table}.${column}`),
    );
    expect(named.filter(name => !columns.flat().includes(name))).toEqual([]);
  });

  it('are all in the documentation', async () => {
    const text = await readFile(new URL('../docs/events.md', import.meta.url), 'utf8');
    const part = (name: string): string =>
      text.split(`<!-- ${name} -->\n`)[1]!.split(`<!-- /${name} -->`)[0]!;
    const lines = part('kinds').split(/^- /m).slice(1);
    const documented = lines.map(line => [...line.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const tables = (ending: string) => CHANGED_TABLES.filter(table => TABLE_WORDS[table].ending === ending);
    expect(documented).toEqual([
      ['criado', 'alterado', 'removido', ...tables('o')],
      ['criada', 'alterada', 'removida', ...tables('a')],
      NAMED_KINDS,
    ]);
    const reasons = part('not in the feed').matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm);
    expect(Object.fromEntries([...reasons].map(([, table, why]) => [table, why]))).toEqual(NOT_IN_FEED);
  });
});

describe.each(Object.entries(changeFaces))(
  'what a reader may see of the feed over %s',
  (_, ask: AskChanges) => {
    const kindsOf = (changes: readonly FeedChange[]): string[] => changes.map(({ tipo }) => tipo);
    const personOf = async (usuario: string): Promise<number> =>
      (await service().sql('select id from pessoa where usuario = $1', [usuario]))[0]![0] as number;

    it('depends on the current rights: old changes also appear and disappear with the permission', async () => {
      const docente = await service().as('docente');
      const start = await now();
      await admin.put(`${kinds}/1`, { descricao: `Seen ${Math.random()}`, obriga_cnpj: 'N' });
      const tabelas = ['tipo_empresa'];
      expect(await ask(docente, { after: start, tabelas })).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect((await pageOf(ask, docente, { after: start })).data).toEqual([]);
      const controller = 'almoxarifadoquimicos/tipos-empresas';
      const takeAway = await grant(service(), 'docente', { controller, nivel: 1 });
      expect(kindsOf((await pageOf(ask, docente, { after: start, tabelas })).data)).toEqual([
        'tipo_empresa.alterado',
      ]);
      await takeAway();
      expect(await ask(docente, { after: start, tabelas })).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    it('is limited to own records where the list is; a deleted record is only for people who list all', async () => {
      const docente = await service().as('docente');
      const start = await now();
      const [own, other] = await Promise.all([personOf('docente'), personOf('discente')]);
      await service().sql('update pessoa set nome_social = $1 where id = any($2)', [
        `Nome ${Math.random()}`,
        [own, other],
      ]);
      await service().sql('update plano_ensino set nome_disciplina = nome_disciplina || $1', ['.']);
      const all = await allChanges(ask, admin, { after: start });
      const seen = await allChanges(ask, docente, { after: start });
      const ofTable = (changes: readonly FeedChange[], table: string): number[] =>
        changes.filter(({ registro }) => registro.tabela === table).map(({ registro }) => registro.id);
      expect(ofTable(all, 'pessoa')).toEqual(expect.arrayContaining([own, other]));
      expect(ofTable(seen, 'pessoa')).toEqual([own]);
      const plans = (await docente.get('/academico/meus-planos?pagination=false')).body.data as {
        id: number;
      }[];
      expect(plans.length).toBeGreaterThan(0);
      expect(new Set(ofTable(seen, 'plano_ensino'))).toEqual(new Set(plans.map(({ id }) => id)));
      expect(ofTable(all, 'plano_ensino').length).toBeGreaterThan(plans.length);

      const [[gone]] = (await service().sql(
        `insert into vinculo_discente select (jsonb_populate_record(v, jsonb_build_object('id',
         nextval(pg_get_serial_sequence('vinculo_discente', 'id')), 'id_pessoa', $1::int, 'matricula', $2::text))).*
       from vinculo_discente v limit 1 returning id`,
        [own, String(Math.random()).slice(2, 10)],
      )) as [[number]];
      expect(ofTable(await allChanges(ask, docente, { after: start }), 'vinculo_discente')).toEqual([gone]);
      await service().sql('delete from vinculo_discente where id = $1', [gone]);
      expect(ofTable(await allChanges(ask, docente, { after: start }), 'vinculo_discente')).toEqual([]);
      expect(ofTable(await allChanges(ask, admin, { after: start }), 'vinculo_discente')).toEqual([
        gone,
        gone,
      ]);
    });

    it('has no secret, no column that the list does not show, and no change of such columns alone', async () => {
      const start = await now();
      await service().anyone.login('tecnico');
      await service().sql(`update pessoa set senha_alterada_em = now() where usuario = 'tecnico'`);
      await service().sql('update conta_gerencial set nome = nome');
      const received = await allChanges(ask, admin, { after: start });
      expect(kindsOf(received)).toEqual(['sessao.criada']);
      expect(JSON.stringify(received)).not.toMatch(/\*\*\*|hash/);
      expect(received[0]!.alteracoes.map(({ campo }) => campo)).toContain('id_pessoa');
    });

    it('names a record that its list does not show any more, without its values', async () => {
      const docente = await service().as('docente');
      const start = await now();
      await service().sql('update noticia set titulo = $1 where id = (select min(id) from noticia)', [
        `Secret ${Math.random()}`,
      ]);
      expect(JSON.stringify(await allChanges(ask, docente, { after: start }))).toContain('Secret');
      await service().sql('update noticia set retirada = true where id = (select min(id) from noticia)');
      const received = await allChanges(ask, docente, { after: start });
      expect(kindsOf(received)).toEqual(['noticia.alterada', 'noticia.retirada']);
      expect(received.flatMap(({ alteracoes }) => alteracoes)).toEqual([]);
      await service().sql('update noticia set retirada = false where id = (select min(id) from noticia)');
    });
  },
);
