import type { Registro } from '../entities/registro.ts';
import type { Format } from './formats.ts';

type Property<T> = Exclude<keyof T, keyof Registro> & string;

interface Options<T> {
  /** The properties by which a record is known: a row of the file with the same changes it, any other row is a new record. */
  key: readonly Property<T>[];
  /**
   * What a file may have: properties, and links by what their record is known by (`lotacao.sigla`, under the header
   * `lotacao_sigla`). What is not named here cannot be imported.
   */
  columns: readonly (Property<T> | `${Property<T>}.${string}`)[];
  /** How columns are read for which the rules of the entity are not enough. */
  formats?: Readonly<Record<string, Format>>;
}

/** A kind of record that `npm run import` takes from a file; everything else about it is in its entity. */
export class Importable<T extends Registro = Registro> {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly formats: Readonly<Record<string, Format>>;

  constructor(
    readonly name: string,
    readonly entity: new () => T,
    { key, columns, formats = {} }: Options<T>,
  ) {
    this.key = key;
    this.columns = columns;
    this.formats = formats;
  }
}
