import { quote } from '../listing/builder.ts';
import type { Reader } from '../database/reader.ts';
import type { Text } from '../messages.ts';
import { listMissing } from './lists.ts';
import { said, wrong } from './messages.ts';
import type { ImportPlan } from './plan.ts';
import type { Problem } from './problems.ts';
import { equal, isRecord, list, notNull, target } from './sql.ts';

/** A check of staged rows: its columns, what is wrong and expected, and the SQL that finds the wrong rows as `s`. */
interface Search {
  columns: readonly string[];
  wrong: Text;
  expected: Text;
  from: string;
  again?: boolean | undefined;
}

/**
 * Problems that depend on other rows or on stored records. They come in batches of at most `most`, each with the number
 * of further problems of the same kind. Marks the rows that have them (`recusada`).
 */
export async function* problemsTogether(
  reader: Reader,
  plan: ImportPlan,
  most: number,
): AsyncGenerator<[Problem[], number]> {
  for (const search of [...links(plan), ...repetitions(plan), ...rules(plan), ...taken(plan, true)]) {
    let found;
    do yield (found = await find(reader, plan, search, most));
    while (search.again && found[0].length > 0);
  }
}

const links = (plan: ImportPlan): Search[] => [
  ...plan.links.map(({ column, table, by }) => {
    const given = by.map(({ staged }) => `${quote(staged)} is not null`).join(' or ');
    return {
      columns: [column],
      wrong: wrong.unknown,
      expected: said.oneRecord(table),
      from: `from linha_lida s where ${quote(column)} is null and (${given})`,
    };
  }),
  ...plan.lists.map(one => ({
    columns: [one.values],
    wrong: wrong.unknown,
    expected: said.records(one.table),
    from: listMissing(one),
  })),
];

const repetitions = (plan: ImportPlan): Search[] => [
  ...[plan.key, ...plan.uniques].map(columns => ({
    columns,
    wrong: wrong.repeated,
    expected: said.ofNoEarlierRow,
    from: `from (select *, row_number() over (partition by ${list(columns)} order by linha) as nth
      from linha_lida where ${notNull(columns.filter(column => !plan.mayBeEmpty.includes(column)))}) s where nth > 1`,
  })),
  ...taken(plan),
  {
    columns: plan.key,
    wrong: wrong.ambiguous,
    expected: said.ofOneRecord,
    from: `from linha_lida s join (select ${list(plan.key)} from ${target(plan)}
      group by ${list(plan.key)} having count(*) > 1) t on ${isRecord(plan)}`,
  },
];

/**
 * Rows with a value of another record. A row that makes a record may have one that a row of the file replaces, because all
 * changes are written before the first new record. Not if that row is refused: `again` looks for these, after all else.
 */
const taken = (plan: ImportPlan, again = false): Search[] =>
  plan.uniques.map(columns => ({
    columns,
    wrong: wrong.taken,
    expected: said.ofNoOtherRecord,
    // Joins, because a subquery for each row would read the whole file each time.
    from: `from linha_lida s join ${target(plan)} on ${equal(columns)}
      left join linha_lida o on not o.recusada and ${isRecord(plan, 'o')} and not coalesce(${equal(columns, 'o')}, false)
      left join (
        select own.linha from linha_lida own join ${target(plan)} on ${isRecord(plan, 'own')}
      ) changed on changed.linha = s.linha
      where not (${isRecord(plan)}) and ${again ? 'not s.recusada' : 'true'}
        and (${plan.entered ? 'true' : 'o.linha is null or changed.linha is not null'})`,
    again,
  }));

const rules = (plan: ImportPlan): Search[] =>
  plan.rules.map(({ columns, expected, broken, again }) => ({
    columns,
    wrong: wrong.rule,
    expected,
    again,
    from: `from linha_lida s left join ${target(plan)} on ${isRecord(plan)} where ${broken}`,
  }));

async function find(
  reader: Reader,
  { links, lists, columns: given }: ImportPlan,
  { columns, wrong, expected, from }: Search,
  most: number,
): Promise<[Problem[], number]> {
  const shown = columns.flatMap(name => links.find(({ column }) => column === name)?.by ?? { staged: name });
  const textOf = (staged: string): string =>
    lists.some(({ values }) => values === staged)
      ? `array_to_string(s.${quote(staged)}, ', ')`
      : `s.${quote(staged)}::text`;
  const found = shown.map(({ staged }) => textOf(staged)).join(', ');
  const rows = await reader.rows(
    `with found as (select s.linha, concat_ws(', ', ${found}) as value ${from}),
      marked as (update linha_lida set recusada = true where linha in (select linha from found) and not recusada)
      select linha as c0, value as c1, (count(*) over ())::int as c2 from found order by linha limit $1`,
    [most],
  );
  const problems = rows.map(([row, value]) => ({
    row: row as number,
    field: shown
      .map(({ staged }) => given.find(column => column.staged === staged)?.header ?? staged)
      .join(', '),
    found: value as string,
    wrong,
    expected,
  }));
  return [problems, rows.length > 0 ? (rows[0]![2] as number) - rows.length : 0];
}
