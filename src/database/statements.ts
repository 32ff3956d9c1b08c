import { Client, type ClientConfig } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { timed } from '../runtime/trace.ts';
import { isLost, UnknownOutcome } from './errors.ts';

/**
 * Limit of named statements, because each connection keeps them until it is closed. Further statements are parsed at
 * each use.
 */
const MAX_NAMED = 1000;
const PREFIX = 'plan_';
const names = new Map<string, string>();
let named = 0;

/**
 * The name under which connections prepare this statement; undefined when the limit is reached. Texts must be few and
 * fixed.
 */
export function statementName(text: string): string | undefined {
  let name = names.get(text);
  if (!name && names.size < MAX_NAMED) names.set(text, (name = `${PREFIX}${named++}`));
  return name;
}

/** Number of the first name that is still valid. */
let first = 0;

/** Whether a prepared statement failed because a migration changed the type of a result column. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Gives all statements new names after one became outdated, because a connection rejects the old name for ever. A
 * transaction may use several such statements, so all names change; they change once, although every connection
 * reports its old name.
 */
export function renewStatements(outdated: string): void {
  if (Number(outdated.slice(PREFIX.length)) < first) return;
  names.clear();
  first = named;
}

/** Starts new names after all connections were closed. No name is used twice. */
export const forgetStatements = (): void => names.clear();

/**
 * Runs named statements as prepared ones, also when a library passes only the text. Their rows are arrays.
 *
 * A connection whose `begin` or `rollback` fails is closed, and that error is ignored: the next statement fails, and
 * the transaction is gone. Otherwise Kysely would not return the connection, and the pool would run out.
 *
 * A connection that is lost or silent for too long is closed at once, because a `rollback` would wait as long again.
 * If this happens during a `commit`, its outcome is unknown.
 */
export class PreparingClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const named = (statement: unknown, ...rest: unknown[]): unknown => {
      const name = typeof statement === 'string' ? names.get(statement) : undefined;
      const sent = query(name ? { name, text: statement, rowMode: 'array' } : statement, ...rest);
      if (!(sent instanceof Promise)) return sent;
      const result = timed(sent);
      if (statement === 'begin' || statement === 'rollback') return this.#orClose(result);
      return result.catch(error => this.#fail(statement, error, name));
    };
    this.query = named as Client['query'];
  }

  async #orClose(result: Promise<unknown>): Promise<unknown> {
    try {
      return await result;
    } catch {
      this.#close();
      return { rows: [] };
    }
  }

  #fail(statement: unknown, error: unknown, name: string | undefined): never {
    if (name && isOutdated(error)) renewStatements(name);
    if (!isLost(error)) throw error;
    this.#close();
    throw statement === 'commit' ? UnknownOutcome.of(error) : error;
  }

  #close(): void {
    inBackground(this.end(), ignored);
  }
}
