import { Migration } from '@mikro-orm/migrations';

/** Imports, with their progress and reports, which the audit trail does not repeat. */
export class Migration20261122000086 extends Migration {
  override up(): void {
    this.addSql(
      `create table "importacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "registros" varchar(60) not null, "nome_arquivo" varchar(255) not null, "simulacao" boolean not null default false, "aceitar_validas" boolean not null default false, "situacao" varchar(20) not null default 'em_andamento', "terminada_em" timestamptz(3) null, "detalhe" varchar(4000) null, "linhas" int null, "criadas" int null, "alteradas" int null, "iguais" int null, "repetidas" int null, "recusadas" int null, "total_problemas" int null);`,
    );
    this.addSql(`create index "importacao_criado_por_index" on "importacao" ("criado_por");`);
    this.addSql(
      `alter table "importacao" add constraint "importacao_situacao_check" check ("situacao" in ('em_andamento', 'concluida', 'recusada', 'interrompida'));`,
    );
    this.addSql(`create table andamento_importacao (
      id_importacao int primary key references importacao (id) on update restrict on delete cascade,
      visto_em timestamptz not null default now(),
      iniciada_em timestamptz(3),
      lidas int not null default 0,
      gravadas int not null default 0,
      relatorio jsonb,
      recusadas bytea
    )`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia'', ''andamento_importacao''');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), ', ''andamento_importacao''', '');
    end $$`);
    this.addSql('drop table andamento_importacao');
    this.addSql('drop table "importacao"');
  }
}
