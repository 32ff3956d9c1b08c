import type { EntityManager } from '@mikro-orm/postgresql';
import { GRAPHQL_MAX_INT } from 'graphql';
import type { Level, Session } from './access.ts';
import { levelsOf, levelsOfMany, type Levels, type LevelsAtState } from './levels.ts';
import { digest } from './secrets.ts';
import { MARK_ALL, SEEN } from './session-reads.ts';
import { isSignedBy, VALID_SECONDS, type SignedPath } from './signature.ts';
import { PresumedSession, type RequestReader } from './presumed-session.ts';
import { LATEST_NOW } from '../database/moments.ts';
import { readAll, transactionReader, type Reader, type Statement } from '../database/reader.ts';
import { remember } from '../runtime/remember.ts';

/** SQL condition: whether session `s` has begun, and neither expired nor been ended. */
export const HOLDS = `s.encerrada_em is null and s.expira_em > now() and s.criado_em <= ${LATEST_NOW}`;

/** People who may no longer log in have no live session, even with a valid token or signature. */
const liveSession = (shown: string, seen = 'null'): string => `
select s.id, s.id_pessoa, s.id_sistema, e.estado, s.token_hash, ${seen} as visto
from estado_permissoes e, sessao s
join pessoa p on p.id = s.id_pessoa and p.situacao = 'A'
join sistema caller on caller.id = s.id_sistema and caller.situacao = 'A'
join acesso_ambiente a on a.id_pessoa = s.id_pessoa and a.situacao = 'A'
where ${shown} and ${HOLDS}`;

/** How many columns that has. */
const COLUMNS = 6;

const statements = (seen?: string) => ({
  byToken: liveSession('s.token_hash = $1', seen),
  bySignature: liveSession(
    `s.id = $1 and to_timestamp($2::float8) > now() and to_timestamp($2::float8 - ${VALID_SECONDS}) <= ${LATEST_NOW}`,
    seen,
  ),
  /** A select, whose row is followed by the session of the token in its last parameter; by nulls if there is none. */
  beside: ({ text, values }: Statement) =>
    `${text}, own.* from (select) one left join (${liveSession(`s.token_hash = $${values.length + 1}`, seen)}) own on true`,
});

const BY_IDS = liveSession('s.id = any($1::int[])');

/**
 * Finds live sessions. The session is read at each request. Its levels are cached per person and invalidated by every
 * change of permissions: each change gives the state of permissions a new name, which is read together with the
 * session. So every change takes effect at once in all processes.
 */
export class Sessions {
  readonly #levels = new Map<number, LevelsAtState>();
  readonly #seen = new Map<string, Session>();
  /** The position in the primary's log that each session has seen, by id of the session. Positions only grow. */
  readonly #positions = new Map<number, number>();
  readonly #reader: Reader;
  readonly #statements: ReturnType<typeof statements>;
  /** Statements that a session was read beside, with it. To look up a text that is composed each time takes longer. */
  readonly #beside = new Map<string, string>();

  readonly #withSeen: boolean;

  /** `withSeen`: whether to read with each session the position that it has seen. */
  constructor(reader: Reader, { withSeen }: { withSeen: boolean }) {
    this.#reader = reader;
    this.#withSeen = withSeen;
    this.#statements = statements(withSeen ? SEEN : undefined);
  }

  /** The position that a session has seen, as far as this process knows; undefined if unknown. */
  seenBy(id: number): number | undefined {
    return this.#positions.get(id);
  }

  sees(id: number, position: number): void {
    remember(this.#positions, id, Math.max(position, this.#positions.get(id) ?? 0));
  }

  /**
   * Stores that these sessions have seen the primary as it is now, before they are told of it. Only standbys need it. If it
   * fails, what they are told is true nevertheless, but their next read may be older.
   */
  async saw(ids: readonly number[]): Promise<void> {
    if (this.#withSeen && ids.length > 0) await this.#reader.rows(MARK_ALL, [ids]).catch(() => undefined);
  }

  /** The cached session of a token; undefined if it is not cached. `readerOf` returns the reader of the request. */
  presume(token: string, readerOf: (session: Session) => RequestReader): PresumedSession | undefined {
    const hash = digest(token);
    const seen = this.#seen.get(keyOf(hash));
    const statement = this.#statementOf(hash);
    return (
      seen &&
      new PresumedSession(seen, readerOf(seen), statement, {
        alone: () => this.find(token),
        ofRow: row => this.#ofToken(hash, row),
        beside: (select, at) => this.#readBeside(select, hash, at),
      })
    );
  }

  /** The live session of a token; null if there is none. */
  async find(token: string): Promise<Session | null> {
    const hash = digest(token);
    const [rows] = await readAll(this.#reader, [this.#statementOf(hash)]);
    return this.#ofToken(hash, rows![0]);
  }

  /** The live session that signed a path; null if there is none, or if the signature has expired. */
  async findSigner(signed: SignedPath): Promise<Session | null> {
    const { idSessao, expira } = signed;
    // The database would refuse a larger number.
    if (idSessao > GRAPHQL_MAX_INT) return null;
    const [row] = await this.#reader.rows(this.#statements.bySignature, [idSessao, expira]);
    return row && isSignedBy(signed, row[4] as Buffer) ? this.#session(row) : null;
  }

  /** The live ones of these sessions, with their current levels. It runs a second statement if levels changed. */
  async confirm(ids: readonly number[]): Promise<Map<number, Session>> {
    const rows = (await this.#reader.rows(BY_IDS, [ids])) as [number, number, number, string][];
    // What is cached may be forgotten while the other levels are read.
    const current = new Map<number, LevelsAtState>();
    const stale = new Set<number>();
    for (const [, idPessoa, , state] of rows) {
      const cached = this.#levels.get(idPessoa);
      if (cached?.state === state) current.set(idPessoa, cached);
      else stale.add(idPessoa);
    }
    if (stale.size > 0)
      for (const [idPessoa, levels] of await levelsOfMany(this.#reader, [...stale])) {
        current.set(idPessoa, levels);
        remember(this.#levels, idPessoa, levels);
      }
    return new Map(
      rows.map(([id, idPessoa, idSistema]) => {
        const { everywhere, levels } = current.get(idPessoa)!;
        return [id, { id, idPessoa, idSistema, everywhere, levels }];
      }),
    );
  }

  /** The live session of a token inside a transaction. */
  async findIn(em: EntityManager, token: string): Promise<Session | null> {
    const reader = transactionReader(em);
    const [row] = await reader.rows(this.#statements.byToken, [digest(token)]);
    return row ? this.#session(row, reader, false) : null;
  }

  #statementOf(hash: Buffer): Statement {
    return { text: this.#statements.byToken, values: [hash], isQuick: true };
  }

  /** The reader's transaction may have written already. So it cannot read levels. */
  async #readBeside(select: Statement, hash: Buffer, reader: Reader): Promise<Session | null | 'outdated'> {
    let text = this.#beside.get(select.text);
    if (!text) this.#beside.set(select.text, (text = this.#statements.beside(select)));
    const [row] = await reader.rows(text, [...select.values, hash]);
    const session = row!.slice(-COLUMNS) as [
      id: number | null,
      idPessoa: number,
      idSistema: number,
      state: string,
    ];
    const [id, idPessoa, , state] = session;
    if (id !== null && this.#levels.get(idPessoa)?.state !== state) return 'outdated';
    return this.#ofToken(hash, id === null ? undefined : session);
  }

  async #ofToken(hash: Buffer, row: readonly unknown[] | undefined): Promise<Session | null> {
    const session = row ? await this.#session(row) : null;
    if (session) remember(this.#seen, keyOf(hash), session);
    else this.#seen.delete(keyOf(hash));
    return session;
  }

  /** Levels of a transaction that may have changed them are not cached, because it may be rolled back. */
  async #session(row: readonly unknown[], reader = this.#reader, isCached = true): Promise<Session> {
    const [id, idPessoa, idSistema, state, , seen] = row as [
      number,
      number,
      number,
      string,
      Buffer,
      number | null,
    ];
    if (seen != null) this.sees(id, seen);
    let known = this.#levels.get(idPessoa);
    if (known?.state !== state) {
      known = await levelsOf(reader, idPessoa);
      if (isCached) remember(this.#levels, idPessoa, known);
    }
    return { id, idPessoa, idSistema, everywhere: known.everywhere, levels: known.levels };
  }
}

const keyOf = (hash: Buffer): string => hash.toString('base64');

/** Whether a person has this level on this controller. */
export function mayAct(person: Levels, controller: string, level: Level): boolean {
  return Math.max(person.everywhere, person.levels[controller] ?? 0) >= level;
}
