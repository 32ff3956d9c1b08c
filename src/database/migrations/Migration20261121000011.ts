import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000011 extends Migration {
  override name = 'Migration20261121000011';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "curso" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "codigo" varchar(20) not null, "nome" varchar(200) not null, "modalidade" varchar(60) not null);`,
    );
    this.addSql(`alter table "curso" add constraint "curso_codigo_unique" unique ("codigo");`);
    this.addSql(`create index "curso_nome_search" on "curso" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(`create index "curso_nome_sort" on "curso" ("nome" collate "pt_br", "id");`);
    this.addSql(
      `create index "curso_modalidade_search" on "curso" using gin (fold("modalidade") gin_trgm_ops);`,
    );
    this.addSql(`create index "curso_modalidade_sort" on "curso" ("modalidade" collate "pt_br", "id");`);

    this.addSql(
      `create table "etapa_tramitacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(100) not null, "ordem" int not null);`,
    );
    this.addSql(
      `alter table "etapa_tramitacao" add constraint "etapa_tramitacao_descricao_unique" unique ("descricao");`,
    );
    this.addSql(
      `create index "etapa_tramitacao_descricao_search" on "etapa_tramitacao" using gin (fold("descricao") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "etapa_tramitacao_descricao_sort" on "etapa_tramitacao" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "situacao_atividade_curriculo" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "situacao" varchar(100) not null, "sigla" varchar(10) not null);`,
    );
    this.addSql(
      `alter table "situacao_atividade_curriculo" add constraint "situacao_atividade_curriculo_sigla_unique" unique ("sigla");`,
    );
    this.addSql(
      `create index "situacao_atividade_curriculo_situacao_search" on "situacao_atividade_curriculo" using gin (fold("situacao") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "situacao_atividade_curriculo_situacao_sort" on "situacao_atividade_curriculo" ("situacao" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "situacao_atividade_curriculo_sigla_search" on "situacao_atividade_curriculo" using gin (fold("sigla") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "situacao_atividade_curriculo_sigla_sort" on "situacao_atividade_curriculo" ("sigla" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "situacao_plano_ensino" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "codigo" varchar(10) not null, "descricao" varchar(100) not null);`,
    );
    this.addSql(
      `alter table "situacao_plano_ensino" add constraint "situacao_plano_ensino_codigo_unique" unique ("codigo");`,
    );
    this.addSql(
      `create index "situacao_plano_ensino_codigo_sort" on "situacao_plano_ensino" ("codigo" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "situacao_plano_ensino_descricao_sort" on "situacao_plano_ensino" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "plano_ensino" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_curso" int not null, "id_departamento" int not null, "codigo_disciplina" varchar(20) not null, "nome_disciplina" varchar(200) not null, "carga_horaria" int not null, "ano" int not null, "semestre" int not null, "ementa" text null, "objetivos" text null, "programa" text null, "metodologia" text null, "avaliacao" text null, "bibliografia_basica" text null, "bibliografia_complementar" text null, "id_situacao" int not null, "id_tramitacao_atual" int not null);`,
    );
    this.addSql(`create index "plano_ensino_id_curso_index" on "plano_ensino" ("id_curso");`);
    this.addSql(`create index "plano_ensino_id_departamento_index" on "plano_ensino" ("id_departamento");`);
    this.addSql(`create index "plano_ensino_id_situacao_index" on "plano_ensino" ("id_situacao");`);
    this.addSql(
      `create index "plano_ensino_id_tramitacao_atual_index" on "plano_ensino" ("id_tramitacao_atual");`,
    );
    this.addSql(
      `create index "plano_ensino_nome_disciplina_search" on "plano_ensino" using gin (fold("nome_disciplina") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "plano_ensino_nome_disciplina_sort" on "plano_ensino" ("nome_disciplina" collate "pt_br", "id");`,
    );
    this.addSql(`create index "plano_ensino_ano_sort" on "plano_ensino" ("ano", "id");`);

    this.addSql(
      `create table "docente_plano" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_plano_ensino" int not null, "id_pessoa" int not null);`,
    );
    this.addSql(`create index "docente_plano_id_plano_ensino_index" on "docente_plano" ("id_plano_ensino");`);
    this.addSql(`create index "docente_plano_id_pessoa_index" on "docente_plano" ("id_pessoa");`);
    this.addSql(
      `alter table "docente_plano" add constraint "docente_plano_id_plano_ensino_id_pessoa_unique" unique ("id_plano_ensino", "id_pessoa");`,
    );

    this.addSql(
      `create table "tramitacao_plano" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_plano_ensino" int not null, "id_etapa" int not null, "data" timestamptz(3) not null, "id_pessoa" int not null, "observacao" text null);`,
    );
    this.addSql(
      `create index "tramitacao_plano_id_plano_ensino_index" on "tramitacao_plano" ("id_plano_ensino");`,
    );
    this.addSql(`create index "tramitacao_plano_id_etapa_index" on "tramitacao_plano" ("id_etapa");`);
    this.addSql(`create index "tramitacao_plano_id_pessoa_index" on "tramitacao_plano" ("id_pessoa");`);

    this.addSql(
      `create table "vinculo_discente" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_pessoa" int not null, "matricula" int not null, "vinculo" int not null, "nivel_curso" int not null, "ano_ingresso" int not null, "curso" varchar(200) not null, "situacao" varchar(60) not null, "habilitado" varchar(1) not null default 'N');`,
    );
    this.addSql(`create index "vinculo_discente_id_pessoa_index" on "vinculo_discente" ("id_pessoa");`);
    this.addSql(`create index "vinculo_discente_matricula_sort" on "vinculo_discente" ("matricula", "id");`);
    this.addSql(`create index "vinculo_discente_vinculo_sort" on "vinculo_discente" ("vinculo", "id");`);
    this.addSql(
      `create index "vinculo_discente_nivel_curso_sort" on "vinculo_discente" ("nivel_curso", "id");`,
    );
    this.addSql(
      `create index "vinculo_discente_ano_ingresso_sort" on "vinculo_discente" ("ano_ingresso", "id");`,
    );
    this.addSql(
      `create index "vinculo_discente_situacao_sort" on "vinculo_discente" ("situacao" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "vinculo_discente_habilitado_sort" on "vinculo_discente" ("habilitado" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "atividade_curriculo_discente" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_vinculo" int not null, "codigo_atividade" varchar(20) not null, "nome_atividade" varchar(200) not null, "estrutura" varchar(100) not null, "ano" int not null, "periodo" int not null, "ch_total" int not null, "id_situacao" int not null);`,
    );
    this.addSql(
      `create index "atividade_curriculo_discente_id_vinculo_index" on "atividade_curriculo_discente" ("id_vinculo");`,
    );
    this.addSql(
      `create index "atividade_curriculo_discente_id_situacao_index" on "atividade_curriculo_discente" ("id_situacao");`,
    );
    this.addSql(
      `create index "atividade_curriculo_discente_nome_atividade_search" on "atividade_curriculo_discente" using gin (fold("nome_atividade") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "atividade_curriculo_discente_estrutura_search" on "atividade_curriculo_discente" using gin (fold("estrutura") gin_trgm_ops);`,
    );

    this.addSql(
      `alter table "plano_ensino" add constraint "plano_ensino_id_curso_foreign" foreign key ("id_curso") references "curso" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "plano_ensino" add constraint "plano_ensino_id_departamento_foreign" foreign key ("id_departamento") references "lotacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "plano_ensino" add constraint "plano_ensino_id_situacao_foreign" foreign key ("id_situacao") references "situacao_plano_ensino" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "plano_ensino" add constraint "plano_ensino_id_tramitacao_atual_foreign" foreign key ("id_tramitacao_atual") references "etapa_tramitacao" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "docente_plano" add constraint "docente_plano_id_plano_ensino_foreign" foreign key ("id_plano_ensino") references "plano_ensino" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "docente_plano" add constraint "docente_plano_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "tramitacao_plano" add constraint "tramitacao_plano_id_plano_ensino_foreign" foreign key ("id_plano_ensino") references "plano_ensino" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "tramitacao_plano" add constraint "tramitacao_plano_id_etapa_foreign" foreign key ("id_etapa") references "etapa_tramitacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "tramitacao_plano" add constraint "tramitacao_plano_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "vinculo_discente" add constraint "vinculo_discente_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "vinculo_discente" add constraint "vinculo_discente_habilitado_check" check ("habilitado" in ('S', 'N'));`,
    );

    this.addSql(
      `alter table "atividade_curriculo_discente" add constraint "atividade_curriculo_discente_id_vinculo_foreign" foreign key ("id_vinculo") references "vinculo_discente" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "atividade_curriculo_discente" add constraint "atividade_curriculo_discente_id_situacao_foreign" foreign key ("id_situacao") references "situacao_atividade_curriculo" ("id") on update restrict on delete restrict;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "plano_ensino" drop constraint "plano_ensino_id_curso_foreign";`);
    this.addSql(`alter table "plano_ensino" drop constraint "plano_ensino_id_tramitacao_atual_foreign";`);
    this.addSql(`alter table "tramitacao_plano" drop constraint "tramitacao_plano_id_etapa_foreign";`);
    this.addSql(
      `alter table "atividade_curriculo_discente" drop constraint "atividade_curriculo_discente_id_situacao_foreign";`,
    );
    this.addSql(`alter table "plano_ensino" drop constraint "plano_ensino_id_situacao_foreign";`);
    this.addSql(`alter table "docente_plano" drop constraint "docente_plano_id_plano_ensino_foreign";`);
    this.addSql(`alter table "tramitacao_plano" drop constraint "tramitacao_plano_id_plano_ensino_foreign";`);
    this.addSql(
      `alter table "atividade_curriculo_discente" drop constraint "atividade_curriculo_discente_id_vinculo_foreign";`,
    );

    this.addSql(`drop table if exists "curso" cascade;`);
    this.addSql(`drop table if exists "etapa_tramitacao" cascade;`);
    this.addSql(`drop table if exists "situacao_atividade_curriculo" cascade;`);
    this.addSql(`drop table if exists "situacao_plano_ensino" cascade;`);
    this.addSql(`drop table if exists "plano_ensino" cascade;`);
    this.addSql(`drop table if exists "docente_plano" cascade;`);
    this.addSql(`drop table if exists "tramitacao_plano" cascade;`);
    this.addSql(`drop table if exists "vinculo_discente" cascade;`);
    this.addSql(`drop table if exists "atividade_curriculo_discente" cascade;`);
  }
}
