import { Migration } from '@mikro-orm/migrations';

/** Columns that store which movement a reversal undoes, and how much of a movement is reversed. */
export class Migration20261122000010 extends Migration {
  override name = 'Migration20261122000010';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "estorno" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_movimentacao" int not null, "id_estornada" int not null, "quantidade" int not null);`,
    );
    this.addSql(`create index "estorno_id_movimentacao_index" on "estorno" ("id_movimentacao");`);
    this.addSql(`create index "estorno_id_estornada_index" on "estorno" ("id_estornada");`);
    this.addSql(
      `alter table "estorno" add constraint "estorno_id_movimentacao_id_estornada_unique" unique ("id_movimentacao", "id_estornada");`,
    );
    this.addSql(
      `alter table "estorno" add constraint "estorno_id_movimentacao_foreign" foreign key ("id_movimentacao") references "movimentacao" ("id") on update restrict on delete cascade;`,
    );
    this.addSql(
      `alter table "estorno" add constraint "estorno_id_estornada_foreign" foreign key ("id_estornada") references "movimentacao" ("id") on update restrict on delete restrict;`,
    );
    this.addSql(`alter table "estorno" add constraint "estorno_quantidade_check" check ("quantidade" >= 1);`);
    this.addSql(
      `alter table "movimentacao" add "quantidade_estornada" int not null default 0, add "quantidade_em_estorno" int not null default 0;`,
    );
    // Every row has the defaults, so the check needs no scan under the lock that adds it.
    this.addSql(
      `alter table "movimentacao" add constraint "movimentacao_estornada_check" check ("quantidade_estornada" >= 0 and "quantidade_em_estorno" >= 0 and "quantidade_estornada" + "quantidade_em_estorno" <= "quantidade") not valid;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table "estorno";`);
    this.addSql(
      `alter table "movimentacao" drop column "quantidade_estornada", drop column "quantidade_em_estorno";`,
    );
  }
}
