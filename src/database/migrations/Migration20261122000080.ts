import { Migration } from '@mikro-orm/migrations';

export class Migration20261122000080 extends Migration {
  override up(): void {
    this.addSql(`alter table "classificacao_risco" add "precaucao" varchar(2000) null;`);
  }

  override down(): void {
    this.addSql(`alter table "classificacao_risco" drop column "precaucao";`);
  }
}
