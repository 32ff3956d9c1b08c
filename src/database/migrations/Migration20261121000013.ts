import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000013 extends Migration {
  override name = 'Migration20261121000013';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "arquivo_digital" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "id_tabela_origem" int not null, "nome_tabela_origem" varchar(100) not null, "nome" varchar(255) not null, "tipo_mime" varchar(255) not null, "tamanho" int not null, "sha256" varchar(64) not null);`,
    );
    this.addSql(`create index "arquivo_digital_sha256_index" on "arquivo_digital" ("sha256");`);
    this.addSql(
      `create index "arquivo_digital_origem" on "arquivo_digital" ("id_tabela_origem", "nome_tabela_origem" collate "pt_br");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "arquivo_digital" cascade;`);
  }
}
