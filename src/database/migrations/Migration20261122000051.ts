import { Migration } from '@mikro-orm/migrations';

/** The purpose of consumption of controlled materials, and which of them appear in the map of the Federal Police. */
export class Migration20261122000051 extends Migration {
  override name = 'Migration20261122000051';

  override up(): void | Promise<void> {
    this.addSql(`alter table "local" add "finalidade" int null;`);
    this.addSql(
      `alter table "local" add constraint "local_finalidade_check" check ("finalidade" in (1, 2, 3, 4, 5));`,
    );

    this.addSql(`alter table "tipo_controle" add "mapa_pf" boolean not null default false;`);

    this.addSql(`alter table "movimentacao" add "finalidade" int null;`);
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_finalidade_check" check ("finalidade" in (1, 2, 3, 4, 5));`,
    );
    this.addSql(`select set_config('sii.requisicao', 'controle da Polícia Federal', true)`);
    this.addSql(
      `update tipo_controle set mapa_pf = true where concat_ws(' ', descricao, orgao_controlador) ~* 'pol[ií]cia federal|\\mdpf\\M'`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "local" drop constraint "local_finalidade_check";`);
    this.addSql(`alter table "local" drop column "finalidade";`);

    this.addSql(`alter table "movimentacao" drop constraint "movimentacao_finalidade_check";`);
    this.addSql(`alter table "movimentacao" drop column "finalidade";`);

    this.addSql(`alter table "tipo_controle" drop column "mapa_pf";`);
  }
}
