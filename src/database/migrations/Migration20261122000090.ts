import { Migration } from '@mikro-orm/migrations';

const TABLES = ['historia_mudancas', 'mudanca_transacao'];

/**
 * The columns of an entry, including the version that the record got. (A column named `versao` would make the table
 * versioned.)
 */
const ENTRY =
  'id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes, versao_registro';

/**
 * The changes of the audit trail get an order in which clients can follow them (`changes/`). Transactions are numbered
 * after their commit, so that no number is given before all lower ones are visible. Older entries are not numbered.
 */
export class Migration20261122000090 extends Migration {
  override up(): void {
    this.addSql('alter table auditoria add column versao_registro int');
    this.addSql(`create or replace function auditar() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          insert into auditoria (${ENTRY})
          select quem.*, tg_table_name, n.id, 'update', mudou.alteracoes, (linha.nova ->> 'versao')::int
          from novas n join antigas o using (id),
            lateral (select to_jsonb(n) as nova offset 0) linha,
            lateral (select auditoria_alteracoes(to_jsonb(o), linha.nova) as alteracoes offset 0) mudou,
            auditoria_quem() quem
          where mudou.alteracoes <> '{}';
        elsif tg_op = 'INSERT' then
          insert into auditoria (${ENTRY})
          select quem.*, tg_table_name, n.id, 'insert', auditoria_alteracoes(null, linha.nova), (linha.nova ->> 'versao')::int
          from novas n, lateral (select to_jsonb(n) as nova offset 0) linha, auditoria_quem() quem;
        else
          insert into auditoria (${ENTRY})
          select quem.*, tg_table_name, o.id, 'delete', auditoria_alteracoes(linha.velha, null), (linha.velha ->> 'versao')::int
          from antigas o, lateral (select to_jsonb(o) as velha offset 0) linha, auditoria_quem() quem;
        end if;
        return null;
      end $$`);
    this.number();
    this.restore();
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc),
        '''idempotencia''', '''idempotencia'', ${TABLES.map(table => `''${table}''`).join(', ')}');
    end $$`);
  }

  private number(): void {
    // A copy of the database has its own history from the time of the copy. The copy has another location: another
    // database, or another server. A standby that takes over keeps the location.
    this.addSql(`create function mudancas_lugar() returns text language plpgsql stable as $$
      declare banco text := (select oid from pg_database where datname = current_database());
      begin
        return (select system_identifier from pg_control_system()) || '/' || banco;
      exception when insufficient_privilege then
        return banco;
      end $$`);
    this.addSql(`create table historia_mudancas (
      unica boolean primary key default true check (unica),
      historia uuid not null default gen_random_uuid(),
      lugar text not null default mudancas_lugar(),
      fotografia pg_snapshot not null default pg_current_snapshot(),
      ultima bigint not null default 0,
      momento timestamptz(3) not null default clock_timestamp()
    )`);
    this.addSql('insert into historia_mudancas default values');
    // The mark distinguishes a position from the same position in a history that a failover has lost. The timestamps of
    // its first and last entry limit the search to few months of the trail.
    this.addSql(`create table mudanca_transacao (
      posicao bigint primary key,
      transacao xid8 not null unique,
      marca int not null default floor(random() * 2147483647),
      desde timestamptz(3) not null,
      ate timestamptz(3) not null,
      momento timestamptz(3) not null default clock_timestamp()
    )`);
    // Transactions that the last snapshot did not see were running at that time, or began later. So this reads new
    // entries only, however long a transaction runs. No transaction lasts a week, so few months of the trail are
    // searched.
    this.addSql(`create function numerar_mudancas() returns void language plpgsql
      set plan_cache_mode = force_generic_plan as $$
      declare
        foto pg_snapshot;
        dia timestamptz;
        numero bigint;
      begin
        select h.fotografia, h.momento - interval '7 days' into foto, dia from historia_mudancas h;
        if not exists (select from auditoria a where a.transacao >= pg_snapshot_xmax(foto) and a.momento > dia)
          and not exists (select from pg_snapshot_xip(foto) x join auditoria a on a.transacao = x where a.momento > dia) then
          return;
        end if;
        -- The next statement has a snapshot that is younger than this lock.
        select h.fotografia, h.ultima into foto, numero from historia_mudancas h for update;
        with escritas as (
          select a.transacao, a.id, a.momento from auditoria a
          where a.transacao >= pg_snapshot_xmax(foto) and a.momento > dia and a.operacao in ('insert', 'update', 'delete')
          union all
          select a.transacao, a.id, a.momento from pg_snapshot_xip(foto) x join auditoria a on a.transacao = x
          where a.momento > dia and a.operacao in ('insert', 'update', 'delete')
        ), novas as (
          insert into mudanca_transacao (posicao, transacao, desde, ate)
          select numero + row_number() over (order by max(e.id)), e.transacao, min(e.momento), max(e.momento)
          from escritas e group by e.transacao
          returning posicao
        )
        update historia_mudancas set fotografia = pg_current_snapshot(), momento = clock_timestamp(),
          ultima = coalesce((select max(posicao) from novas), ultima)
        returning ultima - numero into numero;
        if numero > 0 then
          perform pg_notify('mudancas', '');
        end if;
      end $$`);
  }

  /** After a restore the numbers of transactions are meaningless, and the positions of readers may no longer exist. */
  private restore(): void {
    this.addSql(`create function mudancas_restauradas() returns void language plpgsql as $$
      begin
        update historia_mudancas set historia = gen_random_uuid(), lugar = mudancas_lugar(),
          fotografia = pg_current_snapshot(), ultima = 0, momento = clock_timestamp()
        where lugar <> mudancas_lugar() or pg_snapshot_xmax(fotografia) > pg_snapshot_xmax(pg_current_snapshot());
        if found then
          delete from mudanca_transacao;
        end if;
      end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ${TABLES.map(table => `''${table}''`).join(', ')}', '');
    end $$`);
    this.addSql('drop function numerar_mudancas, mudancas_restauradas');
    this.addSql(`drop table ${TABLES.join(', ')}`);
    this.addSql('drop function mudancas_lugar');
    this.addSql(`do $$ begin
      execute replace(regexp_replace(pg_get_functiondef('auditar'::regproc), ', \\(linha\\.\\w+ ->> ''versao''\\)::int', '', 'g'),
        'alteracoes, versao_registro)', 'alteracoes)');
    end $$`);
    this.addSql('alter table auditoria drop column versao_registro');
  }
}
