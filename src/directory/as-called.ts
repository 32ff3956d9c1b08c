import type { Reader } from '../database/reader.ts';
import { mailKey, sorted, type DirectoryEntry, type EntryName } from './directory.ts';

const SOCIAL_NAMES = 'select email, nome from pessoa where nome_social is not null and email = any($1)';

/**
 * Replaces the names of people in the entries of an LDAP server by the names that the service uses for them. The server
 * may know only civil names.
 */
export async function asCalled(
  reader: Reader,
  entries: readonly DirectoryEntry[],
): Promise<DirectoryEntry[]> {
  const people = entries.flatMap(entry => (entry.contaGerencial ? entry.responsaveis : [entry]));
  const addresses = [...new Set(people.map(({ email }) => mailKey(email)))];
  const names = new Map((await reader.rows(SOCIAL_NAMES, [addresses])) as [string, string][]);
  const called = <T extends EntryName>(one: T): T => ({
    ...one,
    nome: names.get(mailKey(one.email)) ?? one.nome,
  });
  return sorted(
    entries.map(entry =>
      entry.contaGerencial
        ? { ...entry, responsaveis: sorted(entry.responsaveis.map(called)) }
        : called(entry),
    ),
  );
}
