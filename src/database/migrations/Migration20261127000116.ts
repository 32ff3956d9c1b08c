import { Migration } from '@mikro-orm/migrations';

/**
 * The refused rows of an import are stored in compressed chunks, so that nobody needs all of them in memory. Those of
 * earlier imports stay in `andamento_importacao.recusadas`, which the previous version still writes.
 */
export class Migration20261127000116 extends Migration {
  override up(): void {
    this.addSql(`create table recusadas_importacao (
      id_importacao int not null references andamento_importacao (id_importacao) on update restrict on delete cascade,
      numero int not null,
      linhas bytea not null,
      primary key (id_importacao, numero)
    )`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''recusadas_importacao''');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''recusadas_importacao''', '');
    end $$`);
    this.addSql('drop table recusadas_importacao');
  }
}
