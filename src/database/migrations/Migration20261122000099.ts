import { Migration } from '@mikro-orm/migrations';

/**
 * An index finds the entries of a transaction on one table in their order. Before, a reader of changes of few tables
 * read over all other entries of large transactions, such as imports: 3 s per page where the trail had 2,100,000 of
 * them.
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
