import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000009 extends Migration {
  override name = 'Migration20261121000009';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "menu" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "descricao" varchar(1000) null, "id_sistema" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "menu_id_sistema_index" on "menu" ("id_sistema");`);
    this.addSql(`create index "menu_nome_sort" on "menu" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "item_menu" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "id_menu" int not null, "id_controller" int null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "item_menu_id_menu_index" on "item_menu" ("id_menu");`);
    this.addSql(`create index "item_menu_id_controller_index" on "item_menu" ("id_controller");`);
    this.addSql(`create index "item_menu_nome_sort" on "item_menu" ("nome" collate "pt_br", "id");`);

    this.addSql(`create index "sistema_sigla_search" on "sistema" using gin (fold("sigla") gin_trgm_ops);`);
    this.addSql(
      `create index "sistema_descricao_search" on "sistema" using gin (fold("descricao") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "sistema_pagina_inicial_search" on "sistema" using gin (fold("pagina_inicial") gin_trgm_ops);`,
    );

    this.addSql(`create index "recurso_nome_search" on "recurso" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(
      `create index "recurso_descricao_search" on "recurso" using gin (fold("descricao") gin_trgm_ops);`,
    );

    this.addSql(`create index "perfil_nome_search" on "perfil" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(
      `create index "perfil_descricao_search" on "perfil" using gin (fold("descricao") gin_trgm_ops);`,
    );

    this.addSql(
      `create index "controller_nome_search" on "controller" using gin (fold("nome") gin_trgm_ops);`,
    );

    this.addSql(`alter table "perfil_recurso_item" add "id_item_menu" int null;`);
    this.addSql(
      `alter table "perfil_recurso_item" add constraint "perfil_recurso_item_id_item_menu_foreign" foreign key ("id_item_menu") references "item_menu" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `create index "perfil_recurso_item_id_item_menu_index" on "perfil_recurso_item" ("id_item_menu");`,
    );

    this.addSql(
      `alter table "chave_api" add "alterado_em" timestamptz(3) not null default now(), add "criado_por" int null, add "alterado_por" int null, add "ultimo_uso" timestamptz(3) null;`,
    );

    this.addSql(
      `alter table "menu" add constraint "menu_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(`alter table "menu" add constraint "menu_situacao_check" check ("situacao" in ('A', 'I'));`);

    this.addSql(
      `alter table "item_menu" add constraint "item_menu_id_menu_foreign" foreign key ("id_menu") references "menu" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "item_menu" add constraint "item_menu_id_controller_foreign" foreign key ("id_controller") references "controller" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "item_menu" add constraint "item_menu_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this
      .addSql(`create view "parametro_acesso_api" as select s.id, s.criado_em, s.alterado_em, s.criado_por, s.alterado_por, s.nome, s.sigla, s.situacao,
  (select se.versao_aplicacao from sessao se where se.id_sistema = s.id order by se.id desc limit 1) as versao,
  (select max(k.ultimo_uso) from chave_api k where k.id_sistema = s.id) as ultimo_uso
from sistema s
where exists (
  select from chave_api k
  where k.id_sistema = s.id and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())
);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop view if exists "parametro_acesso_api" cascade;`);
    this.addSql(`alter table "item_menu" drop constraint "item_menu_id_menu_foreign";`);
    this.addSql(
      `alter table "perfil_recurso_item" drop constraint "perfil_recurso_item_id_item_menu_foreign";`,
    );

    this.addSql(`drop table if exists "menu" cascade;`);
    this.addSql(`drop table if exists "item_menu" cascade;`);

    this.addSql(
      `alter table "chave_api" drop column "alterado_em", drop column "criado_por", drop column "alterado_por", drop column "ultimo_uso";`,
    );

    this.addSql(`drop index "controller_nome_search";`);

    this.addSql(`drop index "perfil_nome_search";`);
    this.addSql(`drop index "perfil_descricao_search";`);

    this.addSql(`drop index "perfil_recurso_item_id_item_menu_index";`);
    this.addSql(`alter table "perfil_recurso_item" drop column "id_item_menu";`);

    this.addSql(`drop index "recurso_nome_search";`);
    this.addSql(`drop index "recurso_descricao_search";`);

    this.addSql(`drop index "sistema_sigla_search";`);
    this.addSql(`drop index "sistema_descricao_search";`);
    this.addSql(`drop index "sistema_pagina_inicial_search";`);
  }
}
