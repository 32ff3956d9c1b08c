import type { EntityManager } from '@mikro-orm/postgresql';
import type { Level } from './access.ts';
import { SERVICE } from '../entities/permissoes/sistema.ts';
import { HELD } from './granted.ts';
import { digest } from './secrets.ts';
import { transactionReader, type Reader } from '../database/reader.ts';

/** The caller: a live session, with the person's permissions. */
export interface Session {
  id: number;
  idPessoa: number;
  idSistema: number;
  /** Level that applies to every controller of this service; 0 for none. */
  everywhere: number;
  /** Level on each single controller. */
  levels: Readonly<Record<string, number>>;
}

/** Whoever may not enter any more has no live session, whatever token is shown. */
const LIVE_SESSION = `
select s.id, s.id_pessoa, s.id_sistema, e.estado
from estado_permissoes e, sessao s
join pessoa p on p.id = s.id_pessoa and p.situacao = 'A'
join sistema caller on caller.id = s.id_sistema and caller.situacao = 'A'
join acesso_ambiente a on a.id_pessoa = s.id_pessoa and a.situacao = 'A'
where s.token_hash = $1 and s.encerrada_em is null and s.expira_em > now()`;

const LEVELS = `
select e.estado, coalesce(max(nivel) filter (where controller is null), 0),
  coalesce(jsonb_object_agg(controller, nivel) filter (where controller is not null), '{}')
from estado_permissoes e
left join (
  select controller, max(nivel) as nivel from ${HELD} item
  where item.id_pessoa = $1 and sistema = $2
  group by controller
) each_controller on true
group by e.estado`;

/** A person's levels, and the state of all permissions from which they were computed. */
type Levels = Pick<Session, 'everywhere' | 'levels'> & { state: string };

/**
 * Finds live sessions. The session is read at each request. Its levels are cached per person, and computed again when
 * any permission has changed: each change gives the state of permissions a new name, which is read with the session.
 * So every change takes effect at once in all processes.
 */
export class Sessions {
  readonly #levels = new Map<number, Levels>();
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The live session of a token; null if there is none. */
  async find(token: string): Promise<Session | null> {
    return this.#find(this.#reader, token, (idPessoa, levels) => {
      if (this.#levels.size >= CACHED_PEOPLE) this.#levels.delete(this.#levels.keys().next().value!);
      this.#levels.set(idPessoa, levels);
    });
  }

  /** The same inside a transaction. Its own changes may be rolled back, so nothing computed there is cached. */
  async findIn(em: EntityManager, token: string): Promise<Session | null> {
    return this.#find(transactionReader(em), token);
  }

  async #find(
    reader: Reader,
    token: string,
    keep?: (idPessoa: number, levels: Levels) => void,
  ): Promise<Session | null> {
    const [row] = await reader.rows(LIVE_SESSION, [digest(token)]);
    if (!row) return null;
    const [id, idPessoa, idSistema, state] = row as [number, number, number, string];
    let cached = this.#levels.get(idPessoa);
    if (cached?.state !== state) {
      cached = await levelsOf(reader, idPessoa);
      keep?.(idPessoa, cached);
    }
    return { id, idPessoa, idSistema, everywhere: cached.everywhere, levels: cached.levels };
  }
}

/** People whose levels one process remembers. Levels of a person take about 2 KB. */
const CACHED_PEOPLE = 5_000;

async function levelsOf(reader: Reader, idPessoa: number): Promise<Levels> {
  const [row] = await reader.rows(LEVELS, [idPessoa, SERVICE]);
  const [state, everywhere, levels] = row as [string, number, Record<string, number>];
  return { state, everywhere, levels };
}

/** Whether the session's person has this level on this controller. */
export function mayAct(session: Session, controller: string, level: Level): boolean {
  return Math.max(session.everywhere, session.levels[controller] ?? 0) >= level;
}

const CALLING_SYSTEM = `
select s.id, k.id, coalesce(k.ultimo_uso < now() - interval '1 minute', true), s.limite_falhas
from sistema s join chave_api k on k.id_sistema = s.id
where s.sigla = $1 and s.situacao = 'A' and k.hash = $2
  and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())`;

/** Skips a locked row, so that a lock on the key never delays the requests that use it. */
const USED = `update chave_api set ultimo_uso = now()
where id = (select id from chave_api where id = $1 for no key update skip locked)`;

/** A system that sent a valid key. */
export interface CallingSystem {
  id: number;
  /** Allowed failed logins of all its users together, if the system has its own limit. */
  limiteFalhas: number | null;
}

/** The system with these credentials; null if there is none. Its last use is recorded at most once a minute. */
export async function findSystem(
  reader: Reader,
  sigla: string,
  apiKey: string,
): Promise<CallingSystem | null> {
  const [row] = await reader.rows(CALLING_SYSTEM, [sigla, digest(apiKey)]);
  if (!row) return null;
  const [id, idChave, shouldRecordUse, limiteFalhas] = row as [number, number, boolean, number | null];
  if (shouldRecordUse) await reader.rows(USED, [idChave]);
  return { id, limiteFalhas };
}
