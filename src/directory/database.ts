import { LockMode } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verifyPassword } from '../access/passwords.ts';
import type { Context } from '../request/context.ts';
import type { Lock } from '../database/turns.ts';
import { writing, writingAs } from '../request/writing.ts';
import { ContaGerencial } from '../entities/institucional/conta-gerencial.ts';
import { ResponsavelConta } from '../entities/institucional/responsavel-conta.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import type { Listing } from '../listing/read.ts';
import type { EntryCondition } from './entry-condition.ts';
import {
  directoryTooLarge,
  mailKey,
  sorted,
  type AccountChange,
  type Alongside,
  type Directory,
  type DirectoryEntry,
  type EntryName,
  type EntryFilter,
} from './directory.ts';

/*
 * The names of an entry's accounts or holders come from a join, not from a look-up per entry: for many entries,
 * PostgreSQL would read a small table again each time. `$1` keeps them few when only one entry is requested.
 */
const HELD = `
select r.id_pessoa, json_agg(json_build_object('email', a.email, 'nome', a.nome)) as names
from responsavel_conta r join conta_gerencial a on a.id = r.id_conta
where $1::text is null or r.id_pessoa in (select id from pessoa where email = $1)
group by r.id_pessoa`;

const HOLDERS = `
select r.id_conta, json_agg(json_build_object('email', p.email, 'nome', p.nome)) as names
from responsavel_conta r join pessoa p on p.id = r.id_pessoa
where $1::text is null or r.id_conta in (select id from conta_gerencial where email = $1)
group by r.id_conta`;

const PEOPLE = `
select p.id::text, p.email, p.nome, null::text, p.cpf, false, p.situacao = 'I',
  exists (select from credencial c where c.id_pessoa = p.id), coalesce(h.names, '[]'), '[]'::json
from pessoa p left join (${HELD}) h on h.id_pessoa = p.id
where ($1::text is null or p.email = $1) and ($2::text is null or p.cpf = $2) and $4::text is null`;

const ACCOUNTS = `
select a.id::text, a.email, a.nome, a.descricao, null::text, true, a.suspensa, a.senha_hash is not null, '[]'::json,
  coalesce(h.names, '[]')
from conta_gerencial a left join (${HOLDERS}) h on h.id_conta = a.id
where ($1::text is null or a.email = $1) and (coalesce($2::text, $4::text) is null or exists (
  select from responsavel_conta r join pessoa p on p.id = r.id_pessoa
  where r.id_conta = a.id and ($2::text is null or p.cpf = $2) and ($4::text is null or p.email = $4)))`;

/** The columns of people and accounts, named like their attributes. */
const COLUMNS = `key, email, nome, descricao, employeetype, "contaGerencial", suspensa, "possuiSenha", held, holders`;

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

/** The directory in the service's own database. Its people are those of the service. Accounts are separate entries. */
export class DatabaseDirectory implements Directory {
  readonly people = undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly listing: Listing,
  ) {}

  async entries(
    { email, employeetype, holder, managerial, where }: EntryFilter,
    most: number,
  ): Promise<DirectoryEntry[]> {
    const [one, held] = [email, holder].map(address => (address === undefined ? null : mailKey(address)));
    const values: unknown[] = [one, employeetype ?? null, most + 1, held];
    // An account has no CPF.
    const everything = employeetype === undefined ? `${PEOPLE} union all ${ACCOUNTS}` : PEOPLE;
    const all = managerial ? ACCOUNTS : everything;
    const text = `select * from (${all}) e(${COLUMNS}) where ${where ? entrySql(where, values) : 'true'} order by nome collate "pt_br", email limit $3`;
    const rows = await this.listing.reader.rows(text, values, {});
    if (rows.length > most) throw directoryTooLarge(most);
    // Sorting so many names in this process would delay other requests.
    return rows.map(entryOf);
  }

  async change(context: Context, account: DirectoryEntry, change: AccountChange): Promise<void> {
    const { idPessoa } = await context.session();
    await writing({ context }, async em => {
      const row = await em.findOneOrFail(ContaGerencial, Number(account.key));
      em.assign(row, { ...change, alteradoPor: idPessoa });
    });
  }

  async attach(
    context: Context,
    account: DirectoryEntry,
    person: DirectoryEntry,
    alongside?: Alongside,
  ): Promise<void> {
    const { idPessoa } = await context.session();
    const holder = { conta: Number(account.key), pessoa: Number(person.key) };
    await writing({ context }, async em => {
      await alongside?.(em);
      await em.insert(ResponsavelConta, { ...holder, criadoPor: idPessoa, alteradoPor: idPessoa });
    });
  }

  async handOver(
    context: Context,
    account: DirectoryEntry,
    { from, to }: { from: DirectoryEntry; to: DirectoryEntry },
    alongside: Alongside,
  ): Promise<void> {
    const { idPessoa } = await context.session();
    await writing({ context }, async em => {
      await alongside(em);
      const held = { conta: Number(account.key), pessoa: Number(from.key) };
      const holder = await em.findOne(ResponsavelConta, held, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!holder) throw new AppError('CONFLICT', { detail: messages.changedMeanwhile });
      em.assign(holder, { pessoa: Number(to.key), alteradoPor: idPessoa });
    });
  }

  async detach(
    context: Context,
    accounts: readonly DirectoryEntry[],
    person: DirectoryEntry | undefined,
    alongside: Alongside,
    locks: readonly Lock[],
  ): Promise<void> {
    const held = { conta: accounts.map(({ key }) => Number(key)), pessoa: Number(person?.key) };
    await writingAs({ context }, { locks }, async em => {
      await alongside(em);
      if (person) await em.nativeDelete(ResponsavelConta, held);
    });
  }

  /** Only people log in here, never accounts. */
  async usersOf(): Promise<string[]> {
    return [];
  }

  async isPasswordOf(account: DirectoryEntry, password: string): Promise<boolean> {
    const row = await this.orm.em.fork().findOne(ContaGerencial, Number(account.key));
    return verifyPassword(row?.senhaHash ?? undefined, password);
  }

  isThere(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
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
