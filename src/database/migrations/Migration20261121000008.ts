import { Migration } from '@mikro-orm/migrations';

/**
 * Stored answers of mutations with an `Idempotency-Key`, for a day. They are not records of the service and not
 * audited.
 */
export class Migration20261121000008 extends Migration {
  override up(): void {
    this.addSql(`create table idempotencia (
      id_pessoa int not null,
      chave varchar(255) not null,
      campo varchar(255) not null,
      resumo bytea not null,
      resposta json not null,
      criado_em timestamptz(3) not null default now(),
      primary key (id_pessoa, chave, campo)
    )`);
    this.addSql('create index idempotencia_criado_em on idempotencia (criado_em)');
    this.addSql(`create or replace function auditar_tabelas() returns void language plpgsql as $$
      declare tabela text;
      begin
        for tabela in
          select c.relname from pg_class c
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            and c.relname not in ('auditoria', 'tentativa_login', 'idempotencia', 'mikro_orm_migrations')
            and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'auditar_insert')
        loop
          execute format('create trigger auditar_insert after insert on %I referencing new table as novas for each statement execute function auditar()', tabela);
          execute format('create trigger auditar_update after update on %I referencing old table as antigas new table as novas for each statement execute function auditar()', tabela);
          execute format('create trigger auditar_delete after delete on %I referencing old table as antigas for each statement execute function auditar()', tabela);
        end loop;
      end $$`);
  }

  override down(): void {
    this.addSql('drop table idempotencia');
  }
}
