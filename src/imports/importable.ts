import type { EntityManager } from '@mikro-orm/postgresql';
import type { Registro } from '../entities/registro.ts';
import type { Text } from '../messages.ts';
import type { Format } from './formats.ts';

type Property<T> = Exclude<keyof T, keyof Registro> & string;

/**
 * Records that an import must not write as rows of their table. Rows without a record yet are passed to `write`.
 * Existing records are not changed.
 */
export interface EnteredRecords {
  /** SQL of a table with the existing records: their `id`, and the columns that a file may have. */
  known: string;
  /** Writes records. `rows` have the values of the file's possible columns, by column name. */
  write: (em: EntityManager, rows: readonly Record<string, unknown>[], idPessoa: number) => Promise<unknown>;
}

/** A rule for rows, in addition to the rules of the entity. */
export interface Rule {
  /** Columns of the table that the rule needs. It is not checked for a file without one of them. */
  columns: readonly string[];
  expected: Text;
  /** SQL condition on a row `s` that breaks the rule, with the record `t` that it would change, if there is one. */
  broken: string;
  /** Runs before the rule is checked, for example to take a lock. */
  first?: (em: EntityManager) => Promise<void>;
  /**
   * Whether rows that are refused can make it broken for others. It is then checked until no more are found. It must pass over
   * rows that are refused (`recusada`).
   */
  again?: boolean;
}

/** A column of a file that is not a column of the table. Rules and `settle` read it by its header. */
interface Beside {
  format: Format;
  /** SQL condition: whether the column changes something, on a row `s` with its record `t`, if there is one. */
  changes: string;
}

interface Options<T> {
  /** Controllers. People with level 3 on each of them may import these records with `importar`. */
  managedBy: readonly string[];
  /**
   * The properties that identify a record: a row with the same values changes the record, any other row creates one.
   */
  key: readonly Property<T>[];
  /**
   * Possible columns of a file: properties, and links by the identifying property of their record (`lotacao.sigla`,
   * with header `lotacao_sigla`). For a to-many link (`docentes.pessoa.usuario`, with header `docentes`) one cell
   * lists all linked records and replaces the existing ones. Nothing else can be imported.
   */
  columns: readonly (Property<T> | `${Property<T>}.${string}`)[];
  /** Formats of columns that need more than the rules of the entity. */
  formats?: Readonly<Record<string, Format>>;
  /** Headers of properties whose header is not the column name. */
  headers?: Readonly<Record<string, string>>;
  /** Columns of the key that may be empty, or missing in the file. */
  mayBeEmpty?: readonly string[];
  /** By header. A file may omit them, and their cells may be empty. */
  beside?: Readonly<Record<string, Beside>>;
  rules?: readonly Rule[];
  /** For records that are not written as rows of their table. The import then requires an author. */
  entered?: EnteredRecords;
  /** Whether the directory in the database consists of these records. With an LDAP server nobody would see them. */
  ofDirectory?: boolean;
  /** SQL that runs before the rows of the table `linha_lida` are written. */
  prepare?: string;
  /** SQL that runs after the rows of the table `linha_lida` were written, to update dependent data. */
  settle?: string;
}

/** A kind of record that `npm run import` and `importar` can import. Everything else about it is declared in its entity. */
export class Importable<T extends Registro = Registro> {
  readonly managedBy: readonly string[];
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly formats: Readonly<Record<string, Format>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly mayBeEmpty: readonly string[];
  readonly beside: Readonly<Record<string, Beside>>;
  readonly rules: readonly Rule[];
  readonly entered: EnteredRecords | undefined;
  readonly ofDirectory: boolean;
  readonly prepare: string | undefined;
  readonly settle: string | undefined;

  constructor(
    readonly name: string,
    readonly entity: new () => T,
    {
      managedBy,
      key,
      columns,
      formats = {},
      headers = {},
      mayBeEmpty = [],
      beside = {},
      rules = [],
      entered,
      ofDirectory = false,
      prepare,
      settle,
    }: Options<T>,
  ) {
    this.managedBy = managedBy;
    this.key = key;
    this.columns = columns;
    this.formats = formats;
    this.headers = headers;
    this.mayBeEmpty = mayBeEmpty;
    this.beside = beside;
    this.rules = rules;
    this.entered = entered;
    this.ofDirectory = ofDirectory;
    this.prepare = prepare;
    this.settle = settle;
  }
}
