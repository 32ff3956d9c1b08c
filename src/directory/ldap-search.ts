import {
  Attribute,
  Change,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  type Client,
  type Entry,
  type Filter,
} from 'ldapts';
import type { Subtree } from './ldap-settings.ts';

/** Entries per page of the server's answer. */
const PAGE = 500;

/** The entries of a subtree that match a filter: at most `most`, and one more. */
export async function search(
  client: Client,
  subtree: Subtree,
  filter: Filter,
  attributes: string[],
  most: number,
): Promise<Entry[]> {
  const found: Entry[] = [];
  const options = { scope: 'sub', filter, attributes, paged: { pageSize: PAGE } } as const;
  try {
    for await (const { searchEntries } of client.searchPaginated(subtree.dn, options)) {
      for (const entry of searchEntries) found.push(entry);
      if (found.length > most) break;
    }
  } catch (error) {
    throw placed(error, subtree);
  }
  return found;
}

/** @throws Error when the server has no such subtree, or does not answer */
export async function requireSubtree(client: Client, subtree: Subtree): Promise<void> {
  try {
    await client.search(subtree.dn, { scope: 'base', attributes: ['1.1'] });
  } catch (error) {
    throw placed(error, subtree);
  }
}

/** An error of the server for a DN that it does not have, with the setting that names it. */
const placed = (error: unknown, { setting, dn }: Subtree): unknown =>
  error instanceof NoSuchObjectError || error instanceof InvalidDNSyntaxError
    ? new Error(`the LDAP server has no entry with the DN of ${setting}: ${dn}`, { cause: error })
    : error;

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
