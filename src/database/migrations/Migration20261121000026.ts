import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000026 extends Migration {
  override name = 'Migration20261121000026';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "responsavel_laboratorio" add constraint "responsavel_laboratorio_data_fim_check" check ("data_fim" >= "data_inicio");`,
    );
    this.addSql(
      `alter table "responsavel_laboratorio" add constraint "responsavel_laboratorio_termo_excl" EXCLUDE USING gist (int4range(id_local, id_local, '[]'::text) WITH &&, int4range(id_pessoa, id_pessoa, '[]'::text) WITH &&, daterange(data_inicio, data_fim, '[]'::text) WITH &&);`,
    );
  }
}
