import type { EntityManager } from '@mikro-orm/postgresql';
import type { Registro } from '../entities/registro.ts';
import type { Format } from './formats.ts';

type Property<T> = Exclude<keyof T, keyof Registro> & string;

/** A rule for rows, beyond the rules of the entity. */
export interface Rule {
  /** Columns of the table that the rule is about. A file without one of them cannot break it. */
  columns: readonly string[];
  expected: string;
  /** SQL condition on a row `s` that breaks it, with the record `t` that it would change, where there is one. */
  broken: string;
  /** Runs before the rule is checked, for example to take a lock. */
  first?: (em: EntityManager) => Promise<void>;
}

interface Options<T> {
  /** The properties that identify a record: a row with the same values changes it, any other row is a new record. */
  key: readonly Property<T>[];
  /**
   * Possible columns of a file: properties, and links by the identifying property of their record (`lotacao.sigla`,
   * with header `lotacao_sigla`). For a to-many link (`docentes.pessoa.usuario`, with header `docentes`) one cell
   * lists all linked records and replaces the existing ones. Nothing else can be imported.
   */
  columns: readonly (Property<T> | `${Property<T>}.${string}`)[];
  /** Formats of columns that need more than the rules of the entity. */
  formats?: Readonly<Record<string, Format>>;
  rules?: readonly Rule[];
  /** SQL that runs after the rows of the table `importacao` are written, to update what depends on them. */
  settle?: string;
}

/** A kind of record that `npm run import` can import. Everything else about it is declared in its entity. */
export class Importable<T extends Registro = Registro> {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly formats: Readonly<Record<string, Format>>;
  readonly rules: readonly Rule[];
  readonly settle: string | undefined;

  constructor(
    readonly name: string,
    readonly entity: new () => T,
    { key, columns, formats = {}, rules = [], settle }: Options<T>,
  ) {
    this.key = key;
    this.columns = columns;
    this.formats = formats;
    this.rules = rules;
    this.settle = settle;
  }
}
