import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000015 extends Migration {
  override name = 'Migration20261121000015';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "alteracao_diretorio" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "email" varchar(254) not null, "alteracoes" jsonb not null, "confirmada" boolean not null default false);`,
    );

    this.addSql(
      `create table "codigo_cvr" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "conta" varchar(254) not null, "codigo_hash" bytea not null, "expira_em" timestamptz(3) not null, "usado_em" timestamptz(3) null);`,
    );
    this.addSql(`alter table "codigo_cvr" add constraint "codigo_cvr_conta_unique" unique ("conta");`);

    this.addSql(
      `create table "conta_gerencial" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "email" varchar(254) not null, "nome" varchar(200) not null, "descricao" varchar(500) null, "suspensa" boolean not null default false, "senha_hash" varchar(200) null);`,
    );
    this.addSql(
      `alter table "conta_gerencial" add constraint "conta_gerencial_email_unique" unique ("email");`,
    );

    this.addSql(
      `create table "responsavel_conta" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_conta" int not null, "id_pessoa" int not null);`,
    );
    this.addSql(`create index "responsavel_conta_id_pessoa_index" on "responsavel_conta" ("id_pessoa");`);
    this.addSql(
      `alter table "responsavel_conta" add constraint "responsavel_conta_id_conta_id_pessoa_unique" unique ("id_conta", "id_pessoa");`,
    );

    this.addSql(
      `alter table "pessoa" add "cpf" varchar(11) null, add "senha_alterada_em" timestamptz(3) null;`,
    );
    this.addSql(`alter table "pessoa" add constraint "pessoa_cpf_unique" unique ("cpf");`);
    this.addSql(`create index "pessoa_email_lower" on "pessoa" (lower("email"));`);

    this.addSql(
      `alter table "responsavel_conta" add constraint "responsavel_conta_id_conta_foreign" foreign key ("id_conta") references "conta_gerencial" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "responsavel_conta" add constraint "responsavel_conta_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on delete restrict;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "responsavel_conta" drop constraint "responsavel_conta_id_conta_foreign";`);

    this.addSql(`drop table if exists "alteracao_diretorio" cascade;`);
    this.addSql(`drop table if exists "codigo_cvr" cascade;`);
    this.addSql(`drop table if exists "conta_gerencial" cascade;`);
    this.addSql(`drop table if exists "responsavel_conta" cascade;`);

    this.addSql(`alter table "pessoa" drop constraint "pessoa_cpf_unique";`);
    this.addSql(`drop index "pessoa_email_lower";`);
    this.addSql(`alter table "pessoa" drop column "cpf", drop column "senha_alterada_em";`);
  }
}
