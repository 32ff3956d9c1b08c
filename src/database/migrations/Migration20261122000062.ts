import { Migration } from '@mikro-orm/migrations';

/** The role of an invoice in the monthly map of controlled chemicals. */
export class Migration20261122000062 extends Migration {
  override name = 'Migration20261122000062';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "nota_fiscal" add "operacao" varchar(2) null, add "armazenagem" varchar(1) null, add "transporte" varchar(1) null;`,
    );
    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_operacao_check" check ("operacao" in ('EC', 'ET', 'ED', 'EA', 'EP', 'EI', 'ER', 'SV', 'ST', 'SA', 'SI', 'SD', 'SR', 'SP', 'SO'));`,
    );
    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_armazenagem_check" check ("armazenagem" in ('S', 'N', 'F', 'T'));`,
    );
    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_transporte_check" check ("transporte" in ('A', 'F', 'T'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "nota_fiscal" drop constraint "nota_fiscal_operacao_check";`);
    this.addSql(`alter table "nota_fiscal" drop constraint "nota_fiscal_armazenagem_check";`);
    this.addSql(`alter table "nota_fiscal" drop constraint "nota_fiscal_transporte_check";`);
    this.addSql(
      `alter table "nota_fiscal" drop column "operacao", drop column "armazenagem", drop column "transporte";`,
    );
  }
}
