import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000003 extends Migration {
  override name = 'Migration20261121000003';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "lotacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "sigla" varchar(30) null);`,
    );
    this.addSql(`create index "lotacao_nome_sort" on "lotacao" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "local" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) not null, "sigla" varchar(30) null, "id_lotacao" int null);`,
    );
    this.addSql(`create index "local_id_lotacao_index" on "local" ("id_lotacao");`);
    this.addSql(`create index "local_nome_search" on "local" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(`create index "local_nome_sort" on "local" ("nome" collate "pt_br", "id");`);

    this.addSql(
      `create table "responsavel_laboratorio" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_local" int not null, "id_pessoa" int not null, "data_inicio" date not null, "data_fim" date null);`,
    );
    this.addSql(
      `create index "responsavel_laboratorio_id_local_index" on "responsavel_laboratorio" ("id_local");`,
    );
    this.addSql(
      `create index "responsavel_laboratorio_id_pessoa_index" on "responsavel_laboratorio" ("id_pessoa");`,
    );

    this.addSql(
      `create table "status_movimentacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(100) not null);`,
    );
    this.addSql(
      `create index "status_movimentacao_descricao_sort" on "status_movimentacao" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "tipo_empresa" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(100) null, "obriga_cnpj" varchar(1) not null default 'N');`,
    );
    this.addSql(
      `create index "tipo_empresa_descricao_sort" on "tipo_empresa" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `create table "empresa" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "nome" varchar(200) null, "cnpj" varchar(14) null, "id_tipo_empresa" int not null);`,
    );
    this.addSql(`alter table "empresa" add constraint "empresa_cnpj_unique" unique ("cnpj");`);
    this.addSql(`create index "empresa_id_tipo_empresa_index" on "empresa" ("id_tipo_empresa");`);
    this.addSql(`create index "empresa_nome_search" on "empresa" using gin (fold("nome") gin_trgm_ops);`);
    this.addSql(`create index "empresa_nome_sort" on "empresa" ("nome" collate "pt_br", "id");`);
    this.addSql(`create index "empresa_cnpj_sort" on "empresa" ("cnpj" collate "pt_br", "id");`);

    this.addSql(
      `create table "tipo_movimentacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "descricao" varchar(100) not null, "exige_origem" boolean not null, "exige_destino" boolean not null);`,
    );
    this.addSql(
      `create index "tipo_movimentacao_descricao_sort" on "tipo_movimentacao" ("descricao" collate "pt_br", "id");`,
    );

    this.addSql(
      `alter table "local" add constraint "local_id_lotacao_foreign" foreign key ("id_lotacao") references "lotacao" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "responsavel_laboratorio" add constraint "responsavel_laboratorio_id_local_foreign" foreign key ("id_local") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "responsavel_laboratorio" add constraint "responsavel_laboratorio_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );

    this.addSql(
      `alter table "tipo_empresa" add constraint "tipo_empresa_obriga_cnpj_check" check ("obriga_cnpj" in ('S', 'N'));`,
    );

    this.addSql(
      `alter table "empresa" add constraint "empresa_id_tipo_empresa_foreign" foreign key ("id_tipo_empresa") references "tipo_empresa" ("id") on update restrict on delete restrict;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "local" drop constraint "local_id_lotacao_foreign";`);
    this.addSql(
      `alter table "responsavel_laboratorio" drop constraint "responsavel_laboratorio_id_local_foreign";`,
    );
    this.addSql(`alter table "empresa" drop constraint "empresa_id_tipo_empresa_foreign";`);

    this.addSql(`drop table if exists "lotacao" cascade;`);
    this.addSql(`drop table if exists "local" cascade;`);
    this.addSql(`drop table if exists "responsavel_laboratorio" cascade;`);
    this.addSql(`drop table if exists "status_movimentacao" cascade;`);
    this.addSql(`drop table if exists "tipo_empresa" cascade;`);
    this.addSql(`drop table if exists "empresa" cascade;`);
    this.addSql(`drop table if exists "tipo_movimentacao" cascade;`);
  }
}
