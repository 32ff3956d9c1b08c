import { Migration } from '@mikro-orm/migrations';

/**
 * Signal words that the GHS (revision 7) gives to all categories of a hazard statement. Statements whose categories
 * have different words are left out: a person has to choose the word.
 */
const signalWords = {
  P: '220 222 224 225 240 241 250 251 260 270 271 300 301 304 310 311 314 318 330 331 334 340 350 360 370 372',
  A: '223 226 227 252 280 281 290 302 303 305 312 313 315 316 317 319 320 332 333 335 336 341 351 361 371 373 400 410 420',
  N: '362 401 402 411 412 413',
};

/** Minimum quantities, acknowledgements of alerts, and the signal words for labels. */
export class Migration20261122000025 extends Migration {
  override up(): void {
    this.addSql(
      `create table "estoque_minimo" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_material" int not null, "id_local" int not null, "quantidade" int not null);`,
    );
    this.addSql(`create index "estoque_minimo_id_material_index" on "estoque_minimo" ("id_material");`);
    this.addSql(`create index "estoque_minimo_id_local_index" on "estoque_minimo" ("id_local");`);
    this.addSql(`create index "estoque_minimo_quantidade_sort" on "estoque_minimo" ("quantidade", "id");`);
    this.addSql(
      `alter table "estoque_minimo" add constraint "estoque_minimo_id_material_id_local_unique" unique ("id_material", "id_local");`,
    );

    this.addSql(
      `create table "reconhecimento_alerta" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "tipo" varchar(30) not null, "id_estoque_minimo" int null, "id_estoque" int null, "id_solicitacao_aprovacao" int null, "id_pessoa" int not null, "desde" date not null, "ate" date not null, "motivo" varchar(500) null);`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_estoque_minimo_unique" unique ("id_estoque_minimo");`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_estoque_unique" unique ("id_estoque");`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_solicitacao_aprovacao_unique" unique ("id_solicitacao_aprovacao");`,
    );
    this.addSql(
      `create index "reconhecimento_alerta_id_pessoa_index" on "reconhecimento_alerta" ("id_pessoa");`,
    );

    this.addSql(`alter table "classificacao_risco" add "palavra_advertencia" varchar(1) null;`);
    this.addSql(
      `alter table "classificacao_risco" add constraint "classificacao_risco_palavra_advertencia_check" check ("palavra_advertencia" in ('P', 'A', 'N'));`,
    );

    for (const [word, codes] of Object.entries(signalWords))
      this.addSql(
        `update "classificacao_risco" set "palavra_advertencia" = '${word}', "alterado_em" = now()
         where substring("descricao" from '^H(\\d{3})(?!\\d)') = any (string_to_array('${codes}', ' '))`,
      );
    this.addSql(
      `create index "movimentacao_criado_por_data_index" on "movimentacao" ("criado_por", "data");`,
    );

    this.addSql(
      `alter table "estoque_minimo" add constraint "estoque_minimo_id_material_foreign" foreign key ("id_material") references "material" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "estoque_minimo" add constraint "estoque_minimo_id_local_foreign" foreign key ("id_local") references "local" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "estoque_minimo" add constraint "estoque_minimo_quantidade_check" check ("quantidade" >= 1);`,
    );

    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_estoque_minimo_foreign" foreign key ("id_estoque_minimo") references "estoque_minimo" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_estoque_foreign" foreign key ("id_estoque") references "estoque" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_solicitacao_aprovacao_foreign" foreign key ("id_solicitacao_aprovacao") references "solicitacao_aprovacao" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_id_pessoa_foreign" foreign key ("id_pessoa") references "pessoa" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_tipo_check" check ("tipo" in ('vencido', 'vence_em_30_dias', 'vence_em_90_dias', 'abaixo_do_minimo', 'aprovacao_pendente'));`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_ate_check" check ("ate" >= "desde" and "ate" <= "desde" + 180);`,
    );
    this.addSql(
      `alter table "reconhecimento_alerta" add constraint "reconhecimento_alerta_alvo" check (num_nonnulls("id_estoque_minimo", "id_estoque", "id_solicitacao_aprovacao") = 1);`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "reconhecimento_alerta" drop constraint "reconhecimento_alerta_id_estoque_minimo_foreign";`,
    );

    this.addSql(`drop table if exists "estoque_minimo" cascade;`);
    this.addSql(`drop table if exists "reconhecimento_alerta" cascade;`);

    this.addSql(
      `alter table "classificacao_risco" drop constraint "classificacao_risco_palavra_advertencia_check";`,
    );
    this.addSql(`alter table "classificacao_risco" drop column "palavra_advertencia";`);

    this.addSql(`drop index "movimentacao_criado_por_data_index";`);
  }
}
