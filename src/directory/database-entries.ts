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

/** The columns of entries, named like their attributes, without what they hold. */
const COLUMNS = 'id, email, nome, descricao, employeetype, "contaGerencial", suspensa, "possuiSenha"';

const PEOPLE = `
select p.id, p.email, p.nome, null::text, p.cpf, false, p.situacao = 'I',
  exists (select from credencial c where c.id_pessoa = p.id)
from pessoa p`;

const ACCOUNTS = `
select a.id, a.email, a.nome, a.descricao, null::text, true, a.suspensa, a.senha_hash is not null
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
  { email, employeetype, holder, managerial, where }: EntryFilter,
  values: unknown[],
): string {
  const is = (column: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${column} = $${values.push(value)}`];
  const [one, held] = [email, holder].map(address => address && normalised(address));
  const all = (select: string, conditions: readonly string[]): string =>
    `${select} where ${['true', ...conditions].join(' and ')}`;
  const holds = [...is('p.cpf', managerial ? employeetype : undefined), ...is('p.email', held)];
  const byHolder = holds.length > 0 ? [heldBy(holds)] : [];
  const accounts = () => all(ACCOUNTS, [...is('a.email', one), ...byHolder]);
  const people = () => all(PEOPLE, [...is('p.email', one), ...is('p.cpf', employeetype)]);
  // An account has no CPF.
  const some = managerial ? [accounts()] : employeetype === undefined ? [people(), accounts()] : [people()];
  const from = `(${some.join(' union all ')}) e(${COLUMNS})`;
  return `from ${from} where ${where ? entrySql(where, values) : 'true'}`;
}

/** The entries of a part, each with the names of its accounts or holders. */
const entriesOf = (matches: string, order: string, limit: string, offset: string): string => `
with e as materialized (
  select e.id, e.email, e.nome, e.descricao, e.employeetype, e."contaGerencial", e.suspensa
  ${matches} order by ${order} limit ${limit} offset ${offset}
), held as (
  select r.id_pessoa, json_agg(json_build_object('email', a.email, 'nome', a.nome)) as names
  from responsavel_conta r join conta_gerencial a on a.id = r.id_conta
  where r.id_pessoa in (select e.id from e where not e."contaGerencial") group by r.id_pessoa
), holding as (
  select r.id_conta, json_agg(json_build_object('email', p.email, 'nome', p.nome)) as names
  from responsavel_conta r join pessoa p on p.id = r.id_pessoa
  where r.id_conta in (select e.id from e where e."contaGerencial") group by r.id_conta
)
select e.id::text as c0, e.email as c1, e.nome as c2, e.descricao as c3, e.employeetype as c4, e."contaGerencial" as c5,
  e.suspensa as c6, case when e."contaGerencial" then a.senha_hash is not null else c.id is not null end as c7,
  coalesce(held.names, '[]') as c8, coalesce(holding.names, '[]') as c9
from e
left join held on held.id_pessoa = e.id and not e."contaGerencial"
left join holding on holding.id_conta = e.id and e."contaGerencial"
left join credencial c on c.id_pessoa = e.id and not e."contaGerencial"
left join conta_gerencial a on a.id = e.id and e."contaGerencial"
order by ${order}`;

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
  key: string,
  email: string,
  nome: string,
  descricao: string | null,
  employeetype: string | null,
  contaGerencial: boolean,
  suspensa: boolean,
  possuiSenha: boolean,
  contasGerenciais: EntryName[],
  responsaveis: EntryName[],
];

function entryOf(row: unknown[]): DirectoryEntry {
  const [
    key,
    email,
    nome,
    descricao,
    employeetype,
    contaGerencial,
    suspensa,
    possuiSenha,
    accounts,
    holders,
  ] = row as Row;
  return {
    key,
    email,
    nome,
    descricao,
    employeetype,
    contaGerencial,
    suspensa,
    possuiSenha,
    contasGerenciais: sorted(accounts),
    responsaveis: sorted(holders),
  };
}
