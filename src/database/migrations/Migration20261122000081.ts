import { Migration } from '@mikro-orm/migrations';

/** Third-party warehouses, and in which of them the goods of an invoice were. */
export class Migration20261122000081 extends Migration {
  override name = 'Migration20261122000081';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "armazem" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_empresa" int not null, "endereco" varchar(70) not null, "numero" varchar(5) not null, "complemento" varchar(20) null, "bairro" varchar(30) not null, "cep" varchar(8) not null, "uf" varchar(2) not null, "codigo_municipio" int not null);`,
    );
    this.addSql(`alter table "armazem" add constraint "armazem_id_empresa_unique" unique ("id_empresa");`);
    this.addSql(`create index "armazem_endereco_sort" on "armazem" ("endereco" collate "pt_br", "id");`);

    this.addSql(`alter table "nota_fiscal" add "id_armazem" int null;`);
    this.addSql(
      `alter table "nota_fiscal" add constraint "nota_fiscal_id_armazem_foreign" foreign key ("id_armazem") references "armazem" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(`create index "nota_fiscal_id_armazem_index" on "nota_fiscal" ("id_armazem");`);

    this.addSql(
      `alter table "armazem" add constraint "armazem_id_empresa_foreign" foreign key ("id_empresa") references "empresa" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "armazem" add constraint "armazem_uf_check" check ("uf" in ('AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA', 'PB', 'PE', 'PI', 'PR', 'RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'));`,
    );
    this.addSql(
      `alter table "armazem" add constraint "armazem_codigo_municipio_check" check ("codigo_municipio" >= 1000000 and "codigo_municipio" <= 9999999);`,
    );
    this.addSql(`alter table "armazem" add constraint "armazem_cep_check" check ("cep" ~ '^[0-9]{8}$');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "nota_fiscal" drop constraint "nota_fiscal_id_armazem_foreign";`);

    this.addSql(`drop table if exists "armazem" cascade;`);

    this.addSql(`drop index "nota_fiscal_id_armazem_index";`);
    this.addSql(`alter table "nota_fiscal" drop column "id_armazem";`);
  }
}
