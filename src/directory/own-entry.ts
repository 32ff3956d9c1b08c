import type { Context } from '../request/context.ts';
import type { Reader } from '../database/reader.ts';
import { requireNotDismissed } from '../domain/people.ts';
import type { DirectoryEntry, EntryName } from './directory.ts';

const USER = 'select usuario from pessoa where id = $1';

/** Key of the caller's own entry; null if the directory does not have it. */
export async function ownKey(context: Context): Promise<string | null> {
  const { directory, listing } = context.services;
  const { idPessoa } = await context.session();
  const [row] = await listing.reader.rows(USER, [idPessoa]);
  return directory.keyOf({ id: idPessoa, usuario: row![0] as string });
}

/** Whether one of the names is of the entry with this key. */
export const includesKey = (names: readonly EntryName[], key: string | null): boolean =>
  names.some(name => name.key === key);

/** Requires that nobody whose entry this is was dismissed. @throws VALIDATION_FAILED for the field */
export const requireNoneDismissed = (
  reader: Reader,
  { users }: DirectoryEntry,
  field: string,
): Promise<void> => requireNotDismissed(reader, { by: 'usuario', value: users }, field);
