import { Migration } from '@mikro-orm/migrations';

/** Name of the file of an import in the folder of its machine, which removes it after the end of the import. */
export class Migration20261129000133 extends Migration {
  override up(): void {
    this.addSql('alter table andamento_importacao add arquivo varchar(60)');
  }

  override down(): void {
    this.addSql('alter table andamento_importacao drop arquivo');
  }
}
