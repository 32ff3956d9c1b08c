import type { Reader } from '../database/reader.ts';
import { orderSql, sorted, type EntryName, type EntryPart } from './directory.ts';
import type { LdapEntry } from './ldap-entries.ts';
import { normalised } from '../text/normalised.ts';

/** The numbers of entries in order, with the names by which the service calls them. An account has no social name. */
const arrangement = (order: string): string => `
with e as (
  select l."descricao", l."employeetype", l."email", coalesce(p.nome, l.nome) as nome, p.nome as called, l.i
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    with ordinality l(person, email, nome, descricao, employeetype, i)
  left join pessoa p on p.nome_social is not null and p.email = l.person
)
select e.i::int as c0, e.called as c1 from e order by ${order}, e.i limit $6 offset $7`;

/**
 * The part of the entries of an LDAP server, in order, with the names that the service uses for people. The server may
 * know only civil names. PostgreSQL sorts: so many names in this process would delay other requests.
 */
export async function arranged(
  reader: Reader,
  entries: readonly LdapEntry[],
  { orders, window }: Omit<EntryPart, 'most'>,
): Promise<LdapEntry[]> {
  if (entries.length === 0) return [];
  const texts = (of: (entry: LdapEntry) => string | null): (string | null)[] =>
    // PostgreSQL stores no NUL.
    entries.map(entry => of(entry)?.replaceAll('\0', '') ?? null);
  const values = [
    texts(({ contaGerencial, email }) => (contaGerencial ? null : normalised(email))),
    texts(({ email }) => email),
    texts(({ nome }) => nome),
    texts(({ descricao }) => descricao),
    texts(({ employeetype }) => employeetype),
  ];
  const part = window ? [window.limit, window.offset] : [null, 0];
  const rows = await reader.rows(arrangement(orderSql(orders)), [...values, ...part], {});
  return (rows as [number, string | null][]).map(([number, called]) => {
    const entry = entries[number - 1]!;
    return { ...entry, nome: called ?? entry.nome };
  });
}

const SOCIAL_NAMES = 'select email, nome from pessoa where nome_social is not null and email = any($1)';

/** Replaces the names of people who hold accounts in the same way. */
export async function asCalled(reader: Reader, entries: readonly LdapEntry[]): Promise<LdapEntry[]> {
  const holders = entries.flatMap(({ responsaveis }) => responsaveis);
  if (holders.length === 0) return [...entries];
  const addresses = [...new Set(holders.map(({ email }) => normalised(email)))];
  const names = new Map((await reader.rows(SOCIAL_NAMES, [addresses])) as [string, string][]);
  const called = (one: EntryName): EntryName => ({
    ...one,
    nome: names.get(normalised(one.email)) ?? one.nome,
  });
  return entries.map(entry => ({ ...entry, responsaveis: sorted(entry.responsaveis.map(called)) }));
}
