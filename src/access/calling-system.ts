import { isDeepStrictEqual } from 'node:util';
import { GRAPHQL_MAX_INT } from 'graphql';
import { LATEST_NOW } from '../database/moments.ts';
import type { Reader, Statement } from '../database/reader.ts';
import { remember } from '../runtime/remember.ts';
import type { SignedPath } from './signature.ts';

/** SQL condition: whether people can log in through the system `s` with its key `k`. */
export const OPENS = `s.situacao = 'A' and k.revogada_em is null and (k.expira_em is null or k.expira_em > now())`;

const callingSystem = (shown: string): string => `
select s.id, k.id, coalesce(k.ultimo_uso not between now() - interval '1 minute' and ${LATEST_NOW}, true)
  and current_setting('transaction_read_only') = 'off', s.limite_falhas
from sistema s join chave_api k on k.id_sistema = s.id
where ${shown} and ${OPENS}`;

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

/** What a system sends to be known. */
export interface SystemCredentials {
  sigla: string;
  /** Digest of its API key. */
  hash: Buffer;
}

/** Finds calling systems by their keys. A writable database gets the last use of a key, at most once a minute. */
export class CallingSystems {
  readonly #seen = new Map<string, CallingSystem>();

  constructor(private readonly reader: Reader) {}

  /** The system with these credentials; null if there is none. */
  async find(sent: SystemCredentials): Promise<CallingSystem | null> {
    const { text, values } = statementOf(sent);
    return this.found(sent, await this.reader.rows(text, values));
  }

  /** The system that these credentials had when they were last read; undefined if they are not cached. */
  presume(sent: SystemCredentials): PresumedSystem | undefined {
    const seen = this.#seen.get(keyOf(sent));
    return seen && new PresumedSystem(seen, this, sent);
  }

  /** The system of the rows that `statementOf` the credentials has read. */
  async found(sent: SystemCredentials, rows: readonly unknown[][]): Promise<CallingSystem | null> {
    const system = await this.#systemOf(rows);
    if (system) remember(this.#seen, keyOf(sent), system);
    else this.#seen.delete(keyOf(sent));
    return system;
  }

  /** The system whose key was sent when a path was signed; null if the key is no longer valid. */
  async findSigner({ idChave }: SignedPath): Promise<CallingSystem | null> {
    return idChave > 0 && idChave <= GRAPHQL_MAX_INT
      ? this.#systemOf(await this.reader.rows(BY_KEY_ID, [idChave]))
      : null;
  }

  async #systemOf([row]: readonly unknown[][]): Promise<CallingSystem | null> {
    if (!row) return null;
    const [id, idChave, shouldRecordUse, limiteFalhas] = row as [number, number, boolean, number | null];
    if (shouldRecordUse) await this.reader.rows(USED, [idChave]);
    return { id, idChave, limiteFalhas };
  }
}

const statementOf = ({ sigla, hash }: SystemCredentials): Statement => ({
  text: BY_KEY,
  values: [sigla, hash],
});

const keyOf = ({ sigla, hash }: SystemCredentials): string => `${hash.toString('base64')} ${sigla}`;

/**
 * A cached calling system. A request begins with it, and reads it again in one trip with its own first statement. Nothing
 * may be answered or committed for it before `confirm`.
 */
export class PresumedSystem {
  #current: Promise<CallingSystem | null> | undefined;

  constructor(
    readonly system: CallingSystem,
    private readonly systems: CallingSystems,
    private readonly sent: SystemCredentials,
  ) {}

  /** Reads the system. `confirm` takes its rows. */
  get statement(): Statement {
    return statementOf(this.sent);
  }

  /** @throws Error when another system was read, or none. Then the request runs again with `current`. */
  confirm = async (rows: readonly unknown[][]): Promise<void> => {
    this.#current = this.systems.found(this.sent, rows);
    if (!(await this.isCurrent())) throw new Error('the calling system has changed');
  };

  /** The system in the database; null if there is none. */
  get current(): Promise<CallingSystem | null> {
    return (this.#current ??= this.systems.find(this.sent));
  }

  /** Whether the cached system is still the same as in the database. */
  async isCurrent(): Promise<boolean> {
    return isDeepStrictEqual(await this.current, this.system);
  }
}
