import { Migration } from '@mikro-orm/migrations';

/** The audit trail can tell whether a table was written since a snapshot, so that totals can be cached. */
export class Migration20261121000028 extends Migration {
  override up(): void {
    this.addSql('alter table auditoria add column transacao xid8 not null default pg_current_xact_id()');
    this.addSql('create index auditoria_tabela_transacao on auditoria (tabela, transacao)');
  }

  override down(): void {
    this.addSql('drop index auditoria_tabela_transacao');
    this.addSql('alter table auditoria drop column transacao');
  }
}
