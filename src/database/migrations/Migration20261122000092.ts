import { Migration } from '@mikro-orm/migrations';

/** Tables of webhooks that the audit trail does not repeat: secrets and positions, and deliveries. */
const UNAUDITED = ['andamento_webhook', 'entrega_webhook'];
const ADDED = UNAUDITED.map(table => `, ''${table}''`).join('');

/** Webhooks and their deliveries. */
export class Migration20261122000092 extends Migration {
  override up(): void {
    this.addSql(
      `create table "webhook" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_pessoa" int not null, "url" varchar(2000) not null, "eventos" jsonb not null, "filtro" jsonb null, "situacao" varchar(10) not null default 'ativo', "motivo" varchar(15) null, "segredo_trocado_em" timestamptz(3) not null default now());`,
    );
    this.addSql(`create index "webhook_id_pessoa_index" on "webhook" ("id_pessoa");`);
    for (const [name, condition] of [
      ['situacao_check', `"situacao" in ('ativo', 'pausado')`],
      ['motivo_check', `"motivo" in ('pedido', 'falhas', 'cancelamento', 'direitos', 'segredo')`],
      ['motivo', `("situacao" = 'pausado') = ("motivo" is not null)`],
    ])
      this.addSql(`alter table "webhook" add constraint "webhook_${name}" check (${condition});`);
    this.addSql(
      `alter table "webhook" add constraint "webhook_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `create table "entrega_webhook" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "id_webhook" int not null, "mensagem" uuid not null default gen_random_uuid(), "evento" varchar(80) not null, "tabela" varchar(63) not null, "id_registro" int not null, "situacao" varchar(10) not null default 'pendente', "tentativas" int not null default 0, "proxima_em" timestamptz(3) not null default now(), "tentada_em" timestamptz(3) null, "concluida_em" timestamptz(3) null, "status" int null, "resposta" varchar(1000) null, "erro" varchar(300) null, "mudanca" jsonb not null, "reserva" uuid null, "reservada_ate" timestamptz(3) null);`,
    );
    this.addSql(`create index "entrega_webhook_id_webhook_index" on "entrega_webhook" ("id_webhook");`);
    this.addSql(
      `create index "entrega_webhook_concluida_em_sort" on "entrega_webhook" ("concluida_em", "id");`,
    );
    this.addSql(
      `create index "entrega_webhook_pendente" on "entrega_webhook" ("id_webhook", "tabela", "id_registro", "id") where "situacao" = 'pendente';`,
    );
    this.addSql(
      `alter table "entrega_webhook" add constraint "entrega_webhook_situacao_check" check ("situacao" in ('pendente', 'entregue', 'omitida', 'falhou'));`,
    );
    this.addSql(
      `alter table "entrega_webhook" add constraint "entrega_webhook_id_webhook_foreign" foreign key ("id_webhook") references "webhook" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(`create table andamento_webhook (
      id_webhook int primary key references webhook (id) on update restrict on delete cascade,
      segredo bytea not null,
      segredo_anterior bytea,
      anterior_ate timestamptz(3),
      cursor varchar(200) not null,
      check ((segredo_anterior is null) = (anterior_ate is null))
    )`);
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '''idempotencia''', '''idempotencia''${ADDED}');
    end $$`);
  }

  override down(): void {
    this.addSql(`do $$ begin
      execute replace(pg_get_functiondef('auditar_tabelas'::regproc), '${ADDED}', '');
    end $$`);
    this.addSql('drop table andamento_webhook, "entrega_webhook", "webhook"');
  }
}
