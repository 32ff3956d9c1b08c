import { Migration } from '@mikro-orm/migrations';

/** Columns of `registro_auditoria`, selected from one of the tables of the trail. */
const trail = (
  table: string,
): string => `select a.id, a.momento, a.id_pessoa, a.id_sistema, a.endereco, a.requisicao, a.operacao, a.tabela, a.id_registro,
  a.acao, a.vezes, auditoria_campos(a.alteracoes) as alteracoes
from ${table} a`;

const REFUSED = `operacao in ('login_recusado', 'acesso_recusado')`;
const KEPT = `interval '1 year'`;
const OLD_REFUSALS = `${REFUSED} and momento < now() - ${KEPT} and momento > now() - ${KEPT} - interval '1 day'`;

const INDEXES = {
  auditoria_registro: '(tabela collate "pt_br", id_registro, id)',
  auditoria_pessoa: '(id_pessoa, id)',
  auditoria_momento: '(momento, id)',
  auditoria_tabela_transacao: '(tabela, transacao)',
};

const OWN_TABLES = ['auditoria_antes', 'cadeia_auditoria', 'elo_auditoria', 'selo_auditoria'];

/**
 * The audit trail is partitioned by month, and its entries are chained (`domain/audit`). Older entries stay in a table
 * of their own, `auditoria_antes`: to attach it, PostgreSQL would have to read all of it under a lock. So this
 * migration is fast, whatever the size of the trail.
 */
export class Migration20261122000083 extends Migration {
  override up(): void {
    // Readers lock the view before the table, so the migration uses the same order.
    this.addSql('lock table registro_auditoria in access exclusive mode');
    this.addSql('lock table auditoria in access exclusive mode');
    this.addSql('alter table auditoria rename to auditoria_antes');
    this.addSql('alter table auditoria_antes rename constraint auditoria_pkey to auditoria_antes_pkey');
    for (const index of Object.keys(INDEXES))
      this.addSql(`alter index ${index} rename to ${index.replace('auditoria', 'auditoria_antes')}`);
    this.addSql(`do $$ declare proximo bigint; begin
      proximo := nextval(pg_get_serial_sequence('auditoria_antes', 'id'));
      alter table auditoria_antes alter column id drop identity;
      create table auditoria (like auditoria_antes including defaults including constraints) partition by range (momento);
      alter table auditoria alter column id add generated always as identity;
      perform setval(pg_get_serial_sequence('auditoria', 'id'), proximo, false);
    end $$`);
    this.addSql('alter table auditoria add primary key (id, momento)');
    for (const [index, columns] of Object.entries(INDEXES))
      this.addSql(`create index ${index} on auditoria ${columns}`);
    // The order in which entries are chained.
    this.addSql('create index auditoria_transacao on auditoria (transacao, id)');
    this.protect();
    this.grant();
    this.chain();
    this.divide();
    this.addSql(`create or replace view registro_auditoria as ${trail('auditoria')}
union all
${trail('auditoria_antes')}`);
    this.addSql(`create or replace function auditoria_esquecer_recusas() returns void language sql
      security definer set search_path = public, pg_temp as $$
        delete from auditoria where ${OLD_REFUSALS};
        delete from auditoria_antes where ${OLD_REFUSALS}
      $$`);
    this.addSql(`do $$ begin
      execute replace(replace(pg_get_functiondef('auditar_tabelas'::regproc),
        '''idempotencia''', '''idempotencia'', ${OWN_TABLES.map(table => `''${table}''`).join(', ')}'),
        'c.relkind = ''r''', 'c.relkind = ''r'' and not c.relispartition');
    end $$`);
  }

  private protect(): void {
    this.addSql(`create trigger auditoria_recusa before truncate on auditoria
      for each statement execute function auditoria_recusa()`);
    this.addSql(`create trigger auditoria_recusa_alteracao before update on auditoria
      for each row execute function auditoria_recusa_alteracao()`);
    this.addSql(`create trigger auditoria_recusa_remocao before delete on auditoria for each row
      when (not (old.${REFUSED} and old.momento < now() - ${KEPT})) execute function auditoria_recusa()`);
  }

  /** The previous version continues to write, perhaps with a role that owns nothing. */
  private grant(): void {
    this.addSql(`do $$ declare permissao text; begin
      for permissao in
        select format('grant %s on auditoria to %s', string_agg(a.privilege_type, ', '),
          case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
        from pg_class c, aclexplode(c.relacl) a where c.oid = 'auditoria_antes'::regclass and a.grantee <> c.relowner
        group by a.grantee
      loop
        execute permissao;
      end loop;
    end $$`);
  }

  private chain(): void {
    this.addSql(`create table cadeia_auditoria (
      unica boolean primary key default true check (unica),
      ate_transacao xid8 default '0',
      ate_id bigint not null default 0,
      ate_momento timestamptz,
      antes_id bigint
    )`);
    this.addSql(
      'insert into cadeia_auditoria (antes_id) values (case when exists (select from auditoria_antes) then 0 end)',
    );
    this.addSql(`create table elo_auditoria (
      id bigint generated always as identity primary key,
      cadeia varchar(20) not null,
      primeiro bigint not null,
      ids bigint[] not null,
      elos bytea not null check (length(elos) = 32 * cardinality(ids)),
      criado_em timestamptz(3) not null default clock_timestamp(),
      unique (cadeia, primeiro)
    )`);
    this.addSql(`create table selo_auditoria (
      parte varchar(10) primary key,
      numero int not null unique,
      entradas bigint not null,
      elo bytea not null,
      recusas bigint not null,
      elo_recusas bytea not null,
      selo bytea not null,
      criado_em timestamptz(3) not null default clock_timestamp(),
      arquivo varchar(64),
      tamanho bigint,
      arquivado_em timestamptz(3),
      check (num_nonnulls(arquivo, tamanho, arquivado_em) in (0, 3))
    )`);
    this.addSql(`create trigger auditoria_recusa before update or truncate on elo_auditoria
      for each statement execute function auditoria_recusa()`);
    this.addSql(`create trigger auditoria_recusa before delete or truncate on selo_auditoria
      for each statement execute function auditoria_recusa()`);
    this
      .addSql(`create trigger auditoria_recusa_alteracao before update on selo_auditoria for each row when (not (
        old.arquivo is null and new.arquivo is not null
        and (new.parte, new.numero, new.entradas, new.elo, new.recusas, new.elo_recusas, new.selo, new.criado_em)
          is not distinct from (old.parte, old.numero, old.entradas, old.elo, old.recusas, old.elo_recusas, old.selo, old.criado_em)))
      execute function auditoria_recusa()`);
    // The links of an archived part are in its file.
    this.addSql(`create function elo_auditoria_recusa() returns trigger language plpgsql as $$
      begin
        if exists (select from selo_auditoria s where s.arquivo is not null and old.cadeia in (s.parte, s.parte || '-recusas')) then
          return old;
        end if;
        raise exception 'the links of the audit trail are append-only' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create trigger auditoria_recusa_remocao before delete on elo_auditoria
      for each row execute function elo_auditoria_recusa()`);
    // After a restore into a younger cluster, new transactions have lower numbers than the chain has reached, and
    // entries that wait for their turn lose theirs.
    this.addSql(`do $$ begin
      execute regexp_replace(replace(pg_get_functiondef('auditoria_restaurada'::regproc),
        'end if;', 'update cadeia_auditoria set ate_transacao = null; end if;'), '\\mbegin\\M', 'begin
        update cadeia_auditoria set ate_transacao = null where ate_transacao > pg_snapshot_xmax(pg_current_snapshot());');
    end $$`);
  }

  private divide(): void {
    // Attached afterwards, because a table that is created as a partition locks all others. The first month also takes
    // late entries of the time before.
    this
      .addSql(`create function auditoria_criar_mes(mes timestamp, primeiro boolean default false) returns void language plpgsql as $$
      declare
        nome text := to_char(mes, '"auditoria_"YYYY_MM');
        leitor text;
      begin
        execute format('create table %I (like auditoria including all excluding identity)', nome);
        execute format('create trigger auditoria_recusa before truncate on %I for each statement execute function auditoria_recusa()', nome);
        for leitor in
          select distinct case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end
          from pg_class c, aclexplode(c.relacl) a
          where c.oid = 'auditoria'::regclass and a.privilege_type = 'SELECT' and a.grantee <> c.relowner
        loop
          execute format('grant select on %I to %s', nome, leitor);
        end loop;
        execute format('alter table auditoria attach partition %I for values from (%s) to (%L)', nome,
          case when primeiro then 'minvalue' else quote_literal(mes at time zone 'UTC') end,
          (mes + interval '1 month') at time zone 'UTC');
      end $$`);
    this.addSql(`select auditoria_criar_mes(date_trunc('month', now() at time zone 'UTC'), true)`);
    this.addSql('create table auditoria_futuro partition of auditoria default');
    this.addSql(`create trigger auditoria_recusa before truncate on auditoria_futuro
      for each statement execute function auditoria_recusa()`);
    // A month that already has entries in the default partition stays there. One process does this at a time.
    this.addSql(`create function auditoria_preparar_meses() returns void language plpgsql
      security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
      declare mes timestamp;
      begin
        perform from cadeia_auditoria for update;
        for mes in
          select m from generate_series(date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '3 months', interval '1 month') m
          where to_regclass(to_char(m, '"auditoria_"YYYY_MM')) is null and not exists (
            select from auditoria_futuro f
            where f.momento >= m at time zone 'UTC' and f.momento < (m + interval '1 month') at time zone 'UTC')
        loop
          perform auditoria_criar_mes(mes);
        end loop;
      end $$`);
    this.addSql('select auditoria_preparar_meses()');
  }

  override down(): void {
    this.addSql('drop view registro_auditoria');
    this.addSql('drop function auditoria_preparar_meses, auditoria_criar_mes, elo_auditoria_recusa cascade');
    this.addSql('drop table cadeia_auditoria, elo_auditoria, selo_auditoria');
    this.addSql('insert into auditoria_antes select * from auditoria');
    this.addSql('drop table auditoria');
    this.addSql('alter table auditoria_antes rename to auditoria');
    this.addSql('alter table auditoria rename constraint auditoria_antes_pkey to auditoria_pkey');
    for (const index of Object.keys(INDEXES))
      this.addSql(`alter index ${index.replace('auditoria', 'auditoria_antes')} rename to ${index}`);
    this.addSql('alter table auditoria alter column id add generated always as identity');
    this.addSql(
      `select setval(pg_get_serial_sequence('auditoria', 'id'), coalesce((select max(id) from auditoria), 0) + 1, false)`,
    );
    this.addSql(`create view registro_auditoria as ${trail('auditoria')}`);
    this.addSql(`create or replace function auditoria_esquecer_recusas() returns void language sql
      security definer set search_path = public, pg_temp as $$ delete from auditoria where ${OLD_REFUSALS} $$`);
    this.addSql(`do $$ begin
      execute regexp_replace(pg_get_functiondef('auditoria_restaurada'::regproc), 'update cadeia_auditoria[^;]*;', '', 'g');
      execute replace(replace(pg_get_functiondef('auditar_tabelas'::regproc), ' and not c.relispartition', ''),
        ', ${OWN_TABLES.map(table => `''${table}''`).join(', ')}', '');
    end $$`);
  }
}
