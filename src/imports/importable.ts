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
  /** The properties by which a record is known: a row of the file with the same changes it, any other row is a new record. */
  key: readonly Property<T>[];
  /**
   * What a file may have: properties, and links by what their record is known by (`lotacao.sigla`, under the header
   * `lotacao_sigla`). Of a to-many link (`docentes.pessoa.usuario`, under `docentes`) one cell has all, and replaces
   * what was there. What is not named here cannot be imported.
   */
  columns: readonly (Property<T> | `${Property<T>}.${string}`)[];
  /** Formats of columns that need more than the rules of the entity. */
  formats?: Readonly<Record<string, Format>>;
  rules?: readonly Rule[];
  /** SQL that runs after the rows of the table `importacao` are written, to update what depends on them. */
  settle?: string;
}

/** A kind of record that `npm run import` takes from a file; everything else about it is in its entity. */
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
