import { Migration } from '@mikro-orm/migrations';

/**
 * The entries of a transaction on one table are found in their order. A reader of changes of few tables passed over all
 * other entries of large transactions, such as imports: 3 s for a page where the trail had 2,100,000 of them.
 */
export class Migration20261122000099 extends Migration {
  override up(): void {
    this.replace('(tabela, transacao, id)');
  }

  override down(): void {
    this.replace('(tabela, transacao)');
  }

  private replace(columns: string): void {
    this.addSql('drop index auditoria_tabela_transacao');
    this.addSql(`create index auditoria_tabela_transacao on auditoria ${columns}`);
  }
}
