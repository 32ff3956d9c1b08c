import { Migration } from '@mikro-orm/migrations';

const FORBIDS_PLANS = `select p.oid::regprocedure as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and array_to_string(p.proconfig, ' ') ~ '\\menable_\\w+=off'`;

const each = (change: string): string => `do $$ declare f record; begin
  for f in ${FORBIDS_PLANS} loop
    execute format('alter function %s ${change}', f.name);
  end loop;
end $$`;

/**
 * PostgreSQL adds 10,000,000,000 to the cost of a plan that a setting forbids, if there is no other. Such a plan seems worth
 * compiling, which takes 0.6 s for each write. Connections of this version never compile; those of version 2.0.0, which serves
 * while this one starts, and those of psql do.
 */
export class Migration20261128000119 extends Migration {
  override up(): void {
    this.addSql(each('set jit = off'));
  }

  override down(): void {
    this.addSql(each('reset jit'));
  }
}
