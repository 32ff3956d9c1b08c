import { Migration } from '@mikro-orm/migrations';

/** An acknowledgement keeps the figures of its alert, and counts while they are not worse. */
export class Migration20261127000114 extends Migration {
  override up(): void {
    this.addSql(`alter table "reconhecimento_alerta" add "quantidade" int null, add "minimo" int null`);
  }

  override down(): void {
    this.addSql(`alter table "reconhecimento_alerta" drop column "quantidade", drop column "minimo"`);
  }
}
