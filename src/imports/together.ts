import { quote } from '../listing/builder.ts';
import type { Reader } from '../database/reader.ts';
import { listMissing } from './lists.ts';
import type { ImportPlan } from './plan.ts';
import { MAX_LISTED, type Problem } from './problems.ts';
import { equal, isRecord, list, notNull, target } from './sql.ts';

/** A check of staged rows: its columns, the expected value, and the SQL that finds the wrong rows as `s`. */
interface Search {
  columns: readonly string[];
  expected: string;
  from: string;
}

/**
 * Problems that need other rows or stored records, in batches, each with the number of further ones of the same kind.
 */
export async function* problemsTogether(
  reader: Reader,
  plan: ImportPlan,
): AsyncGenerator<[Problem[], number]> {
  for (const search of [...links(plan), ...repetitions(plan), ...rules(plan)])
    yield find(reader, plan, search);
}

const links = (plan: ImportPlan): Search[] => [
  ...plan.links.map(({ column, table, by }) => {
    const given = by.map(({ staged }) => `${quote(staged)} is not null`).join(' or ');
    return {
      columns: [column],
      expected: `exactly one record of ${table}`,
      from: `from importacao s where ${quote(column)} is null and (${given})`,
    };
  }),
  ...plan.lists.map(one => ({
    columns: [one.values],
    expected: `records of ${one.table}`,
    from: listMissing(one),
  })),
];

const repetitions = (plan: ImportPlan): Search[] => [
  ...[plan.key, ...plan.uniques].map(columns => ({
    columns,
    expected: 'a value that no earlier row has',
    from: `from (select *, row_number() over (partition by ${list(columns)} order by linha) as nth
      from importacao where ${notNull(columns.filter(column => !plan.mayBeEmpty.includes(column)))}) s where nth > 1`,
  })),
  ...plan.uniques.map(columns => ({
    columns,
    expected: 'a value that no other record has',
    from: `from importacao s join ${target(plan)} on ${equal(columns)} where not (${isRecord(plan)})`,
  })),
  {
    columns: plan.key,
    expected: 'a value that only one record has',
    from: `from importacao s join (select ${list(plan.key)} from ${target(plan)}
      group by ${list(plan.key)} having count(*) > 1) t on ${isRecord(plan)}`,
  },
];

const rules = (plan: ImportPlan): Search[] =>
  plan.rules.map(({ columns, expected, broken }) => ({
    columns,
    expected,
    from: `from importacao s left join ${target(plan)} on ${isRecord(plan)} where ${broken}`,
  }));

async function find(
  reader: Reader,
  { links, columns: given }: ImportPlan,
  { columns, expected, from }: Search,
): Promise<[Problem[], number]> {
  const shown = columns.flatMap(name => links.find(({ column }) => column === name)?.by ?? { staged: name });
  const found = shown.map(({ staged }) => `s.${quote(staged)}::text`).join(', ');
  const rows = await reader.rows(
    `select s.linha as c0, concat_ws(', ', ${found}) as c1, (count(*) over ())::int as c2
      ${from} order by s.linha limit ${MAX_LISTED}`,
    [],
  );
  const problems = rows.map(([row, value]) => ({
    row: row as number,
    field: shown
      .map(({ staged }) => given.find(column => column.staged === staged)?.header ?? staged)
      .join(', '),
    expected,
    found: value as string,
  }));
  return [problems, rows.length > 0 ? (rows[0]![2] as number) - rows.length : 0];
}
