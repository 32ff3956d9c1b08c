import { Migration } from '@mikro-orm/migrations';

/** To-many fields that belong to the version of their record: table, link, and table of the record. */
const owned = [
  ['alteracao_solicitacao', 'id_solicitacao', 'solicitacao_aprovacao'],
  ['estorno', 'id_movimentacao', 'movimentacao'],
];

/** History of pending movements, restricted locations, and rules for expired stock that leaves. */
export class Migration20261122000016 extends Migration {
  override name = 'Migration20261122000016';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "alteracao_solicitacao" ("id" serial primary key, "criado_em" timestamptz(3) not null default now(), "alterado_em" timestamptz(3) not null default now(), "criado_por" int null, "alterado_por" int null, "versao" int not null default 1, "id_solicitacao" int not null, "campo" varchar(60) not null, "antes" varchar(500) null, "depois" varchar(500) null);`,
    );
    this.addSql(
      `create index "alteracao_solicitacao_id_solicitacao_index" on "alteracao_solicitacao" ("id_solicitacao");`,
    );
    this.addSql(
      `alter table "alteracao_solicitacao" add constraint "alteracao_solicitacao_id_solicitacao_foreign" foreign key ("id_solicitacao") references "solicitacao_aprovacao" ("id") on update restrict on delete cascade;`,
    );
    // The approval request stores who changed a pending movement and what, whichever version changed it.
    this.addSql(`create function movimentacao_alterada() returns trigger language plpgsql as $$
      begin
        insert into alteracao_solicitacao (id_solicitacao, campo, antes, depois, criado_por, alterado_por)
        select s.id, campo, to_jsonb(old) ->> campo, to_jsonb(new) ->> campo, new.alterado_por, new.alterado_por
        from solicitacao_aprovacao s, jsonb_object_keys(to_jsonb(new)) campo
        where s.id_movimentacao = new.id and to_jsonb(old) -> campo <> to_jsonb(new) -> campo
          and campo not in ('versao', 'alterado_em', 'alterado_por', 'quantidade_estornada', 'quantidade_em_estorno')
        order by campo;
        return null;
      end $$`);
    for (const [child, link, owner] of owned) {
      const trigger = (event: string, rows: string) =>
        this.addSql(`create trigger versionar_${owner}_${event} after ${event} on ${child}
          referencing ${rows} for each statement execute function versionar_dono('${link}', '${owner}')`);
      trigger('insert', 'new table as novas');
      trigger('update', 'old table as antigas new table as novas');
      trigger('delete', 'old table as antigas');
    }
    this.addSql(`create trigger movimentacao_alterada after update on movimentacao
      for each row when (old.id_status_movimentacao = 1 and new.id_status_movimentacao = 1)
      execute function movimentacao_alterada()`);
    this.addSql(
      `alter table "movimentacao" add "ciente_vencimento" boolean not null default false, add "lote_vencido" boolean not null default false;`,
    );
    this.addSql(`alter table "local" add "restrito" varchar(1) not null default 'N';`);
    this.addSql(
      `alter table "local" add constraint "local_restrito_check" check ("restrito" in ('S', 'N'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "local" drop column "restrito";`);
    this.addSql(`alter table "movimentacao" drop column "ciente_vencimento", drop column "lote_vencido";`);
    for (const [child, , owner] of owned)
      for (const event of ['insert', 'update', 'delete'])
        this.addSql(`drop trigger versionar_${owner}_${event} on ${child}`);
    this.addSql('drop function movimentacao_alterada cascade');
    this.addSql(`drop table "alteracao_solicitacao";`);
  }
}
