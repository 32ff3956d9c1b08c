import type { FilterDeclaration } from '../listing/declaration.ts';
import type { RecordList } from '../listing/list.ts';
import { readOne } from '../listing/read.ts';
import type { Listing } from '../listing/listing.ts';
import { titleOf } from './parameter-words.ts';
import type { Table, UsedFilter } from './table.ts';

/** The filters that a client gave to a list, in Portuguese: titles of columns, and names instead of keys. */
export async function usedFilters(
  listing: Listing,
  { conditions }: RecordList,
  table: Table,
): Promise<UsedFilter[]> {
  const used = conditions.flatMap(({ asked }) => asked ?? []);
  return Promise.all(
    used.map(async ({ filter, given }) => ({
      title: titleOf(filter, table),
      value: await wordOf(listing, filter, given),
    })),
  );
}

async function wordOf(listing: Listing, { names }: FilterDeclaration, value: unknown): Promise<string> {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(value)) ?? [];
  if (day) return `${day}/${month}/${year}`;
  return (names && (await nameOf(listing, names, value))) ?? String(value);
}

/** The name of a key; the key itself if the record does not exist. */
async function nameOf(
  listing: Listing,
  [entity, property]: NonNullable<FilterDeclaration['names']>,
  id: unknown,
): Promise<string | undefined> {
  const found = await readOne<object>(listing, entity(), { id }, { [property]: {} });
  return (found as Record<string, string> | null)?.[property];
}
