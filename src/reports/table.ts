export type CellType = 'text' | 'integer' | 'decimal' | 'date' | 'timestamp' | 'boolean';
export type Align = 'left' | 'right' | 'center';
export type Orientation = 'portrait' | 'landscape';

/** One value for each column, as PostgreSQL gives it: days as `YYYY-MM-DD`, moments as its text in the institution's time zone. */
export type Row = readonly unknown[];

export interface Column {
  /** Portuguese heading. */
  title: string;
  /** Where the value stands in a record: GraphQL property names joined by dots, such as `unidadeMedida.sigla`. */
  path: string;
  type: CellType;
  /** In characters; the type's usual width by default. */
  width?: number;
  /** Numbers stand on the right by default, all else on the left. */
  align?: Align;
  /** Whether the last row of a PDF or xlsx has the exact sum; for numbers only. */
  total?: true;
}

/** What a list export or a report shows. */
export interface Table {
  /** The file's stem, such as `materiais`. */
  name: string;
  /** Portuguese title: the name of the sheet, the heading of a PDF. */
  title: string;
  columns: readonly Column[];
  /** Paths of the columns by whose values sums are told apart, a row each: litres are not added to grams. */
  totalsBy?: readonly string[];
  /** Of a PDF's pages; upright by default. */
  orientation?: Orientation;
}

/** A filter that was used, in words: `Unidade de medida`, `Litro`. */
export interface UsedFilter {
  title: string;
  value: string;
}

/** What a file says of itself: which filters its rows passed, who asked for it, and when. */
export interface Provenance {
  filters: readonly UsedFilter[];
  /** Name of the person. */
  issuedBy: string;
  /** By the database's clock. */
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

/** Any value that is neither null nor undefined as text, an object as JSON. */
export function asText(value: unknown): string {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return plain ? String(value) : JSON.stringify(value);
}

const LOCAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?!.*BC)/;

/** A moment without its fraction and offset, `YYYY-MM-DD HH:mm:ss`; what is no such moment, as `infinity`, stays as it is. */
export function localTime(value: unknown): string {
  const text = asText(value);
  return LOCAL.exec(text)?.[0] ?? text;
}
