type Run = (statement: string) => Promise<unknown[][]>;

/** Every column that is also stored in folded form. */
const COLUMNS = `select c.relname, a.attname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  join pg_attribute b on b.attrelid = c.oid and b.attname = a.attname || '_busca' and not b.attisdropped
  where c.relkind = 'r' order by 1, 2`;

/** The columns that are stored in folded form, and for each the number of rows with a wrong folded text. */
export async function foldedColumns(run: Run): Promise<{ column: string; wrong: number }[]> {
  const columns = (await run(COLUMNS)) as [string, string][];
  const counts = columns.map(
    ([table, column]) => `select '${table}.${column}', count(*)::int from ${table}
      where ${column}_busca is distinct from fold(${column})`,
  );
  const rows = (await run(counts.join(' union all '))) as [string, number][];
  return rows.map(([column, wrong]) => ({ column, wrong }));
}
