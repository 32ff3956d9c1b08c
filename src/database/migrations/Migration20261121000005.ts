import { Migration } from '@mikro-orm/migrations';

/**
 * The audit trail (contract 9): every write to every table adds a row, whichever code made it, in the same transaction.
 * The transaction itself sets who the author is (`request/writing.ts`).
 */
export class Migration20261121000005 extends Migration {
  override up(): void {
    this.addSql(`create table auditoria (
      id bigint generated always as identity primary key,
      momento timestamptz(3) not null default clock_timestamp(),
      id_pessoa int,
      id_sistema int,
      endereco varchar(45),
      requisicao varchar(36),
      tabela varchar(63) not null,
      id_registro int not null,
      operacao varchar(6) not null check (operacao in ('insert', 'update', 'delete')),
      alteracoes jsonb not null
    )`);
    this.addSql('create index auditoria_registro on auditoria (tabela, id_registro, id)');
    this.addSql('create index auditoria_pessoa on auditoria (id_pessoa, id)');
    this.addSql('create index auditoria_momento on auditoria (momento, id)');
    // Columns named *hash hold digests of secrets. The trail records that they changed, without the values.
    this
      .addSql(`create function auditoria_alteracoes(antes jsonb, depois jsonb) returns jsonb language sql immutable parallel safe
      return (
        select coalesce(jsonb_object_agg(campo,
          case when campo ~ 'hash$' then '["***", "***"]'::jsonb else jsonb_build_array(antes -> campo, depois -> campo) end), '{}')
        from jsonb_object_keys(coalesce(antes, depois)) as campo
        where coalesce(antes -> campo, 'null') <> coalesce(depois -> campo, 'null')
      )`);
    this.addSql(`create function auditar() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, n.id, 'update', auditoria_alteracoes(to_jsonb(o), to_jsonb(n))
          from novas n join antigas o using (id), auditoria_quem() quem;
        elsif tg_op = 'INSERT' then
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, n.id, 'insert', auditoria_alteracoes(null, to_jsonb(n))
          from novas n, auditoria_quem() quem;
        else
          insert into auditoria (id_pessoa, id_sistema, endereco, requisicao, tabela, id_registro, operacao, alteracoes)
          select quem.*, tg_table_name, o.id, 'delete', auditoria_alteracoes(to_jsonb(o), null)
          from antigas o, auditoria_quem() quem;
        end if;
        return null;
      end $$`);
    this
      .addSql(`create function auditoria_quem(out id_pessoa int, out id_sistema int, out endereco text, out requisicao text)
      language sql stable as $$
      select nullif(current_setting('sii.id_pessoa', true), '')::int,
        nullif(current_setting('sii.id_sistema', true), '')::int,
        nullif(current_setting('sii.endereco', true), ''),
        nullif(current_setting('sii.requisicao', true), '')
      $$`);
    this.addSql(`create function auditoria_recusa() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create trigger auditoria_recusa before update or delete or truncate on auditoria
      for each statement execute function auditoria_recusa()`);
    // Called after every migration, so that no table can be forgotten.
    this.addSql(`create function auditar_tabelas() returns void language plpgsql as $$
      declare tabela text;
      begin
        for tabela in
          select c.relname from pg_class c
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            and c.relname not in ('auditoria', 'tentativa_login', 'mikro_orm_migrations')
            and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'auditar_insert')
        loop
          execute format('create trigger auditar_insert after insert on %I referencing new table as novas for each statement execute function auditar()', tabela);
          execute format('create trigger auditar_update after update on %I referencing old table as antigas new table as novas for each statement execute function auditar()', tabela);
          execute format('create trigger auditar_delete after delete on %I referencing old table as antigas for each statement execute function auditar()', tabela);
        end loop;
      end $$`);
  }

  override down(): void {
    this.addSql('drop function auditar, auditar_tabelas cascade');
    this.addSql('drop table auditoria');
    this.addSql('drop function auditoria_recusa, auditoria_quem, auditoria_alteracoes');
  }
}
