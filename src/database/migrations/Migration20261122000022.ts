import { Migration } from '@mikro-orm/migrations';

/** A batch can exist before any of it arrives. */
export class Migration20261122000022 extends Migration {
  override name = 'Migration20261122000022';

  override up(): void | Promise<void> {
    this.addSql(`alter table "lote" alter column "quantidade" set default 0;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "lote" alter column "quantidade" drop default;`);
  }
}
