import { Migration } from '@mikro-orm/migrations';

/** Contents that an upload is about to use, so that sweeping does not delete them. Not a record, so not audited. */
export class Migration20261121000014 extends Migration {
  override up(): void {
    this.addSql(`create table envio_arquivo (
      sha256 text primary key,
      momento timestamptz(3) not null default clock_timestamp()
    )`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''envio_arquivo''');
    end $$`);
  }

  override down(): void {
    this.addSql('drop table envio_arquivo');
  }
}
