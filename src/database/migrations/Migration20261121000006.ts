import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000006 extends Migration {
  override name = 'Migration20261121000006';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "nota_fiscal" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "numero_nf" varchar(50) not null, "id_transportadora" int not null, "id_fornecedor" int not null, "data_emissao" date null, "data_recebimento" date null, "processo_sei" varchar(50) null, "link_nf" varchar(2000) null);`,
    );
    this.addSql(`create index "nota_fiscal_id_transportadora_index" on "nota_fiscal" ("id_transportadora");`);
    this.addSql(`create index "nota_fiscal_id_fornecedor_index" on "nota_fiscal" ("id_fornecedor");`);
    this.addSql(
      `create index "nota_fiscal_numero_nf_sort" on "nota_fiscal" ("numero_nf" collate "pt_br", "id");`,
    );
    this.addSql(`create index "nota_fiscal_data_emissao_sort" on "nota_fiscal" ("data_emissao", "id");`);
    this.addSql(
      `create index "nota_fiscal_data_recebimento_sort" on "nota_fiscal" ("data_recebimento", "id");`,
    );
    this.addSql(
      `create index "nota_fiscal_processo_sei_search" on "nota_fiscal" using gin (fold("processo_sei") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "nota_fiscal_processo_sei_sort" on "nota_fiscal" ("processo_sei" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "lote" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_material" int not null, "id_fabricante" int not null, "cod_lote" varchar(50) null, "data_venc" date null, "quantidade" int not null, "motivo" varchar(500) null, "id_local" int null, "id_local_destino" int null);`,
    );
    this.addSql(`create index "lote_id_material_index" on "lote" ("id_material");`);
    this.addSql(`create index "lote_id_fabricante_index" on "lote" ("id_fabricante");`);
    this.addSql(`create index "lote_id_local_index" on "lote" ("id_local");`);
    this.addSql(`create index "lote_id_local_destino_index" on "lote" ("id_local_destino");`);
    this.addSql(`create index "lote_cod_lote_sort" on "lote" ("cod_lote" collate "pt_br", "id");`);
    this.addSql(`create index "lote_data_venc_sort" on "lote" ("data_venc", "id");`);

    this.addSql(
      `create table "movimentacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_lote" int not null, "id_tipo_movimentacao" int not null, "id_status_movimentacao" int not null, "id_local_origem_fim" int null, "id_local_destino_fim" int null, "id_local_origem_arm" int null, "id_local_destino_arm" int null, "quantidade" int not null, "observacao" varchar(500) null, "fl_estorno" varchar(1) not null default 'N', "id_nota_fiscal" int null, "data" timestamptz(3) not null default now());`,
    );
    this.addSql(`create index "movimentacao_id_lote_index" on "movimentacao" ("id_lote");`);
    this.addSql(
      `create index "movimentacao_id_tipo_movimentacao_index" on "movimentacao" ("id_tipo_movimentacao");`,
    );
    this.addSql(
      `create index "movimentacao_id_status_movimentacao_index" on "movimentacao" ("id_status_movimentacao");`,
    );
    this.addSql(
      `create index "movimentacao_id_local_origem_fim_index" on "movimentacao" ("id_local_origem_fim");`,
    );
    this.addSql(
      `create index "movimentacao_id_local_destino_fim_index" on "movimentacao" ("id_local_destino_fim");`,
    );
    this.addSql(
      `create index "movimentacao_id_local_origem_arm_index" on "movimentacao" ("id_local_origem_arm");`,
    );
    this.addSql(
      `create index "movimentacao_id_local_destino_arm_index" on "movimentacao" ("id_local_destino_arm");`,
    );
    this.addSql(`create index "movimentacao_id_nota_fiscal_index" on "movimentacao" ("id_nota_fiscal");`);
    this.addSql(`create index "movimentacao_data_sort" on "movimentacao" ("data", "id");`);

    this.addSql(
      `create table "solicitacao_aprovacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_movimentacao" int not null, "situacao" varchar(1) not null default 'P', "solicitado_por" int not null, "solicitado_em" timestamptz(3) not null default now(), "decidido_por" int null, "decidido_em" timestamptz(3) null, "motivo" varchar(500) null);`,
    );
    this.addSql(
      `alter table "solicitacao_aprovacao" add constraint "solicitacao_aprovacao_id_movimentacao_unique" unique ("id_movimentacao");`,
    );
    this.addSql(
      `create index "solicitacao_aprovacao_situacao_sort" on "solicitacao_aprovacao" ("situacao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "item_nota_fiscal" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_nota_fiscal" int not null, "id_lote" int not null);`,
    );
    this.addSql(
      `create index "item_nota_fiscal_id_nota_fiscal_index" on "item_nota_fiscal" ("id_nota_fiscal");`,
    );
    this.addSql(`create index "item_nota_fiscal_id_lote_index" on "item_nota_fiscal" ("id_lote");`);
    this.addSql(
      `alter table "item_nota_fiscal" add constraint "item_nota_fiscal_id_nota_fiscal_id_lote_unique" unique ("id_nota_fiscal", "id_lote");`,
    );

    this.addSql(
      `create table "estoque" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_lote" int not null, "id_local_fim" int not null, "id_local_armazenado" int not null, "quantidade" int not null default 0);`,
    );
    this.addSql(`create index "estoque_id_lote_index" on "estoque" ("id_lote");`);
    this.addSql(`create index "estoque_id_local_fim_index" on "estoque" ("id_local_fim");`);
    this.addSql(`create index "estoque_id_local_armazenado_index" on "estoque" ("id_local_armazenado");`);
    this.addSql(
      `alter table "estoque" add constraint "estoque_id_lote_id_local_fim_id_local_armazenado_unique" unique ("id_lote", "id_local_fim", "id_local_armazenado");`,
    );

    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_id_transportadora_foreign" foreign key ("id_transportadora") references "empresa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_id_fornecedor_foreign" foreign key ("id_fornecedor") references "empresa" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "lote" add constraint "lote_id_material_foreign" foreign key ("id_material") references "material" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "lote" add constraint "lote_id_fabricante_foreign" foreign key ("id_fabricante") references "empresa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "lote" add constraint "lote_id_local_foreign" foreign key ("id_local") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "lote" add constraint "lote_id_local_destino_foreign" foreign key ("id_local_destino") references "local" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_lote_foreign" foreign key ("id_lote") references "lote" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_tipo_movimentacao_foreign" foreign key ("id_tipo_movimentacao") references "tipo_movimentacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_status_movimentacao_foreign" foreign key ("id_status_movimentacao") references "status_movimentacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_local_origem_fim_foreign" foreign key ("id_local_origem_fim") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_local_destino_fim_foreign" foreign key ("id_local_destino_fim") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_local_origem_arm_foreign" foreign key ("id_local_origem_arm") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_local_destino_arm_foreign" foreign key ("id_local_destino_arm") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_id_nota_fiscal_foreign" foreign key ("id_nota_fiscal") references "nota_fiscal" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_fl_estorno_check" check ("fl_estorno" in ('S', 'N'));`,
    );
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_quantidade_check" check ("quantidade" >= 1);`,
    );

    this.addSql(
      `alter table "solicitacao_aprovacao" add constraint "solicitacao_aprovacao_id_movimentacao_foreign" foreign key ("id_movimentacao") references "movimentacao" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "solicitacao_aprovacao" add constraint "solicitacao_aprovacao_situacao_check" check ("situacao" in ('P', 'A', 'R'));`,
    );

    this.addSql(
      `alter table "item_nota_fiscal" add constraint "item_nota_fiscal_id_nota_fiscal_foreign" foreign key ("id_nota_fiscal") references "nota_fiscal" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "item_nota_fiscal" add constraint "item_nota_fiscal_id_lote_foreign" foreign key ("id_lote") references "lote" ("id") on update restrict on delete cascade;`,
    );

    this.addSql(
      `alter table "estoque" add constraint "estoque_id_lote_foreign" foreign key ("id_lote") references "lote" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "estoque" add constraint "estoque_id_local_fim_foreign" foreign key ("id_local_fim") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "estoque" add constraint "estoque_id_local_armazenado_foreign" foreign key ("id_local_armazenado") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(`alter table "estoque" add constraint "estoque_quantidade_check" check ("quantidade" >= 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "movimentacao" drop constraint "movimentacao_id_nota_fiscal_foreign";`);
    this.addSql(`alter table "item_nota_fiscal" drop constraint "item_nota_fiscal_id_nota_fiscal_foreign";`);
    this.addSql(`alter table "movimentacao" drop constraint "movimentacao_id_lote_foreign";`);
    this.addSql(`alter table "item_nota_fiscal" drop constraint "item_nota_fiscal_id_lote_foreign";`);
    this.addSql(`alter table "estoque" drop constraint "estoque_id_lote_foreign";`);
    this.addSql(
      `alter table "solicitacao_aprovacao" drop constraint "solicitacao_aprovacao_id_movimentacao_foreign";`,
    );

    this.addSql(`drop table if exists "nota_fiscal" cascade;`);
    this.addSql(`drop table if exists "lote" cascade;`);
    this.addSql(`drop table if exists "movimentacao" cascade;`);
    this.addSql(`drop table if exists "solicitacao_aprovacao" cascade;`);
    this.addSql(`drop table if exists "item_nota_fiscal" cascade;`);
    this.addSql(`drop table if exists "estoque" cascade;`);
  }
}
