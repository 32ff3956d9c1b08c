import { GRAPHQL_MAX_INT } from 'graphql';
import type { Reader } from '../database/reader.ts';
import { digest } from './secrets.ts';
import type { SignedPath } from './signature.ts';

const callingSystem = (shown: string): string => `
select s.id, k.id, coalesce(k.ultimo_uso < now() - interval '1 minute', true), s.limite_falhas
from sistema s join chave_api k on k.id_sistema = s.id
where ${shown} and s.situacao = 'A'
  and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())`;

const BY_KEY = callingSystem('s.sigla = $1 and k.hash = $2');
const BY_KEY_ID = callingSystem('k.id = $1');

/** Skips a locked row, so that requests with the same key never wait for each other. */
const USED = `update chave_api set ultimo_uso = now()
where id = (select id from chave_api where id = $1 for no key update skip locked)`;

/** A system that sent a valid key. */
export interface CallingSystem {
  id: number;
  idChave: number;
  /** Limit of failed logins of all its users together, if the system has its own limit. */
  limiteFalhas: number | null;
}

/** The system with these credentials; null if there is none. Its last use is recorded at most once a minute. */
export async function findSystem(
  reader: Reader,
  sigla: string,
  apiKey: string,
): Promise<CallingSystem | null> {
  return systemOf(reader, await reader.rows(BY_KEY, [sigla, digest(apiKey)]));
}

/** The system whose key was sent when a path was signed; null if the key is no longer valid. */
export async function findSigningSystem(
  reader: Reader,
  { idChave }: SignedPath,
): Promise<CallingSystem | null> {
  return idChave > 0 && idChave <= GRAPHQL_MAX_INT
    ? systemOf(reader, await reader.rows(BY_KEY_ID, [idChave]))
    : null;
}

async function systemOf(reader: Reader, [row]: readonly unknown[][]): Promise<CallingSystem | null> {
  if (!row) return null;
  const [id, idChave, shouldRecordUse, limiteFalhas] = row as [number, number, boolean, number | null];
  if (shouldRecordUse) await reader.rows(USED, [idChave]);
  return { id, idChave, limiteFalhas };
}
