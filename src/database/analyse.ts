/** Runs a statement, and answers its rows. */
type Run = (statement: string) => Promise<{ name: string }[]>;

/** The tables that the database's user may have PostgreSQL look at. */
const TABLES = `select quote_ident(c.relname) as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')`;

const UNKNOWN = `${TABLES}
  and not exists (select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname)`;

/**
 * Has PostgreSQL look at its tables, from which it plans. By itself it does so a minute or more after they are filled,
 * and until then a read takes twice its time.
 */
export async function analyse(run: Run): Promise<void> {
  await analyseEach(run, TABLES);
}

/** The same for tables that it has never looked at, as after a restore. */
export async function analyseUnknown(run: Run): Promise<void> {
  await analyseEach(run, UNKNOWN);
}

async function analyseEach(run: Run, tables: string): Promise<void> {
  for (const { name } of await run(tables)) {
    // What fails, as when another one holds the table, comes by itself later, and what was done before stands.
    await run(`analyze ${name}`).catch(() => undefined);
  }
}
