import { Migration } from '@mikro-orm/migrations';

/**
 * People have a separate civil name; `nome` is the name by which they are called. Registration numbers of students are
 * texts. When the previous version writes `nome`, it means the civil name, and it writes `matricula` as a number. The
 * name of the first trigger makes it run before `dobrar`, which folds both names.
 */
export class Migration20261122000068 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "pessoa" add column "nome_civil" varchar(200) null, add column "nome_civil_busca" text null`,
    );
    this.addSql(
      `create index "pessoa_nome_civil_busca" on "pessoa" using gin ("nome_civil_busca" gin_trgm_ops)`,
    );
    this.addSql(`create function chamar() returns trigger language plpgsql as $$
      begin
        if new.nome_civil is null
          or (tg_op = 'UPDATE' and new.nome_civil = old.nome_civil and new.nome <> old.nome) then
          new.nome_civil := new.nome;
        end if;
        new.nome := coalesce(new.nome_social, new.nome_civil);
        return new;
      end $$`);
    this.addSql(
      `create trigger chamar before insert or update on "pessoa" for each row execute function chamar()`,
    );
    this.addSql(
      `alter table "vinculo_discente" add column "numero_matricula" text null, alter column "matricula" drop not null`,
    );
    this.addSql(`create function matricular() returns trigger language plpgsql as $$
      begin
        if new.numero_matricula is null or (tg_op = 'UPDATE' and new.numero_matricula = old.numero_matricula
          and new.matricula is distinct from old.matricula) then
          new.numero_matricula := new.matricula;
        end if;
        new.matricula := case when new.numero_matricula ~ '^[0-9]{1,9}$' then new.numero_matricula end;
        return new;
      end $$`);
    this.addSql(
      `create trigger matricular before insert or update on "vinculo_discente" for each row execute function matricular()`,
    );
  }

  override down(): void {
    this.addSql(`drop trigger matricular on "vinculo_discente"`);
    this.addSql('drop function matricular');
    this.addSql(
      `alter table "vinculo_discente" drop column "numero_matricula", alter column "matricula" set not null`,
    );
    this.addSql(`drop trigger chamar on "pessoa"`);
    this.addSql('drop function chamar');
    this.addSql(`update "pessoa" set "nome" = "nome_civil"`);
    this.addSql(`alter table "pessoa" drop column "nome_civil", drop column "nome_civil_busca"`);
  }
}
