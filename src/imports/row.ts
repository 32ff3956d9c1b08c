import type { Encoding } from './encoding.ts';

/** A row of a file, by the number that spreadsheet programs show beside it. */
export interface Row {
  number: number;
  cells: readonly string[];
}

/** A file with rows. */
export interface ImportFile {
  path: string;
  /** Its name in messages. */
  name: string;
  type: 'csv' | 'xlsx';
  /** The encoding of a csv; found out when absent. */
  encoding?: Encoding | undefined;
}
