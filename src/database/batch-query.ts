import { Query } from 'pg';
import { NamedQuery, type DriverQuery, type Named, type Result } from './named-query.ts';
import { knownName } from './statement-names.ts';

/** A statement that is parsed anew each time. Its rows are objects. */
export interface Unnamed {
  name?: undefined;
  text: string;
  values: readonly unknown[];
}

/** The beginning of a transaction. It returns nothing, so its name is never outdated. */
export const BEGIN: Named = { name: 'begin', text: 'begin', values: [] };

/** What ends a transaction. */
export const ENDS: ReadonlySet<unknown> = new Set(['commit', 'rollback']);

/**
 * What a library sends in a transaction, in the form of a batch; undefined if a batch cannot take it, because it ends the
 * transaction, or may be several statements in one text.
 */
export function joining(statement: unknown, [values]: unknown[]): Named | Unnamed | undefined {
  if (typeof statement !== 'string' || ENDS.has(statement)) return undefined;
  const name = knownName(statement);
  const sent = { text: statement, values: (values ?? []) as readonly unknown[] };
  if (name !== undefined) return { ...sent, name };
  return statement.includes(';') ? undefined : sent;
}

/** The driver's form of a statement. */
interface Part extends DriverQuery {
  prepare(connection: object, isFollowed?: boolean): void;
  handleRowDescription(message: object): void;
}

/**
 * Several statements in one trip, of which only the last one may be without a name. For the driver they are one statement. As
 * several they would have a transaction each, and PostgreSQL would answer each separately.
 */
export class BatchQuery extends Query {
  readonly #all: readonly Part[];
  #running = 0;

  /** `ended` is called with the index and the result of each statement that has ended. */
  constructor(
    statements: readonly [...Named[], Named | Unnamed],
    private readonly ended: (index: number, result: Result) => void,
  ) {
    super(statements[0].text);
    this.#all = statements.map(
      one =>
        (one.name === undefined
          ? new Query(one.text, [...one.values])
          : new NamedQuery(one)) as unknown as Part,
    );
    this.#show();
  }

  /** How many have ended, which is the index of the one that runs. */
  get running(): number {
    return this.#running;
  }

  /** Called by the driver when the connection takes the statements. */
  prepare(connection: object): void {
    const { _types } = this.#driven._result;
    for (const [i, one] of this.#all.entries()) {
      one._result._types = _types;
      one.callback = error => this.#driven.callback?.(error);
      one.prepare(connection, i < this.#all.length - 1);
    }
  }

  handleRowDescription(message: object): void {
    this.#all[this.#running]!.handleRowDescription(message);
  }

  handleDataRow(message: object): void {
    this.#all[this.#running]!.handleDataRow(message);
  }

  handleCommandComplete(...message: unknown[]): void {
    const one = this.#all[this.#running]!;
    one.handleCommandComplete(...message);
    this.ended(this.#running++, one._result);
    this.#show();
  }

  /** PostgreSQL has not looked at the statements after the one that failed. */
  handleError(error: Error, connection: object): void {
    const { submittedNamedStatements } = connection as { submittedNamedStatements: Record<string, string> };
    for (const { name } of this.#all.slice(this.#running)) delete submittedNamedStatements[name];
    this.#driven.callback?.(error);
  }

  /** The results of all statements. */
  handleReadyForQuery(): void {
    const broken = this.#all.find(one => one._canceledDueToError)?._canceledDueToError;
    if (broken) this.#driven.callback?.(broken);
    else
      this.#driven.callback?.(
        null,
        this.#all.map(({ _result }) => _result),
      );
  }

  /** The driver looks at the name and the text when a statement was prepared. */
  #show(): void {
    const { name, text } = this.#all[this.#running] ?? this.#all.at(-1)!;
    Object.assign(this, { name, text });
  }

  get #driven(): DriverQuery {
    return this as unknown as DriverQuery;
  }
}
