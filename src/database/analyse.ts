/** Runs a statement and returns its rows. */
type Run = (statement: string) => Promise<{ name: string }[]>;

/**
 * Tables with rows. PostgreSQL would note that an empty table has none, and read it without its indexes until autovacuum
 * analyses it again, however many rows it gets meanwhile.
 */
const TABLES = `select quote_ident(c.relname) as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0`;

/** Only the owner of a table may analyse it. */
const OWN = `${TABLES} and pg_has_role(c.relowner, 'usage')`;
const FOREIGN = `${TABLES} and not pg_has_role(c.relowner, 'usage')`;

const UNKNOWN = `${OWN}
  and not exists (select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname)`;

/**
 * Analyses all tables, so that PostgreSQL plans with current statistics. Autovacuum does this only a minute or more
 * after the tables were filled. Until then reads take twice as long.
 * @returns whether the database user may analyse all of them
 */
export async function analyse(run: Run): Promise<boolean> {
  await analyseEach(run, OWN);
  return (await run(FOREIGN)).length === 0;
}

/** Analyses only tables without statistics, as after a restore. */
export async function analyseUnknown(run: Run): Promise<void> {
  await analyseEach(run, UNKNOWN);
}

async function analyseEach(run: Run, tables: string): Promise<void> {
  for (const { name } of await run(tables)) {
    // Analysing is optional: autovacuum does it later. A failure, such as a locked table, must not stop the others.
    await run(`analyze ${name}`).catch(() => undefined);
  }
}
