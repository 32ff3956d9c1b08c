import type { EntityManager } from '@mikro-orm/postgresql';
import { endSessions } from '../access/sessions.ts';
import { transactionReader } from '../database/reader.ts';
import { requireAdministrator, takeTurn } from '../domain/administration.ts';
import { LABORATORIES_CONTROLLER } from '../domain/managers.ts';
import { ACCESS_CONTROLLER } from '../domain/people.ts';
import { recordLock } from '../domain/records.ts';
import { choices, type ValueOf } from '../entities/choices.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { notFound } from '../errors.ts';
import type { Context } from '../request/context.ts';
import type { Call } from '../request/call.ts';
import { DIRECTORY_CONTROLLER } from './accounts.ts';
import { endCodes, endCodesOf } from './codes.ts';
import { isAway, type DirectoryEntry, type Person, type ShownName } from './directory.ts';
import { actAs, actFor } from '../request/for-person.ts';

export const directoryAnswers = choices(
  'EntradaDiretorio',
  "What the directory answered about a person's entry",
  {
    ENCONTRADA: ['ENCONTRADA', 'It has the entry, and all accounts were taken away'],
    NAO_ENCONTRADA: ['NAO_ENCONTRADA', 'No single entry has the user name, so nothing was taken away there'],
    SEM_RESPOSTA: ['SEM_RESPOSTA', 'It did not answer, so the person may still hold accounts: send it again'],
  },
);

/** Everything that ended when a person left. */
export interface Dismissal {
  idPessoa: number;
  nome: string;
  /** Whether they had access until now. */
  acesso: boolean;
  /** How many sessions were live. */
  sessoes: number;
  perfis: { id: number; nome: string }[];
  laboratorios: { id: number; nome: string; sigla: string | null }[];
  contasGerenciais: ShownName[];
  entradaDiretorio: ValueOf<typeof directoryAnswers>;
}

type WithoutAccounts = Omit<Dismissal, 'contasGerenciais' | 'entradaDiretorio'>;

const PERSON = 'select usuario, email from pessoa where id = $1';

/**
 * Ends everything with which a person can act: access, sessions, profiles, terms as manager of laboratories, and
 * managerial accounts. What has already ended is skipped. On an LDAP server the accounts are taken away last. If it
 * does not answer, everything else still ends.
 * @throws NOT_FOUND; FORBIDDEN when the caller does not manage all of it; CONFLICT for the last administrator
 */
export async function dismiss(call: Call, idPessoa: number): Promise<Dismissal> {
  const { context } = call;
  const { directory, listing } = context.services;
  const [row] = await listing.reader.rows(PERSON, [idPessoa]);
  if (!row) throw notFound();
  await actAs(context, idPessoa, ACCESS_CONTROLLER);
  const [usuario, email] = row as [string, string];
  const { answer, key, accounts } = await heldBy(context, { id: idPessoa, usuario });
  if (accounts.length > 0) await actFor(context, idPessoa, DIRECTORY_CONTROLLER);
  let ended!: WithoutAccounts;
  const end = async (em: EntityManager): Promise<void> => {
    ended = await endAll(em, call, idPessoa);
    await endCodesOf(em, idPessoa);
    await endCodes(
      em,
      accounts.flatMap(({ addresses }) => addresses),
    );
  };
  const locks = [['record', 'administration'], recordLock(Pessoa, idPessoa)] as const;
  const person = key === null ? undefined : { key, email };
  const taken = await directory.detach(context, person, end, locks);
  const entradaDiretorio = taken.isComplete ? answer : 'SEM_RESPOSTA';
  return { ...ended, contasGerenciais: taken.accounts, entradaDiretorio };
}

interface Held {
  answer: Dismissal['entradaDiretorio'];
  /** Key of the person's entry. */
  key: string | null;
  accounts: readonly DirectoryEntry[];
}

/** The accounts that a person holds, as far as the directory answers. */
async function heldBy({ services }: Context, person: Person): Promise<Held> {
  const { directory, listing } = services;
  try {
    const key = await directory.keyOf(person);
    if (key === null) return { answer: 'NAO_ENCONTRADA', key, accounts: [] };
    const held = { managerial: true, holder: key };
    const { entries: accounts } = await directory.entries(held, { most: listing.limits.unpaginatedRows });
    return { answer: 'ENCONTRADA', key, accounts };
  } catch (error) {
    // In the service's own database nothing else would end either.
    if (!isAway(error) || !directory.ask) throw error;
    return { answer: 'SEM_RESPOSTA', key: null, accounts: [] };
  }
}

const LABORATORIES = `
select l.id, l.nome, l.sigla from responsavel_laboratorio r join local l on l.id = r.id_local
where r.id_pessoa = $1 and (r.data_fim is null or r.data_fim >= current_date)
order by l.nome collate "pt_br", l.id for update of r`;

/** A term that began before today ended yesterday, so that it is not in force today. */
const END_TERMS = `update responsavel_laboratorio
set data_fim = current_date - 1, alterado_em = now(), alterado_por = $2
where id_pessoa = $1 and data_inicio < current_date and (data_fim is null or data_fim >= current_date)`;
const DROP_TERMS = 'delete from responsavel_laboratorio where id_pessoa = $1 and data_inicio >= current_date';

const END_PROFILES = `
with ended as (
  update permissao set situacao = 'I', alterado_em = now(), alterado_por = $2
  where id_pessoa = $1 and situacao = 'A' returning id_perfil
)
select f.id, f.nome from ended join perfil f on f.id = ended.id_perfil order by f.nome collate "pt_br", f.id`;

const END_ACCESS = `update acesso_ambiente set situacao = 'I', alterado_em = now(), alterado_por = $2
where id_pessoa = $1 and situacao = 'A' returning id`;
const END_PERSON = `update pessoa set situacao = 'I', alterado_em = now(), alterado_por = $2
where id = $1 and situacao = 'A'`;
const NAME = 'select nome from pessoa where id = $1';

/**
 * Ends everything in the service's database. The caller's permissions are checked again, because they may have changed.
 */
async function endAll(
  em: EntityManager,
  { context, access }: Call,
  idPessoa: number,
): Promise<WithoutAccounts> {
  const reader = transactionReader(em);
  await takeTurn(em);
  await context.caller.authorizeAnew(access, em);
  await actAs(context, idPessoa, ACCESS_CONTROLLER, reader);
  const laboratorios = await reader.rows(LABORATORIES, [idPessoa]);
  if (laboratorios.length > 0) await actFor(context, idPessoa, LABORATORIES_CONTROLLER);
  const who = [idPessoa, (await context.session()).idPessoa];
  const [[nome]] = (await reader.rows(NAME, [idPessoa])) as [[string]];
  const perfis = await reader.rows(END_PROFILES, who);
  const entries = await reader.rows(END_ACCESS, who);
  await reader.rows(END_PERSON, who);
  // These two wait for a login in progress, whose session ends as well.
  const sessoes = await endSessions(em, idPessoa);
  await reader.rows(END_TERMS, who);
  await reader.rows(DROP_TERMS, [idPessoa]);
  await requireAdministrator(em);
  return {
    idPessoa,
    nome,
    acesso: entries.length > 0,
    sessoes,
    perfis: (perfis as [number, string][]).map(([id, name]) => ({ id, nome: name })),
    laboratorios: (laboratorios as [number, string, string | null][]).map(([id, name, sigla]) => ({
      id,
      nome: name,
      sigla,
    })),
  };
}
