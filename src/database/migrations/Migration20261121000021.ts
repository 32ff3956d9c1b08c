import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000021 extends Migration {
  override name = 'Migration20261121000021';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "movimentacao_entrada" on "movimentacao" ("id_lote", "data") where "id_tipo_movimentacao" in (1, 2) and "id_status_movimentacao" = 2 and "fl_estorno" = 'N';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "movimentacao_entrada";`);
  }
}
