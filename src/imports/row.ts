import type { Encoding } from './encoding.ts';

/** A row of a file, with the number that spreadsheet programs show for it. */
export interface Row {
  number: number;
  cells: readonly string[];
}

/** A file with rows. */
export interface ImportFile {
  path: string;
  /** Its name in messages. */
  name: string;
  type: 'csv' | 'xlsx' | 'xls';
  /** The encoding of a csv file; detected if absent. */
  encoding?: Encoding | undefined;
}
