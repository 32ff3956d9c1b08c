import { Client, type ClientConfig } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { timed } from '../runtime/trace.ts';
import { isLost, UnknownOutcome } from './errors.ts';

/** Names are kept by every connection for its whole life, so only so many statements get one; the others are parsed each time. */
const MAX_NAMED = 1000;
const PREFIX = 'plan_';
const names = new Map<string, string>();
let named = 0;

/** The name under which connections keep this statement prepared, if it still gets one. Texts must be few and fixed. */
export function statementName(text: string): string | undefined {
  let name = names.get(text);
  if (!name && names.size < MAX_NAMED) names.set(text, (name = `${PREFIX}${named++}`));
  return name;
}

/** Number of the first name that is still in use. */
let first = 0;

/** Whether a prepared statement failed because a migration has changed the type of a column that it answers. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Gives names anew after a statement was outdated: its connection would refuse that name for ever. All of them, since a
 * transaction may hold several such statements; but once, though every connection fails under its old name.
 */
export function renewStatements(outdated: string): void {
  if (Number(outdated.slice(PREFIX.length)) < first) return;
  names.clear();
  first = named;
}

/** Gives names anew, when the connections that know the old ones are gone. No name is given twice. */
export const forgetStatements = (): void => names.clear();

/**
 * Runs a statement that has a name as a prepared one, also where a library hands on nothing but its text; its rows are
 * arrays.
 *
 * A connection whose `begin` or `rollback` fails is closed, and the failure passed over: what follows on it fails, and
 * the transaction is gone with it. Kysely would never give such a connection back, and so use up the pool.
 *
 * A connection that is lost, or silent for too long, is closed at once: a `rollback` would wait as long again. If that
 * befalls a `commit`, nobody knows what became of it.
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
