import { Migration } from '@mikro-orm/migrations';

const DISTINCT = 'alter column transacao set (n_distinct = -0.01)';
const BEFORE = `execute format('create trigger auditoria_recusa before truncate`;
const ALSO = `execute format('alter table %I ${DISTINCT}', nome);
        `;

/**
 * Tells PostgreSQL that a transaction writes a hundred entries of the trail. Otherwise it estimates this from a sample. After
 * an import it estimates a hundred thousand, and looks up the entries of each transaction by reading all ids of the month.
 */
export class Migration20261127000110 extends Migration {
  override up(): void {
    this.addSql(`do $$ declare parte regclass; begin
      for parte in select inhrelid::regclass from pg_inherits where inhparent = 'auditoria'::regclass loop
        execute format('alter table %s ${DISTINCT}', parte);
        if pg_relation_size(parte) > 0 then execute format('analyze %s (transacao)', parte); end if;
      end loop;
    end $$`);
    this.replace(BEFORE, ALSO + BEFORE);
  }

  override down(): void {
    this.addSql(`do $$ declare parte regclass; begin
      for parte in select inhrelid::regclass from pg_inherits where inhparent = 'auditoria'::regclass loop
        execute format('alter table %s alter column transacao reset (n_distinct)', parte);
      end loop;
    end $$`);
    this.replace(ALSO + BEFORE, BEFORE);
  }

  private replace(text: string, by: string): void {
    const quoted = (one: string): string => `'${one.replaceAll("'", "''")}'`;
    this.addSql(`do $do$ begin
      execute replace(pg_get_functiondef('auditoria_criar_mes'::regproc), ${quoted(text)}, ${quoted(by)});
    end $do$`);
  }
}
