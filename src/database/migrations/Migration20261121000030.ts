import { Migration } from '@mikro-orm/migrations';

const changes = [
  ['insert', 'new table as novas'],
  ['update', 'old table as antigas new table as novas'],
  ['delete', 'old table as antigas'],
] as const;

/**
 * Addresses of people are stored in lower case, so that they are unique regardless of case. If two people have the same
 * address, the migration fails and names it. The holders of a managerial account are part of its version.
 */
export class Migration20261121000030 extends Migration {
  override up(): void {
    this.addSql(`drop index "pessoa_email_lower";`);
    this.addSql(`update "pessoa" set "email" = lower("email") where "email" <> lower("email");`);
    this.addSql(`alter table "pessoa" add constraint "pessoa_email_lower" check ("email" = lower("email"));`);
    for (const [event, rows] of changes)
      this.addSql(`create trigger versionar_conta_gerencial_${event} after ${event} on responsavel_conta
        referencing ${rows} for each statement execute function versionar_dono('id_conta', 'conta_gerencial')`);
  }

  override down(): void {
    for (const [event] of changes)
      this.addSql(`drop trigger versionar_conta_gerencial_${event} on responsavel_conta`);
    this.addSql(`alter table "pessoa" drop constraint "pessoa_email_lower";`);
    this.addSql(`create index "pessoa_email_lower" on "pessoa" (lower("email"));`);
  }
}
