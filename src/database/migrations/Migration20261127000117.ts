import { Migration } from '@mikro-orm/migrations';

const REFUSED = `(operacao collate "pt_br", id) where operacao collate "pt_br" in ('login_recusado', 'acesso_recusado')`;

/**
 * Finds failed logins and refused operations, which are few entries of the trail; without an index they were found by reading
 * all of it. Writes wait only for the index of this month, because nothing is written to the parts of earlier ones.
 */
export class Migration20261127000117 extends Migration {
  override up(): void {
    this.addSql(`create index auditoria_antes_recusas on auditoria_antes ${REFUSED}`);
    this.addSql(`do $$ declare parte text; begin
      for parte in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'auditoria'::regclass and c.relname < to_char(now() at time zone 'UTC', '"auditoria_"YYYY_MM')
      loop
        execute format('create index on %I ${REFUSED.replaceAll("'", "''")}', parte);
      end loop;
    end $$`);
    // It adopts the indexes of the parts that have one, and makes the others.
    this.addSql(`create index auditoria_recusas on auditoria ${REFUSED}`);
  }

  override down(): void {
    for (const table of ['auditoria', 'auditoria_antes']) this.addSql(`drop index ${table}_recusas`);
  }
}
