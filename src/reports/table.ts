export type CellType = 'text' | 'integer' | 'decimal' | 'date' | 'timestamp' | 'boolean';
export type Align = 'left' | 'right' | 'center';
export type Orientation = 'portrait' | 'landscape';

/**
 * One value for each column, as PostgreSQL sends it: days as `YYYY-MM-DD`, timestamps as text in the institution's
 * time zone.
 */
export type Row = readonly unknown[];

/** Some rows of a table. */
export interface Rows {
  readonly length: number;
  /** The rows from `start` to before `end`. */
  values(start: number, end: number): Row[];
}

export interface Column {
  /** Portuguese heading. */
  title: string;
  /** Path of the value in a record: GraphQL property names joined by dots, such as `unidadeMedida.sigla`. */
  path: string;
  type: CellType;
  /** In characters; by default it depends on the type. */
  width?: number;
  /** By default, numbers are on the right and everything else on the left. */
  align?: Align;
  /** Whether the last row of a PDF or xlsx shows the exact sum; for numbers only. */
  total?: true;
  /** Minimum number of decimal places in a PDF or xlsx; by default as many as the value has. */
  places?: number;
  /** In a PDF: path of the column in whose cells it is shown, below that value. */
  under?: string;
  /** Whether a PDF leaves its value out if the column that it stands under has the same. */
  onlyIfOther?: true;
  /** Whether a PDF leaves it out, because other columns say the same. */
  sheetOnly?: true;
}

/** The layout of a list export or report. */
export interface Table {
  /** First part of the file name, such as `materiais`. */
  name: string;
  /** Portuguese title of the sheet and the PDF. */
  title: string;
  columns: readonly Column[];
  /** Paths of the columns that group the sums, one row per group: litres are not added to grams. */
  totalsBy?: readonly string[];
  /**
   * Paths of two columns that also group the sums, if the first one has a value: quantities from one location to
   * another are not added to quantities in the opposite direction.
   */
  totalsFromTo?: readonly [from: string, to: string];
  /** Portuguese title of the sums, if a PDF shows them as a separate table. */
  totalsTitle?: string;
  /** Portuguese names of the offices that sign a PDF. */
  signedBy?: readonly string[];
  /** Orientation of a PDF; portrait by default. */
  orientation?: Orientation;
}

/** A filter that was used, in Portuguese: `Unidade de medida`, `Litro`. */
export interface UsedFilter {
  title: string;
  value: string;
}

/** Provenance of a file: its filters, the requesting person, and the time. */
export interface Provenance {
  filters: readonly UsedFilter[];
  /** Name of the person. */
  issuedBy: string;
  /** The database's time. */
  now: Date;
}

const USUAL_WIDTHS: Record<CellType, number> = {
  text: 30,
  integer: 10,
  decimal: 12,
  date: 12,
  timestamp: 20,
  boolean: 8,
};

/** Width of a column in characters. */
export function columnWidth({ width, type }: Column): number {
  return width ?? USUAL_WIDTHS[type];
}

export const isNumeric = (type: CellType): boolean => type === 'integer' || type === 'decimal';

export const alignmentOf = ({ align, type }: Column): Align => align ?? (isNumeric(type) ? 'right' : 'left');

/** The text of a value that is not null or undefined. An object becomes JSON. */
export function asText(value: unknown): string {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return plain ? String(value) : JSON.stringify(value);
}

const LOCAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?!.*BC)/;

/**
 * A timestamp without fraction and offset, `YYYY-MM-DD HH:mm:ss`. Other text, such as `infinity`, is returned
 * unchanged.
 */
export function localTime(value: unknown): string {
  const text = asText(value);
  return LOCAL.exec(text)?.[0] ?? text;
}
