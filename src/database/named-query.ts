import { Query } from 'pg';

type Parse = (text: string) => unknown;

/** How a connection runs the statements that it has prepared. */
interface Running {
  /** How to read the columns of each statement, by its name. */
  columns: Map<string, readonly Parse[]>;
  /** The same connection, except that it does not ask PostgreSQL to describe columns. */
  quiet: object;
  /** The same two, except that the transaction goes on: more statements follow. */
  followed: { asking: object; quiet: object };
}

const connections = new WeakMap<object, Running>();

function runningOf(connection: object): Running {
  let running = connections.get(connection);
  if (!running) {
    const but = (changed: object): object => Object.assign(Object.create(connection) as object, changed);
    const nothing = (): void => undefined;
    running = {
      columns: new Map(),
      quiet: but({ describe: nothing }),
      followed: { asking: but({ sync: nothing }), quiet: but({ describe: nothing, sync: nothing }) },
    };
    connections.set(connection, running);
  }
  return running;
}

/** Forgets the columns of a statement that the connection no longer has. */
export function forgetColumns(connection: object, name: string): void {
  connections.get(connection)?.columns.delete(name);
}

/** Members of a query that the driver does not declare. */
export interface DriverQuery {
  name: string;
  text: string;
  callback: ((error: Error | null, result?: unknown) => void) | undefined;
  /** The error of a value that could not be read. */
  _canceledDueToError: Error | false;
  prepare(connection: object): void;
  handleDataRow(message: object): void;
  handleCommandComplete(...message: unknown[]): void;
  /** Whether rows are collected. */
  _accumulateRows: boolean;
  _result: Result & {
    _types: { getTypeParser(type: number, format: 'text'): Parse };
    parseRow(row: (string | null)[]): unknown[];
  };
}

/** What the driver returns for a statement. */
export interface Result {
  rows: unknown[][];
}

const driver = Query.prototype as unknown as DriverQuery;

export interface Named {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Counts the length of each value. If it returns false, the value is dropped. */
  counts?: ((length: number) => boolean) | undefined;
  /** Runs code in the context of the request that asks. */
  within?: (<T>(run: () => T) => T) | undefined;
}

/**
 * A named statement whose rows are arrays. PostgreSQL describes its columns when a connection uses it for the first
 * time. The driver would ask again at each use, which costs both sides more than a row does. As long as a statement is
 * prepared, its columns stay the same: when a table has changed, PostgreSQL refuses the name.
 */
export class NamedQuery extends Query {
  #columns: Running['columns'] | undefined;
  #parsers: readonly Parse[] = [];

  constructor({ name, text, values, counts }: Named) {
    // The driver would copy an object property by property.
    super(text, values);
    this.#driven.name = name;
    this.#driven._accumulateRows = true;
    this.#driven._result.parseRow = row =>
      row.map((value, i) =>
        value === null || counts?.(value.length) === false ? null : this.#parsers[i]!(value),
      );
  }

  /** Called by the driver when the connection takes the statement. `isFollowed`: whether more follow in its transaction. */
  prepare(connection: object, isFollowed = false): void {
    const { columns, quiet, followed } = runningOf(connection);
    const parsers = columns.get(this.#driven.name);
    if (parsers) this.#parsers = parsers;
    this.#columns = columns;
    const [known, unknown] = isFollowed ? [followed.quiet, followed.asking] : [quiet, connection];
    driver.prepare.call(this, parsers ? known : unknown);
  }

  /** Called by the driver when PostgreSQL has described the columns. */
  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    const { name, _result } = this.#driven;
    this.#parsers = fields.map(({ dataTypeID }) => _result._types.getTypeParser(dataTypeID, 'text'));
    this.#columns?.set(name, this.#parsers);
  }

  /** Called by the driver when the statement has ended. PostgreSQL does not describe columns where there are none. */
  handleCommandComplete(...message: unknown[]): void {
    const { name } = this.#driven;
    driver.handleCommandComplete.apply(this, message);
    if (!this.#columns?.has(name)) this.#columns?.set(name, this.#parsers);
  }

  get #driven(): DriverQuery {
    return this as unknown as DriverQuery;
  }
}
