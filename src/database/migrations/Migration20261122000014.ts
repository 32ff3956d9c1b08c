import { Migration } from '@mikro-orm/migrations';

/** Tells the digests of requests that the version before stored from those of today, which say less of the answer. */
export class Migration20261122000014 extends Migration {
  override up(): void {
    this.addSql('alter table idempotencia add column formato int not null default 1');
  }

  override down(): void {
    this.addSql('alter table idempotencia drop column formato');
  }
}
