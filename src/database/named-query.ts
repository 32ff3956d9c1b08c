import { Query } from 'pg';

type Parse = (text: string) => unknown;

/** How a connection runs the statements that it has prepared. */
interface Running {
  /** How to read the columns of each statement, by its name. */
  columns: Map<string, readonly Parse[]>;
  /** The same connection, except that it does not ask PostgreSQL to describe columns. */
  quiet: object;
}

const connections = new WeakMap<object, Running>();

function runningOf(connection: object): Running {
  let running = connections.get(connection);
  if (!running) {
    const quiet = Object.assign(Object.create(connection) as object, { describe: () => undefined });
    connections.set(connection, (running = { columns: new Map(), quiet }));
  }
  return running;
}

/** Forgets the columns of a statement that the connection no longer has. */
export function forgetColumns(connection: object, name: string): void {
  connections.get(connection)?.columns.delete(name);
}

/** Members of a query that the driver does not declare. */
interface DriverQuery {
  name: string;
  prepare(connection: object): void;
  /** Whether rows are collected. */
  _accumulateRows: boolean;
  _result: {
    _types: { getTypeParser(type: number, format: 'text'): Parse };
    parseRow(row: (string | null)[]): unknown[];
  };
}

const driver = Query.prototype as unknown as DriverQuery;

export interface Named {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Counts the length of each value. If it returns false, the value is dropped. */
  counts?: ((length: number) => boolean) | undefined;
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

  /** Called by the driver when the connection takes the statement. */
  prepare(connection: object): void {
    const { columns, quiet } = runningOf(connection);
    const parsers = columns.get(this.#driven.name);
    if (parsers) this.#parsers = parsers;
    this.#columns = columns;
    driver.prepare.call(this, parsers ? quiet : connection);
  }

  /** Called by the driver when PostgreSQL has described the columns. */
  handleRowDescription({ fields }: { fields: readonly { dataTypeID: number }[] }): void {
    const { name, _result } = this.#driven;
    this.#parsers = fields.map(({ dataTypeID }) => _result._types.getTypeParser(dataTypeID, 'text'));
    this.#columns?.set(name, this.#parsers);
  }

  get #driven(): DriverQuery {
    return this as unknown as DriverQuery;
  }
}
