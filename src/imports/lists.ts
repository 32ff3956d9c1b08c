import { quote } from '../listing/builder.ts';
import type { ImportList } from './links.ts';
import { AUTHOR } from './sql.ts';

/** SQL for a to-many link whose cell lists all linked records: `s` is the staged row, `t` the record. */

/** Finds the keys of the records that the cell lists, in its order. */
export const listLink = ({ values, keys, from, by }: ImportList): string =>
  `update linha_lida s set ${quote(keys)} = found.ids
   from (
     select l.linha, array_agg(f.id order by nth) as ids
     from linha_lida l cross join unnest(l.${quote(values)}) with ordinality as u (v, nth)
       join ${from} on ${by[0]!.sought} = v group by l.linha
   ) found
   where found.linha = s.linha`;

/** Finds cells that list unknown records, with only the unknown names. */
export const listMissing = ({ values, keys, from, by }: ImportList): string =>
  `from (
    select linha, array(
      select v from unnest(${quote(values)}) with ordinality as u (v, nth)
      where not exists (select from ${from} where ${by[0]!.sought} = v) order by nth
    ) as ${quote(values)}
    from linha_lida where cardinality(${quote(values)}) <> coalesce(cardinality(${quote(keys)}), 0)
  ) s`;

/** Whether the linked records, in any order, differ from those in the row. */
export const listDiffers = ({ keys, children, owner, column }: ImportList): string =>
  `(select array_agg(c.${quote(column)} order by c.${quote(column)}) from ${quote(children)} c
    where c.${quote(owner)} = t.id)
    is distinct from (select array_agg(k order by k) from unnest(s.${quote(keys)}) k)`;

/**
 * Deletes the links that the row does not list, and inserts those that it lists, in the order of the cell. `known` and `rows`
 * are conditions: that the record is the one of the row, and which rows are written.
 */
export const listWrites = (
  { keys, children, owner, column }: ImportList,
  table: string,
  known: string,
  rows: string,
): string[] => [
  `delete from ${quote(children)} c using linha_lida s join ${table} on ${known}
    where ${rows} and c.${quote(owner)} = t.id and (s.${quote(keys)} is null or c.${quote(column)} <> all(s.${quote(keys)}))`,
  `insert into ${quote(children)} (${quote(owner)}, ${quote(column)}, criado_por, alterado_por)
    select t.id, k, ${AUTHOR}, ${AUTHOR} from linha_lida s join ${table} on ${known}
      cross join unnest(s.${quote(keys)}) with ordinality as u (k, nth)
    where ${rows} and not exists (
      select from ${quote(children)} c where c.${quote(owner)} = t.id and c.${quote(column)} = k
    ) order by s.linha, nth`,
];
