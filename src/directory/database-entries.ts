import type { Reader } from '../database/reader.ts';
import { totalOf } from '../listing/read-page.ts';
import {
  directoryTooLarge,
  orderSql,
  sorted,
  type DirectoryEntry,
  type Entries,
  type EntryFilter,
  type EntryName,
  type EntryPart,
} from './directory.ts';
import type { EntryCondition } from './entry-condition.ts';
import { normalised } from '../text/normalised.ts';

/** The key of an entry by its row. An account may have the same id as a person. */
export const keyOfRow = (table: 'pessoa' | 'conta', id: number): string => `${table}/${id}`;

/** The id of the row of an entry with this key. */
export const rowOfKey = (key: string): number => Number(key.split('/')[1]);

/** The columns of entries, named like their attributes, without what they hold. */
const COLUMNS =
  'id, usuario, email, nome, descricao, employeetype, "contaGerencial", suspensa, "possuiSenha"';

const PEOPLE = `
select p.id, p.usuario, p.email, p.nome, null::text, p.cpf, false, p.situacao = 'I',
  exists (select from credencial c where c.id_pessoa = p.id)
from pessoa p`;

/** Nobody logs in as an account. */
const ACCOUNTS = `
select a.id, null::text, a.email, a.nome, a.descricao, null::text, true, a.suspensa, a.senha_hash is not null
from conta_gerencial a`;

/** SQL condition: a person for whom these conditions hold holds the account. */
const heldBy = (conditions: readonly string[]): string =>
  `exists (select from responsavel_conta r join pessoa p on p.id = r.id_pessoa
    where ${['r.id_conta = a.id', ...conditions].join(' and ')})`;

/**
 * SQL of the entries that match. It contains only the conditions that are asked for: PostgreSQL would plan a condition
 * that may be absent for the case that it finds one entry, and keep that plan for all entries.
 */
function matching(
  { email, key, employeetype, holder, managerial, where }: EntryFilter,
  values: unknown[],
): string {
  const is = (column: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`${column} = $${values.push(value)}`];
  const one = email && normalised(email);
  const held = holder === undefined ? undefined : rowOfKey(holder);
  const all = (select: string, conditions: readonly string[]): string =>
    `${select} where ${['true', ...conditions].join(' and ')}`;
  const holds = [...is('p.cpf', managerial ? employeetype : undefined), ...is('p.id', held)];
  const byHolder = holds.length > 0 ? [heldBy(holds)] : [];
  const accounts = () => all(ACCOUNTS, [...is('a.email', one), ...byHolder]);
  const id = key?.startsWith('pessoa/') ? rowOfKey(key) : undefined;
  const people = () => all(PEOPLE, [...is('p.email', one), ...is('p.id', id), ...is('p.cpf', employeetype)]);
  // An account has no CPF.
  const arePeople = employeetype !== undefined || id !== undefined;
  const some = managerial ? [accounts()] : arePeople ? [people()] : [people(), accounts()];
  const from = `(${some.join(' union all ')}) e(${COLUMNS})`;
  return `from ${from} where ${where ? entrySql(where, values) : 'true'}`;
}

/** SQL of the names that these conditions find, as an array. */
const namesOf = (alias: string, table: string, holders: string): string =>
  `(select coalesce(json_agg(json_build_object(
    'key', '${table}/' || ${alias}.id, 'email', ${alias}.email, 'nome', ${alias}.nome)), '[]') from ${holders})`;

const HELD = namesOf(
  'a',
  'conta',
  'responsavel_conta r join conta_gerencial a on a.id = r.id_conta where r.id_pessoa = e.id',
);
const HOLDERS = namesOf(
  'p',
  'pessoa',
  'responsavel_conta r join pessoa p on p.id = r.id_pessoa where r.id_conta = e.id',
);

/**
 * The entries of a part, each with the names of its accounts or holders. These are looked up for each entry, by an index.
 * PostgreSQL expects few entries where one person holds thousands of accounts, and would compare each with those of all.
 */
const entriesOf = (matches: string, order: string, limit: string, offset: string): string => `
with e as materialized (
  select e.id, e.usuario, e.email, e.nome, e.descricao, e.employeetype, e."contaGerencial", e.suspensa
  ${matches} order by ${order} limit ${limit} offset ${offset}
)
select e.id as c0, e.email as c1, e.nome as c2, e.descricao as c3, e.employeetype as c4, e."contaGerencial" as c5,
  e.suspensa as c6,
  case when e."contaGerencial" then (select a.senha_hash is not null from conta_gerencial a where a.id = e.id)
    else exists (select from credencial c where c.id_pessoa = e.id) end as c7,
  case when e."contaGerencial" then '[]' else ${HELD} end as c8,
  case when e."contaGerencial" then ${HOLDERS} else '[]' end as c9,
  e.usuario as c10
from e order by ${order}`;

/** The SQL of a condition, which is true or false. Adds its values to those of the statement. */
function entrySql(condition: EntryCondition, values: unknown[]): string {
  const inside = (part: EntryCondition): string => `(${entrySql(part, values)})`;
  if ('and' in condition) return ['true', ...condition.and.map(inside)].join(' and ');
  if ('or' in condition) return ['false', ...condition.or.map(inside)].join(' or ');
  if ('not' in condition) return `not ${inside(condition.not)}`;
  if ('flag' in condition) return `${condition.value ? '' : 'not '}e."${condition.flag}"`;
  const column = `e."${condition.text}"`;
  if ('isNull' in condition) return `${column} is ${condition.isNull ? '' : 'not '}null`;
  const parameter = `$${values.push('in' in condition ? condition.in : condition.contains)}`;
  if ('in' in condition) return `coalesce(${column} = any(${parameter}::text[]), false)`;
  // PostgreSQL evaluates a subselect once, not for each row.
  const pattern = `(select contains_pattern(${parameter}))`;
  return `coalesce(fold(${column}) like ${condition.atStart ? `substr(${pattern}, 2)` : pattern}, false)`;
}

/** The entries of a part. @throws RESULT_TOO_LARGE for more than `most` without a window */
export async function readEntries(
  reader: Reader,
  filter: EntryFilter,
  { most, orders, window, isCounted }: EntryPart,
): Promise<Entries> {
  const values: unknown[] = [];
  const matches = matching(filter, values);
  // Sorting so many names in this process would delay other requests.
  const order = `${orderSql(orders)}, e."contaGerencial", e.id`;
  const part = window ? [window.limit, window.offset] : [most + 1, 0];
  const [limit, offset] = part.map((_, i) => `$${values.length + 1 + i}`) as [string, string];
  const rows = await reader.rows(entriesOf(matches, order, limit, offset), [...values, ...part], {});
  if (!window && rows.length > most) throw directoryTooLarge(most);
  const known = window ? totalOf(rows, window) : rows.length;
  return {
    entries: rows.map(entryOf),
    total: known ?? (isCounted ? await count(reader, matches, values) : 0),
  };
}

async function count(reader: Reader, matches: string, values: readonly unknown[]): Promise<number> {
  const [row] = await reader.rows(`select count(*)::int ${matches}`, values, {});
  return row![0] as number;
}

type Row = [
  id: number,
  email: string,
  nome: string,
  descricao: string | null,
  employeetype: string | null,
  contaGerencial: boolean,
  suspensa: boolean,
  possuiSenha: boolean,
  contasGerenciais: EntryName[],
  responsaveis: EntryName[],
  usuario: string | null,
];

function entryOf(row: unknown[]): DirectoryEntry {
  const [
    id,
    email,
    nome,
    descricao,
    employeetype,
    contaGerencial,
    suspensa,
    possuiSenha,
    accounts,
    holders,
    usuario,
  ] = row as Row;
  return {
    key: keyOfRow(contaGerencial ? 'conta' : 'pessoa', id),
    addresses: [email],
    users: usuario === null ? [] : [usuario],
    email,
    nome,
    descricao,
    employeetype,
    contaGerencial,
    suspensa,
    possuiSenha,
    contasGerenciais: sorted(accounts),
    responsaveis: sorted(holders),
    holders: holders.map(({ key }) => key),
  };
}
