import { Migration } from '@mikro-orm/migrations';

/**
 * Addresses of people are kept in the letters in which they are compared, so that they are unique in whatever letters
 * they are written. Where two people have the same one, this fails and names it.
 */
export class Migration20261121000030 extends Migration {
  override up(): void {
    this.addSql(`drop index "pessoa_email_lower";`);
    this.addSql(`update "pessoa" set "email" = lower("email") where "email" <> lower("email");`);
    this.addSql(`alter table "pessoa" add constraint "pessoa_email_lower" check ("email" = lower("email"));`);
  }

  override down(): void {
    this.addSql(`alter table "pessoa" drop constraint "pessoa_email_lower";`);
    this.addSql(`create index "pessoa_email_lower" on "pessoa" (lower("email"));`);
  }
}
