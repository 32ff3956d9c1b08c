import { Migration } from '@mikro-orm/migrations';

/** Distinguishes the request digests of the previous version from the current ones, which depend less on the answer. */
export class Migration20261122000014 extends Migration {
  override up(): void {
    this.addSql('alter table idempotencia add column formato int not null default 1');
  }

  override down(): void {
    this.addSql('alter table idempotencia drop column formato');
  }
}
