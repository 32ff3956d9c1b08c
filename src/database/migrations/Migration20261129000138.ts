import { Migration } from '@mikro-orm/migrations';

const matricular = (
  number: string,
): string => `create or replace function matricular() returns trigger language plpgsql as $$
      begin
        if new.numero_matricula is null or (tg_op = 'UPDATE' and new.numero_matricula = old.numero_matricula
          and new.matricula is distinct from old.matricula) then
          new.numero_matricula := new.matricula;
        end if;
        new.matricula := ${number};
        return new;
      end $$`;

/** A number of ten digits may be larger than the column of the version before takes. */
const NUMBER = (text: string): string =>
  `case when ${text} ~ '^[0-9]{1,10}$' then case when ${text}::bigint <= 2147483647 then ${text}::int end end`;

/**
 * Registration numbers of ten digits stay numbers for the version that reads them as numbers, and those that were lost are
 * filled in. And no trigger of the service is left on tables without `id`, which are not of the service and which it fails
 * on.
 */
export class Migration20261129000138 extends Migration {
  override up(): void {
    this.addSql(matricular(NUMBER('new.numero_matricula')));
    // Without triggers, because for clients nothing changes: records keep their versions.
    this.addSql('alter table "vinculo_discente" disable trigger user');
    this.addSql(`update "vinculo_discente" set "matricula" = ${NUMBER('"numero_matricula"')}
      where "matricula" is null and "numero_matricula" ~ '^[0-9]{10}$'`);
    this.addSql('alter table "vinculo_discente" enable trigger user');
    this.addSql(`do $$ declare t record; begin
      for t in
        select g.tgname as nome, g.tgrelid::regclass as tabela
        from pg_trigger g join pg_class c on c.oid = g.tgrelid
        where g.tgfoid in ('auditar'::regproc, 'versionar'::regproc, 'dobrar'::regproc)
          and pg_has_role(c.relowner, 'usage') and not exists (
            select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id' and not a.attisdropped)
      loop
        execute format('drop trigger %I on %s', t.nome, t.tabela);
      end loop;
    end $$`);
  }

  override down(): void {
    this.addSql(matricular(`case when new.numero_matricula ~ '^[0-9]{1,9}$' then new.numero_matricula end`));
  }
}
