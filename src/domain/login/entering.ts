import { activeProfilesOf, profileOf, type ActiveProfile, type ProfileRow } from '../../access/profiles.ts';
import { countedAsRight, type Attempt } from '../../access/throttle.ts';
import { AUTHOR } from '../../request/writing.ts';
import type { Reader, Statement } from '../../database/reader.ts';

/** A person who tries to log in, as read before the password is verified. */
export interface Candidate {
  id: number;
  nome: string;
  email: string;
  /** Hash of the password if this service stores it; null if the directory does. */
  senhaHash: string | null;
  /** When this service last changed the person's password in the directory, as PostgreSQL's text. */
  senhaAlteradaEm: string | null;
  mayEnter: boolean;
}

const CANDIDATE = `
select p.id as c0, p.nome as c1, p.email as c2, c.senha_hash as c3, p.senha_alterada_em as c4, p.situacao = 'A'
  and exists (select from acesso_ambiente a where a.id_pessoa = p.id and a.situacao = 'A') as c5
from pessoa p left join credencial c on c.id_pessoa = p.id
where p.usuario = $1`;

/** The statement that reads the person with a user name. `candidateOf` converts its rows. */
export const candidateOfUser = (user: string): Statement => ({ text: CANDIDATE, values: [user] });

/** The person that was read; undefined if nobody has the user name. */
export function candidateOf([row]: unknown[][]): Candidate | undefined {
  if (!row) return undefined;
  const [id, nome, email, senhaHash, senhaAlteradaEm, mayEnter] = row as [
    number,
    string,
    string,
    string | null,
    string | null,
    boolean,
  ];
  return { id, nome, email, senhaHash, senhaAlteradaEm, mayEnter };
}

const NAMED = 'select id from pessoa where usuario = any($1)';

/** Ids of the people with one of these user names. */
export async function findPeople(reader: Reader, users: readonly string[]): Promise<number[]> {
  if (users.length === 0) return [];
  const rows = await reader.rows(NAMED, [users.map(user => user.toLowerCase())]);
  return rows.flat() as number[];
}

/** Also ends the session of token $14, if it is the same person's. */
const REPLACED = `, replaced as (
  update sessao s set encerrada_em = now() from entering
  where s.token_hash = $14 and s.id_pessoa = entering.id and s.encerrada_em is null
)`;

/**
 * SQL that opens a session for person $5 if the person may still log in and the verified password ($6) is still
 * current, and then counts the attempt as right. It locks the person's rows: a concurrent change of password or access
 * waits, and then also ends this session. If they are locked already, it fails at once, so that it keeps no connection
 * from other logins while a long import changes people. Start and expiry use the database's clock, because sessions are
 * checked by that clock.
 */
const opened = (from: string, isStill: string, also = ''): string => `
with entering as (
  select a.id_pessoa as id from ${AUTHOR}, ${from} join pessoa p on p.id = a.id_pessoa
  where a.id_pessoa = $5 and ${isStill} and p.situacao = 'A' and a.situacao = 'A' for share nowait
)${also}
insert into sessao (
  id_pessoa, id_sistema, token_hash, versao_aplicacao, endereco, expira_em, criado_por, alterado_por
)
select id, $7, $8, $9, $10, now() + make_interval(hours => $11), id, id from entering
returning expira_em as c0, (select sigla from sistema where id = $7) as c1,
  (select json_agg(json_build_array(c0, c1, c2, c3, c4)) from (${activeProfilesOf(5)}) profile) as c2,
  ${countedAsRight(12, 13)} as c3`;

const BY_SERVICE = [
  'credencial c join acesso_ambiente a on a.id_pessoa = c.id_pessoa',
  'c.senha_hash = $6',
] as const;
const BY_DIRECTORY = ['acesso_ambiente a', 'p.senha_alterada_em is not distinct from $6'] as const;

/** By where the password is stored, and whether the login replaces a session. */
const OPENED = {
  service: { new: opened(...BY_SERVICE), replacing: opened(...BY_SERVICE, REPLACED) },
  directory: { new: opened(...BY_DIRECTORY), replacing: opened(...BY_DIRECTORY, REPLACED) },
};

/** The columns of a new session. */
interface NewSession {
  idSistema: number;
  tokenHash: Buffer;
  versaoAplicacao: string | null;
  endereco: string;
  hours: number;
  /** The attempt to log in, which is counted as right. */
  right: Attempt['right'];
  /** Hash of the token whose session ends, if it is the same person's. */
  replaced: Buffer | undefined;
}

/** The statement of `writingAlone` that opens a session. `openedOf` converts its rows. */
export function openSession(
  { id, senhaHash, senhaAlteradaEm }: Candidate,
  { idSistema, tokenHash, versaoAplicacao, endereco, hours, right, replaced }: NewSession,
): Statement {
  const statements = senhaHash === null ? OPENED.directory : OPENED.service;
  const password = senhaHash ?? senhaAlteradaEm;
  const values = [id, password, idSistema, tokenHash, versaoAplicacao, endereco, hours, ...right];
  return replaced
    ? { text: statements.replacing, values: [...values, replaced] }
    : { text: statements.new, values };
}

/** What a login tells of its session. */
interface OpenedSession {
  expiraEm: Date;
  /** Acronym of its system. */
  sigla: string;
  /** Effective profiles of the person, ordered by name. */
  perfis: ActiveProfile[];
}

/** The session that was opened; undefined if the person may no longer log in. */
export function openedOf([row]: unknown[][]): OpenedSession | undefined {
  if (!row) return undefined;
  const [expires, sigla, profiles] = row as [string, string, ProfileRow[] | null];
  return { expiraEm: new Date(expires), sigla, perfis: (profiles ?? []).map(profileOf) };
}
