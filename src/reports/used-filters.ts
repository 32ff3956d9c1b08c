import { stepTo } from '../graph/distance.ts';
import { Rights, type Caller, type Lists } from '../graph/rights.ts';
import type { FilterDeclaration, Named } from '../listing/declaration.ts';
import { among, recordWith, type RecordList, type Scope } from '../listing/list.ts';
import type { Listing } from '../listing/listing.ts';
import { isLongerThan, readValues } from '../listing/read.ts';
import { titleOf } from './parameter-words.ts';
import type { Table, UsedFilter } from './table.ts';

/** Who reads a file, and the lists to which their rights apply. */
export interface FileReader {
  caller: Caller;
  lists: Lists;
}

/**
 * The filters that a client gave to a list, in Portuguese: titles of columns, and names instead of keys. A file has the
 * name of a record only if its reader may list the record, or if the file has rows, which then belong to the record and
 * show it. Otherwise everybody who may read one list could find out all names, key by key.
 */
export async function usedFilters(
  list: RecordList,
  table: Table,
  listing: Listing,
  { caller, lists }: FileReader,
): Promise<UsedFilter[]> {
  const used = list.conditions.flatMap(({ asked }) => asked ?? []);
  const rights = new Rights(lists, caller);
  let rows: Promise<boolean> | undefined;
  const hasRows = (): Promise<boolean> => (rows ??= isLongerThan(0, listing, list));

  async function nameOf([entity, property]: Named, { paths }: FilterDeclaration, id: unknown) {
    const record = entity();
    const within = async (scope: Scope): Promise<string | undefined> => {
      const found = among(recordWith(record, scope), [id as number]);
      const [row] = await readValues(1, listing, found, [property]);
      return (row?.[0] as string | null | undefined) ?? undefined;
    };
    // A record without a list has the rights of the rows that lead to it.
    const listed = lists.has(record) ? await rights.on(record) : undefined;
    const name = listed && (await within(listed));
    if (name !== undefined) return name;
    const isShown = paths.every(path => !stepTo(lists, linksBefore(path), record).needs);
    return isShown && (await hasRows()) ? within({}) : undefined;
  }

  return Promise.all(
    used.map(async ({ filter, given }) => ({
      title: titleOf(filter, table),
      value: (filter.names && (await nameOf(filter.names, filter, given))) ?? wordOf(given),
    })),
  );
}

/** How many links lead from a row to the record that has this key. */
const linksBefore = (key: string): number => key.split('.').length - 1;

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(value)) ?? [];
  return day ? `${day}/${month}/${year}` : String(value);
}
