import { Migration } from '@mikro-orm/migrations';

/** Digests of the settings with which a process of the service started last. */
export class Migration20261126000106 extends Migration {
  override up(): void {
    this.addSql('create table configuracao (nome text primary key, resumo text not null)');
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''configuracao''');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''configuracao''', '');
    end $$`);
    this.addSql('drop table configuracao');
  }
}
