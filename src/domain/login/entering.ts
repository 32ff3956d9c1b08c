import { ACTIVE_PROFILES, profileOf, type ActiveProfile, type ProfileRow } from '../../access/profiles.ts';
import { countedAsRight, type Attempt } from '../../access/throttle.ts';
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

/**
 * SQL that opens a session for person $1 if the person may still log in and the verified password ($2) is still
 * current, and then counts the attempt as right. It locks the person's rows: a concurrent change of password or access
 * waits, and then also ends this session. Start and expiry use the database's clock, because sessions are checked by
 * that clock.
 */
const opened = (from: string, isStill: string): string => `
with entering as (
  select a.id_pessoa as id from ${from} join pessoa p on p.id = a.id_pessoa
  where a.id_pessoa = $1 and ${isStill} and p.situacao = 'A' and a.situacao = 'A' for share
)
insert into sessao (
  id_pessoa, id_sistema, token_hash, versao_aplicacao, endereco, expira_em, criado_por, alterado_por
)
select id, $3, $4, $5, $6, now() + make_interval(hours => $7), id, id from entering
returning expira_em as c0, (select sigla from sistema where id = $3) as c1,
  (select json_agg(json_build_array(c0, c1, c2, c3, c4)) from (${ACTIVE_PROFILES}) profile) as c2,
  ${countedAsRight(8, 9)} as c3`;

const OPENED_BY = {
  service: opened('credencial c join acesso_ambiente a on a.id_pessoa = c.id_pessoa', 'c.senha_hash = $2'),
  directory: opened('acesso_ambiente a', 'p.senha_alterada_em is not distinct from $2'),
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
}

/** What a login tells of its session. */
interface OpenedSession {
  expiraEm: Date;
  /** Acronym of its system. */
  sigla: string;
  /** Effective profiles of the person, ordered by name. */
  perfis: ActiveProfile[];
}

/** Opens a session; undefined when the person may no longer log in. */
export async function openSession(
  reader: Reader,
  { id, senhaHash, senhaAlteradaEm }: Candidate,
  { idSistema, tokenHash, versaoAplicacao, endereco, hours, right }: NewSession,
): Promise<OpenedSession | undefined> {
  const [statement, password] =
    senhaHash === null ? [OPENED_BY.directory, senhaAlteradaEm] : [OPENED_BY.service, senhaHash];
  const values = [id, password, idSistema, tokenHash, versaoAplicacao, endereco, hours, ...right];
  const [row] = (await reader.rows(statement, values)) as [string, string, ProfileRow[] | null][];
  return row && { expiraEm: new Date(row[0]), sigla: row[1], perfis: (row[2] ?? []).map(profileOf) };
}
