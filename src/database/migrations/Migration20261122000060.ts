import { Migration } from '@mikro-orm/migrations';

/** Closed months of the map of controlled chemicals, and their files, which the audit trail does not repeat. */
export class Migration20261122000060 extends Migration {
  override name = 'Migration20261122000060';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "fechamento_mapa" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "ano" int not null, "mes" int not null, "inicio" timestamptz(3) not null, "fim" timestamptz(3) not null, "nome_arquivo" varchar(40) not null, "tamanho" int not null, "sha256" varchar(64) not null, "protocolo" varchar(60) null, "enviado_em" timestamptz(3) null, "enviado_por" int null, "reaberto_em" timestamptz(3) null, "reaberto_por" int null, "motivo" varchar(500) null);`,
    );
    this.addSql(
      `create unique index "fechamento_mapa_vigente" on "fechamento_mapa" ("ano", "mes") where "reaberto_em" is null;`,
    );
    for (const [name, condition] of [
      ['mes_check', '"mes" >= 1 and "mes" <= 12'],
      ['ano_check', '"ano" >= 2010'],
      ['periodo', '"inicio" < "fim"'],
      ['sha256_check', `"sha256" ~ '^[0-9a-f]{64}$'`],
      ['envio', '("protocolo" is null) = ("enviado_em" is null)'],
      ['reabertura', '("motivo" is null) = ("reaberto_em" is null)'],
    ])
      this.addSql(
        `alter table "fechamento_mapa" add constraint "fechamento_mapa_${name}" check (${condition});`,
      );
    this.addSql(`create table conteudo_mapa (
      id_fechamento int primary key references fechamento_mapa (id) on update restrict on delete restrict,
      arquivo bytea not null,
      mapa jsonb not null
    )`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''conteudo_mapa''');
    end $$`);
  }

  override down(): void | Promise<void> {
    this.addSql('drop table conteudo_mapa');
    this.addSql('drop table fechamento_mapa');
  }
}
