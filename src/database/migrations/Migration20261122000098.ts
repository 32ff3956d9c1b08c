import { Migration } from '@mikro-orm/migrations';

/**
 * The numbering of changes reads only new entries, however large the trail and its transactions are. It is planned with
 * its values: a generic plan expects a third of the trail to be new, and reads all of it. Transactions that were
 * running at the last numbering are looked up one by one: a join may read all of the trail, too. Both took 1 to 4 s for
 * 2,100,000 entries.
 */
export class Migration20261122000098 extends Migration {
  override up(): void {
    this.replace(EXISTS_JOINED, EXISTS_EACH);
    this.replace(JOINED, EACH);
    this.addSql('alter function numerar_mudancas() set plan_cache_mode = force_custom_plan');
  }

  override down(): void {
    this.addSql('alter function numerar_mudancas() set plan_cache_mode = force_generic_plan');
    this.replace(EACH, JOINED);
    this.replace(EXISTS_EACH, EXISTS_JOINED);
  }

  private replace(from: string, to: string): void {
    this.addSql(`do $do$ begin
      execute replace(pg_get_functiondef('numerar_mudancas'::regproc), $from$${from}$from$, $to$${to}$to$);
    end $do$`);
  }
}

const EXISTS_JOINED =
  'select from pg_snapshot_xip(foto) x join auditoria a on a.transacao = x where a.momento > dia)';
const EXISTS_EACH = `select from pg_snapshot_xip(foto) x
            cross join lateral (select from auditoria a where a.transacao = x and a.momento > dia limit 1) a)`;

const JOINED = `from pg_snapshot_xip(foto) x join auditoria a on a.transacao = x
          where a.momento > dia and a.operacao in ('insert', 'update', 'delete')`;
// The order prevents PostgreSQL from using a join.
const EACH = `from pg_snapshot_xip(foto) x cross join lateral (
            select * from auditoria a where a.transacao = x and a.momento > dia order by a.id
          ) a where a.operacao in ('insert', 'update', 'delete')`;
