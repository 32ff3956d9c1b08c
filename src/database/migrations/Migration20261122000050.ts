import { Migration } from '@mikro-orm/migrations';

/** Well-known units, by symbol, with their factors. */
const KNOWN = `('mg', 'K', 0.000001), ('g', 'K', 0.001), ('kg', 'K', 1),
  ('µL', 'L', 0.000001), ('mL', 'L', 0.001), ('L', 'L', 1), ('m³', 'L', 1000)`;

/** Data on materials and units that is reported to the Federal Police. */
export class Migration20261122000050 extends Migration {
  override name = 'Migration20261122000050';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "codigo_pf" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "codigo" varchar(11) not null, "nome" varchar(300) not null, "nome_busca" text null, "lista" varchar(3) null);`,
    );
    this.addSql(`alter table "codigo_pf" add constraint "codigo_pf_codigo_unique" unique ("codigo");`);
    this.addSql(`create index "codigo_pf_nome_busca" on "codigo_pf" using gin ("nome_busca" gin_trgm_ops);`);
    this.addSql(`create index "codigo_pf_nome_sort" on "codigo_pf" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "substancia_controlada" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_material" int not null, "codigo_pf" varchar(11) not null, "concentracao" double precision not null);`,
    );
    this.addSql(
      `create index "substancia_controlada_id_material_index" on "substancia_controlada" ("id_material");`,
    );
    this.addSql(
      `alter table "substancia_controlada" add constraint "substancia_controlada_id_material_codigo_pf_unique" unique ("id_material", "codigo_pf");`,
    );

    this.addSql(
      `alter table "unidade_medida" add "unidade_controle" varchar(1) null, add "fator_controle" double precision null;`,
    );
    this.addSql(
      `alter table "unidade_medida" add constraint "unidade_medida_unidade_controle_check" check ("unidade_controle" in ('K', 'L'));`,
    );
    this.addSql(
      `alter table "unidade_medida" add constraint "unidade_medida_fator_controle_check" check ("fator_controle"::numeric > 0);`,
    );

    this.addSql(
      `alter table "material" add "codigo_pf" varchar(11) null, add "lista_pf" varchar(3) null, add "ncm" varchar(10) null, add "concentracao" double precision null, add "densidade" double precision null, add "rotulo_exercito" varchar(100) null;`,
    );
    this.addSql(
      `alter table "material" add constraint "material_lista_pf_check" check ("lista_pf" in ('I', 'II', 'III', 'IV', 'V', 'VI', 'VII'));`,
    );
    this.addSql(
      `alter table "material" add constraint "material_densidade_check" check ("densidade"::numeric >= 0.005 and "densidade"::numeric < 99.995);`,
    );
    this.addSql(
      `alter table "material" add constraint "material_concentracao_check" check ("concentracao"::numeric > 0 and "concentracao"::numeric <= 100);`,
    );
    this.addSql(
      `alter table "material" add constraint "material_ncm_check" check ("ncm" ~ '^[0-9]{4}[.][0-9]{2}[.][0-9]{2}$');`,
    );
    this.addSql(
      `alter table "material" add constraint "material_codigo_pf_check" check ("codigo_pf" ~ '^TPN[0-9]{8}$');`,
    );

    this.addSql(
      `alter table "codigo_pf" add constraint "codigo_pf_lista_check" check ("lista" in ('I', 'II', 'III', 'IV', 'V', 'VI', 'VII'));`,
    );
    this.addSql(
      `alter table "codigo_pf" add constraint "codigo_pf_codigo_check" check ("codigo" ~ '^TPN[0-9]{8}$');`,
    );

    this.addSql(
      `alter table "substancia_controlada" add constraint "substancia_controlada_id_material_foreign" foreign key ("id_material") references "material" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "substancia_controlada" add constraint "substancia_controlada_concentracao_check" check ("concentracao"::numeric > 0 and "concentracao"::numeric < 100);`,
    );
    this.addSql(
      `alter table "substancia_controlada" add constraint "substancia_controlada_codigo_pf_check" check ("codigo_pf" ~ '^TPN[0-9]{8}$');`,
    );
    this.addSql(`select set_config('sii.requisicao', 'fatores de unidades', true)`);
    this.addSql(`update unidade_medida u set unidade_controle = k.unidade, fator_controle = k.fator
      from (values ${KNOWN}) k (sigla, unidade, fator) where k.sigla = u.sigla`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "codigo_pf" cascade;`);
    this.addSql(`drop table if exists "substancia_controlada" cascade;`);

    this.addSql(`alter table "material" drop constraint "material_lista_pf_check";`);
    this.addSql(`alter table "material" drop constraint "material_densidade_check";`);
    this.addSql(`alter table "material" drop constraint "material_concentracao_check";`);
    this.addSql(`alter table "material" drop constraint "material_ncm_check";`);
    this.addSql(`alter table "material" drop constraint "material_codigo_pf_check";`);
    this.addSql(
      `alter table "material" drop column "codigo_pf", drop column "lista_pf", drop column "ncm", drop column "concentracao", drop column "densidade", drop column "rotulo_exercito";`,
    );

    this.addSql(`alter table "unidade_medida" drop constraint "unidade_medida_unidade_controle_check";`);
    this.addSql(`alter table "unidade_medida" drop constraint "unidade_medida_fator_controle_check";`);
    this.addSql(`alter table "unidade_medida" drop column "unidade_controle", drop column "fator_controle";`);
  }
}
