import { Migration } from '@mikro-orm/migrations';

/** When a sweep began to remove a content. It stays if the storage did not answer, because the removal may come late. */
export class Migration20261128000124 extends Migration {
  override up(): void {
    this.addSql('alter table envio_arquivo add removido_em timestamptz(3)');
  }

  override down(): void {
    this.addSql('alter table envio_arquivo drop removido_em');
  }
}
