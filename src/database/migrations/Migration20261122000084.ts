import { Migration } from '@mikro-orm/migrations';

/**
 * Whether a transaction that a snapshot does not see has written to some tables. If each statement contained this
 * query, PostgreSQL would plan it over all months of the trail each time. The plan of a function is made once per
 * connection. The timestamps limit it to one or two months at run time: no transaction lasts a week.
 */
export class Migration20261122000084 extends Migration {
  override up(): void {
    this
      .addSql(`create function auditoria_escrita_desde(tabelas text[], desde pg_snapshot) returns boolean language plpgsql
      stable parallel safe set plan_cache_mode = force_generic_plan as $$
      begin
        return exists (select from unnest(tabelas) t (nome), lateral (
          select from auditoria a where a.tabela = t.nome and a.transacao >= pg_snapshot_xmin(desde)
            and a.momento > now() - interval '7 days' and a.momento < now() + interval '1 day'
            and not pg_visible_in_snapshot(a.transacao, desde)
          order by a.transacao desc limit 1) escrita);
      end $$`);
  }

  override down(): void {
    this.addSql('drop function auditoria_escrita_desde');
  }
}
