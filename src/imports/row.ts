/** A row of a file, by the number that spreadsheet programs show beside it. */
export interface Row {
  number: number;
  cells: readonly string[];
}
