import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000001 extends Migration {
  override name = 'Migration20261121000001';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "icone_risco" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "icone" varchar(65536) null, "nome" varchar(100) null, "descricao" varchar(1000) null);`,
    );
    this.addSql(`create index "icone_risco_nome_sort" on "icone_risco" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "classificacao_risco" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_icone_risco" int not null, "risco" varchar(200) not null, "descricao" varchar(1000) null);`,
    );
    this.addSql(
      `create index "classificacao_risco_id_icone_risco_index" on "classificacao_risco" ("id_icone_risco");`,
    );
    this.addSql(
      `create index "classificacao_risco_risco_sort" on "classificacao_risco" ("risco" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "classificacao_risco_descricao_sort" on "classificacao_risco" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "pessoa" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "nome_social" varchar(200) null, "email" varchar(254) not null, "usuario" varchar(100) not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`alter table "pessoa" add constraint "pessoa_email_unique" unique ("email");`);
    this.addSql(`alter table "pessoa" add constraint "pessoa_usuario_unique" unique ("usuario");`);
    this.addSql(`create index "pessoa_nome_search" on "pessoa" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(`create index "pessoa_nome_sort" on "pessoa" ("nome" collate "pt_br", "id");`);
    this.addSql(
      `create index "pessoa_nome_social_search" on "pessoa" using gin (fold("nome_social") gin_trgm_ops);`,
    );

    this.addSql(
      `create table "credencial" ("id" serial primary key, "id_pessoa" int not null, "senha_hash" varchar(200) not null, "alterado_em" timestamptz(3) not null default now());`,
    );
    this.addSql(
      `alter table "credencial" add constraint "credencial_id_pessoa_unique" unique ("id_pessoa");`,
    );

    this.addSql(
      `create table "acesso_ambiente" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_pessoa" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(
      `alter table "acesso_ambiente" add constraint "acesso_ambiente_id_pessoa_unique" unique ("id_pessoa");`,
    );

    this.addSql(
      `create table "sistema" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "sigla" varchar(30) not null, "descricao" varchar(1000) null, "tipo" varchar(1) null, "id_orgao" int null, "pagina_inicial" varchar(2000) null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`alter table "sistema" add constraint "sistema_sigla_unique" unique ("sigla");`);
    this.addSql(`create index "sistema_nome_sort" on "sistema" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "sessao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "token_hash" bytea not null, "id_pessoa" int not null, "id_sistema" int not null, "versao_aplicacao" varchar(50) null, "endereco" varchar(45) null, "expira_em" timestamptz(3) not null, "encerrada_em" timestamptz(3) null);`,
    );
    this.addSql(`alter table "sessao" add constraint "sessao_token_hash_unique" unique ("token_hash");`);
    this.addSql(`create index "sessao_id_pessoa_index" on "sessao" ("id_pessoa");`);
    this.addSql(`create index "sessao_id_sistema_index" on "sessao" ("id_sistema");`);

    this.addSql(
      `create table "recurso" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "descricao" varchar(1000) null, "tipo" varchar(1) null, "ordem" int null, "id_sistema" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "recurso_id_sistema_index" on "recurso" ("id_sistema");`);
    this.addSql(`create index "recurso_nome_sort" on "recurso" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "perfil" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "descricao" varchar(1000) null, "id_sistema" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "perfil_id_sistema_index" on "perfil" ("id_sistema");`);
    this.addSql(`create index "perfil_nome_sort" on "perfil" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "permissao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_pessoa" int not null, "id_perfil" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "permissao_id_pessoa_index" on "permissao" ("id_pessoa");`);
    this.addSql(`create index "permissao_id_perfil_index" on "permissao" ("id_perfil");`);
    this.addSql(
      `alter table "permissao" add constraint "permissao_id_pessoa_id_perfil_unique" unique ("id_pessoa", "id_perfil");`,
    );

    this.addSql(
      `create table "perfil_recurso" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_perfil" int not null, "id_recurso" int not null);`,
    );
    this.addSql(`create index "perfil_recurso_id_perfil_index" on "perfil_recurso" ("id_perfil");`);
    this.addSql(`create index "perfil_recurso_id_recurso_index" on "perfil_recurso" ("id_recurso");`);
    this.addSql(
      `alter table "perfil_recurso" add constraint "perfil_recurso_id_perfil_id_recurso_unique" unique ("id_perfil", "id_recurso");`,
    );

    this.addSql(
      `create table "controller" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "id_sistema" int not null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`create index "controller_id_sistema_index" on "controller" ("id_sistema");`);
    this.addSql(`create index "controller_nome_sort" on "controller" ("nome" collate "pt_br", "id");`);
    this.addSql(
      `alter table "controller" add constraint "controller_id_sistema_nome_unique" unique ("id_sistema", "nome");`,
    );

    this.addSql(
      `create table "perfil_recurso_item" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(1000) not null, "id_perfil_recurso" int not null, "id_controller" int null, "modulo" varchar(100) null, "nivel" int not null default 1, "ordem" int null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(
      `create index "perfil_recurso_item_id_perfil_recurso_index" on "perfil_recurso_item" ("id_perfil_recurso");`,
    );
    this.addSql(
      `create index "perfil_recurso_item_id_controller_index" on "perfil_recurso_item" ("id_controller");`,
    );

    this.addSql(
      `create table "chave_api" ("id" serial primary key, "id_sistema" int not null, "hash" bytea not null, "criado_em" timestamptz(3) not null default now(), "expira_em" timestamptz(3) null, "revogada_em" timestamptz(3) null);`,
    );
    this.addSql(`create index "chave_api_id_sistema_index" on "chave_api" ("id_sistema");`);
    this.addSql(`alter table "chave_api" add constraint "chave_api_hash_unique" unique ("hash");`);

    this.addSql(
      `create table "tipo_controle" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(200) not null, "orgao_controlador" varchar(200) null, "exige_aprovacao" boolean not null default false);`,
    );
    this.addSql(
      `alter table "tipo_controle" add constraint "tipo_controle_descricao_unique" unique ("descricao");`,
    );
    this.addSql(
      `create index "tipo_controle_descricao_search" on "tipo_controle" using gin (fold("descricao") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "tipo_controle_descricao_sort" on "tipo_controle" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "unidade_medida" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(100) not null, "sigla" varchar(20) not null);`,
    );
    this.addSql(
      `alter table "unidade_medida" add constraint "unidade_medida_sigla_unique" unique ("sigla");`,
    );
    this.addSql(
      `create index "unidade_medida_descricao_sort" on "unidade_medida" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "material" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "titulo" varchar(300) not null, "catmat" varchar(20) null, "descricao" varchar(4000) not null, "numero_cas" varchar(20) null, "estado_fisico" varchar(1) not null, "fispq" varchar(4000) null, "link_fispq" varchar(2000) null, "id_unidade_medida" int not null, "id_tipo_controle" int null);`,
    );
    this.addSql(`create index "material_id_unidade_medida_index" on "material" ("id_unidade_medida");`);
    this.addSql(`create index "material_id_tipo_controle_index" on "material" ("id_tipo_controle");`);
    this.addSql(
      `create index "material_titulo_search" on "material" using gin (fold("titulo") gin_trgm_ops);`,
    );
    this.addSql(`create index "material_titulo_sort" on "material" ("titulo" collate "pt_br", "id");`);
    this.addSql(`create index "material_catmat_sort" on "material" ("catmat" collate "pt_br", "id");`);
    this.addSql(
      `create index "material_descricao_search" on "material" using gin (fold("descricao") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "material_numero_cas_sort" on "material" ("numero_cas" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "material_estado_fisico_sort" on "material" ("estado_fisico" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "risco_material" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_classificacao_risco" int not null, "id_material" int not null);`,
    );
    this.addSql(
      `create index "risco_material_id_classificacao_risco_index" on "risco_material" ("id_classificacao_risco");`,
    );
    this.addSql(`create index "risco_material_id_material_index" on "risco_material" ("id_material");`);
    this.addSql(
      `alter table "risco_material" add constraint "risco_material_id_material_id_classificacao_risco_unique" unique ("id_material", "id_classificacao_risco");`,
    );

    this.addSql(
      `alter table "classificacao_risco" add constraint "classificacao_risco_id_icone_risco_foreign" foreign key ("id_icone_risco") references "icone_risco" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "pessoa" add constraint "pessoa_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "credencial" add constraint "credencial_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "acesso_ambiente" add constraint "acesso_ambiente_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "acesso_ambiente" add constraint "acesso_ambiente_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "sistema" add constraint "sistema_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "sessao" add constraint "sessao_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "sessao" add constraint "sessao_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "recurso" add constraint "recurso_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(`alter table "recurso" add constraint "recurso_tipo_check" check ("tipo" in ('G', 'U'));`);
    this.addSql(
      `alter table "recurso" add constraint "recurso_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "perfil" add constraint "perfil_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "perfil" add constraint "perfil_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "permissao" add constraint "permissao_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "permissao" add constraint "permissao_id_perfil_foreign" foreign key ("id_perfil") references "perfil" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "permissao" add constraint "permissao_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "perfil_recurso" add constraint "perfil_recurso_id_perfil_foreign" foreign key ("id_perfil") references "perfil" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "perfil_recurso" add constraint "perfil_recurso_id_recurso_foreign" foreign key ("id_recurso") references "recurso" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "controller" add constraint "controller_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "controller" add constraint "controller_situacao_check" check ("situacao" in ('A', 'I'));`,
    );

    this.addSql(
      `alter table "perfil_recurso_item" add constraint "perfil_recurso_item_id_perfil_recurso_foreign" foreign key ("id_perfil_recurso") references "perfil_recurso" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "perfil_recurso_item" add constraint "perfil_recurso_item_id_controller_foreign" foreign key ("id_controller") references "controller" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "perfil_recurso_item" add constraint "perfil_recurso_item_situacao_check" check ("situacao" in ('A', 'I'));`,
    );
    this.addSql(
      `alter table "perfil_recurso_item" add constraint "perfil_recurso_item_nivel_check" check ("nivel" in (1, 2, 3));`,
    );

    this.addSql(
      `alter table "chave_api" add constraint "chave_api_id_sistema_foreign" foreign key ("id_sistema") references "sistema" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "material" add constraint "material_id_unidade_medida_foreign" foreign key ("id_unidade_medida") references "unidade_medida" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "material" add constraint "material_id_tipo_controle_foreign" foreign key ("id_tipo_controle") references "tipo_controle" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "material" add constraint "material_estado_fisico_check" check ("estado_fisico" in ('S', 'L', 'G', 'P'));`,
    );

    this.addSql(
      `alter table "risco_material" add constraint "risco_material_id_classificacao_risco_foreign" foreign key ("id_classificacao_risco") references "classificacao_risco" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "risco_material" add constraint "risco_material_id_material_foreign" foreign key ("id_material") references "material" ("id") on update restrict on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "classificacao_risco" drop constraint "classificacao_risco_id_icone_risco_foreign";`,
    );
    this.addSql(
      `alter table "risco_material" drop constraint "risco_material_id_classificacao_risco_foreign";`,
    );
    this.addSql(`alter table "credencial" drop constraint "credencial_id_pessoa_foreign";`);
    this.addSql(`alter table "acesso_ambiente" drop constraint "acesso_ambiente_id_pessoa_foreign";`);
    this.addSql(`alter table "sessao" drop constraint "sessao_id_pessoa_foreign";`);
    this.addSql(`alter table "permissao" drop constraint "permissao_id_pessoa_foreign";`);
    this.addSql(`alter table "sessao" drop constraint "sessao_id_sistema_foreign";`);
    this.addSql(`alter table "recurso" drop constraint "recurso_id_sistema_foreign";`);
    this.addSql(`alter table "perfil" drop constraint "perfil_id_sistema_foreign";`);
    this.addSql(`alter table "controller" drop constraint "controller_id_sistema_foreign";`);
    this.addSql(`alter table "chave_api" drop constraint "chave_api_id_sistema_foreign";`);
    this.addSql(`alter table "perfil_recurso" drop constraint "perfil_recurso_id_recurso_foreign";`);
    this.addSql(`alter table "permissao" drop constraint "permissao_id_perfil_foreign";`);
    this.addSql(`alter table "perfil_recurso" drop constraint "perfil_recurso_id_perfil_foreign";`);
    this.addSql(
      `alter table "perfil_recurso_item" drop constraint "perfil_recurso_item_id_perfil_recurso_foreign";`,
    );
    this.addSql(
      `alter table "perfil_recurso_item" drop constraint "perfil_recurso_item_id_controller_foreign";`,
    );
    this.addSql(`alter table "material" drop constraint "material_id_tipo_controle_foreign";`);
    this.addSql(`alter table "material" drop constraint "material_id_unidade_medida_foreign";`);
    this.addSql(`alter table "risco_material" drop constraint "risco_material_id_material_foreign";`);

    this.addSql(`drop table if exists "icone_risco" cascade;`);
    this.addSql(`drop table if exists "classificacao_risco" cascade;`);
    this.addSql(`drop table if exists "pessoa" cascade;`);
    this.addSql(`drop table if exists "credencial" cascade;`);
    this.addSql(`drop table if exists "acesso_ambiente" cascade;`);
    this.addSql(`drop table if exists "sistema" cascade;`);
    this.addSql(`drop table if exists "sessao" cascade;`);
    this.addSql(`drop table if exists "recurso" cascade;`);
    this.addSql(`drop table if exists "perfil" cascade;`);
    this.addSql(`drop table if exists "permissao" cascade;`);
    this.addSql(`drop table if exists "perfil_recurso" cascade;`);
    this.addSql(`drop table if exists "controller" cascade;`);
    this.addSql(`drop table if exists "perfil_recurso_item" cascade;`);
    this.addSql(`drop table if exists "chave_api" cascade;`);
    this.addSql(`drop table if exists "tipo_controle" cascade;`);
    this.addSql(`drop table if exists "unidade_medida" cascade;`);
    this.addSql(`drop table if exists "material" cascade;`);
    this.addSql(`drop table if exists "risco_material" cascade;`);
  }
}
