import type { Reader } from '../database/reader.ts';
import { orderSql, sorted, type DirectoryEntry, type EntryName, type EntryPart } from './directory.ts';

/**
 * SQL of the entries that are people of the service: the number of the entry, the social name if there is one, and the
 * address by which the service knows the person if it is among those of the entry. $1 and $2 are the user names of the
 * entries with their numbers, $3 and $4 the addresses.
 */
const PEOPLE = `
select u.i as c0, min(p.nome) filter (where p.nome_social is not null) as c1, min(a.email) as c2
from unnest($1::int[], $2::text[]) u(i, usuario) join pessoa p on p.usuario = u.usuario
  left join unnest($3::int[], $4::text[]) a(i, email) on a.i = u.i and a.email = p.email
group by u.i`;

/** The numbers of entries in order, with the names and addresses by which the service calls them. */
const arrangement = (order: string): string => `
with e as (
  select l."descricao", l."employeetype", coalesce(p.email, l.email) as email, coalesce(p.nome, l.nome) as nome,
    p.nome as called, p.email as known, l.i
  from unnest($5::text[], $6::text[], $7::text[], $8::text[])
    with ordinality l(email, nome, descricao, employeetype, i)
  left join (${PEOPLE}) p(i, nome, email) on p.i = l.i
)
select e.i::int as c0, e.called as c1, e.known as c2 from e order by ${order}, e.i limit $9 offset $10`;

/** PostgreSQL stores no NUL. */
const storable = (text: string): string => text.replaceAll('\0', '');

/** Values $1 to $4 of `PEOPLE`. An account has no social name, and a single address is the one that is shown. */
function named(entries: readonly DirectoryEntry[]): [number[], string[], number[], string[]] {
  const numbered = (of: (entry: DirectoryEntry) => readonly string[]): [number[], string[]] => {
    const all = entries.flatMap((entry, i) => of(entry).map(text => [i + 1, storable(text)] as const));
    return [all.map(([i]) => i), all.map(([, text]) => text)];
  };
  return [
    ...numbered(({ contaGerencial, users }) => (contaGerencial ? [] : users)),
    ...numbered(({ addresses }) => (addresses.length > 1 ? addresses : [])),
  ];
}

type Called = [number: number, nome: string | null, email: string | null];

/**
 * The part of the entries of an LDAP server, in order, with the names that the service uses for people. The server may
 * know only civil names. PostgreSQL sorts: so many names in this process would delay other requests.
 */
export async function arranged(
  reader: Reader,
  entries: readonly DirectoryEntry[],
  { orders, window }: Omit<EntryPart, 'most'>,
): Promise<DirectoryEntry[]> {
  if (entries.length === 0) return [];
  const texts = (of: (entry: DirectoryEntry) => string | null): (string | null)[] =>
    entries.map(entry => {
      const text = of(entry);
      return text === null ? null : storable(text);
    });
  const values = [
    ...named(entries),
    texts(({ email }) => email),
    texts(({ nome }) => nome),
    texts(({ descricao }) => descricao),
    texts(({ employeetype }) => employeetype),
  ];
  const part = window ? [window.limit, window.offset] : [null, 0];
  const rows = await reader.rows(arrangement(orderSql(orders)), [...values, ...part], {});
  return (rows as Called[]).map(([number, nome, email]) => {
    const entry = entries[number - 1]!;
    return { ...entry, nome: nome ?? entry.nome, email: email ?? entry.email };
  });
}

/** Replaces the names of people who hold accounts in the same way. `holders`: the entries of these people. */
export async function asCalled(
  reader: Reader,
  entries: readonly DirectoryEntry[],
  holders: readonly DirectoryEntry[],
): Promise<DirectoryEntry[]> {
  if (holders.length === 0) return [...entries];
  const rows = (await reader.rows(PEOPLE, named(holders), {})) as Called[];
  const names = new Map(rows.map(([number, nome, email]) => [holders[number - 1]!.key, { nome, email }]));
  const called = (one: EntryName): EntryName => {
    const name = names.get(one.key);
    return { ...one, nome: name?.nome ?? one.nome, email: name?.email ?? one.email };
  };
  return entries.map(entry => ({ ...entry, responsaveis: sorted(entry.responsaveis.map(called)) }));
}
