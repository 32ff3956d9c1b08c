import { Migration } from '@mikro-orm/migrations';

/**
 * The last position that each session has seen or written, in the log of the primary. A standby that has not reached it
 * does not serve the session. It changes often, so each page keeps room for new versions of its rows.
 */
export class Migration20261122000094 extends Migration {
  override up(): void {
    this.addSql(`create table posicao_sessao (
      id_sessao int primary key references sessao (id) on update restrict on delete cascade,
      posicao pg_lsn not null
    ) with (fillfactor = 50)`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''posicao_sessao''');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''posicao_sessao''', '');
    end $$`);
    this.addSql('drop table posicao_sessao');
  }
}
