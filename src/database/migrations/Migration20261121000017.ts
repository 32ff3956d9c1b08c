import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000017 extends Migration {
  override name = 'Migration20261121000017';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "fonte_noticias" ("id" serial primary key, "url" text not null, "etag" text null, "ultima_modificacao" text null);`,
    );
    this.addSql(`alter table "fonte_noticias" add constraint "fonte_noticias_url_unique" unique ("url");`);

    this.addSql(
      `create table "funcionario" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "cpf" varchar(11) not null, "nome_civil" varchar(200) not null, "nome_social" varchar(200) null, "natureza_juridica" varchar(100) not null, "ultima_alteracao" timestamptz(3) not null, "email" varchar(254) null, "id_lotacao" int null, "situacao" varchar(1) not null default 'A');`,
    );
    this.addSql(`alter table "funcionario" add constraint "funcionario_cpf_unique" unique ("cpf");`);
    this.addSql(`create index "funcionario_id_lotacao_index" on "funcionario" ("id_lotacao");`);
    this.addSql(`create index "funcionario_cpf_sort" on "funcionario" ("cpf" collate "pt_br", "id");`);
    this.addSql(
      `create index "funcionario_nome_civil_search" on "funcionario" using gin (fold("nome_civil") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "funcionario_nome_civil_sort" on "funcionario" ("nome_civil" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "funcionario_nome_social_search" on "funcionario" using gin (fold("nome_social") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "funcionario_nome_social_sort" on "funcionario" ("nome_social" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "funcionario_natureza_juridica_search" on "funcionario" using gin (fold("natureza_juridica") gin_trgm_ops);`,
    );
    this.addSql(
      `create index "funcionario_natureza_juridica_sort" on "funcionario" ("natureza_juridica" collate "pt_br", "id");`,
    );
    this.addSql(
      `create index "funcionario_ultima_alteracao_sort" on "funcionario" ("ultima_alteracao", "id");`,
    );

    this.addSql(
      `create table "noticia" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "titulo" varchar(500) not null, "resumo" varchar(2000) null, "link" varchar(2000) not null, "publicada_em" timestamptz(3) not null);`,
    );
    this.addSql(`alter table "noticia" add constraint "noticia_link_unique" unique ("link");`);
    this.addSql(`create index "noticia_publicada_em_sort" on "noticia" ("publicada_em", "id");`);

    this.addSql(
      `alter table "funcionario" add constraint "funcionario_id_lotacao_foreign" foreign key ("id_lotacao") references "lotacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "funcionario" add constraint "funcionario_situacao_check" check ("situacao" in ('A', 'I'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "fonte_noticias" cascade;`);
    this.addSql(`drop table if exists "funcionario" cascade;`);
    this.addSql(`drop table if exists "noticia" cascade;`);
  }
}
