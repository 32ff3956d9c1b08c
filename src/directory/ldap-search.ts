import { Attribute, Change, NoSuchObjectError, type Client, type Entry, type Filter } from 'ldapts';

/** Entries per page of the server's answer. */
const PAGE = 500;

/** The entries below a DN that match a filter: at most `most`, and one more. */
export async function search(
  client: Client,
  dn: string,
  filter: Filter,
  attributes: string[],
  most: number,
): Promise<Entry[]> {
  const found: Entry[] = [];
  const pages = client.searchPaginated(dn, { scope: 'sub', filter, attributes, paged: { pageSize: PAGE } });
  for await (const { searchEntries } of pages) {
    for (const entry of searchEntries) found.push(entry);
    if (found.length > most) break;
  }
  return found;
}

/** The entry with a DN, if it matches the filter. */
export async function lookUp(
  client: Client,
  dn: string,
  filter: string | Filter,
  attributes: string[],
): Promise<Entry | undefined> {
  try {
    const { searchEntries } = await client.search(dn, { scope: 'base', filter, attributes });
    return searchEntries[0];
  } catch (error) {
    if (error instanceof NoSuchObjectError) return undefined;
    throw error;
  }
}

/** A change of one attribute; null removes its values. */
export function changeOf(
  operation: 'add' | 'delete' | 'replace',
  type: string,
  value: string | null,
): Change {
  return new Change({
    operation,
    modification: new Attribute({ type, values: value === null ? [] : [value] }),
  });
}
