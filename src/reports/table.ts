export type CellType = 'text' | 'integer' | 'decimal' | 'date' | 'timestamp' | 'boolean';
export type Align = 'left' | 'right' | 'center';
export type Orientation = 'portrait' | 'landscape';

/** A record as a list or a report yields it: plain values and nested objects for links. */
export type Row = Readonly<Record<string, unknown>>;

export interface Column {
  /** Portuguese heading. */
  title: string;
  /** Where the value stands in a row: GraphQL property names joined by dots, such as `unidadeMedida.sigla`. */
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
  /** Path of the column by whose values sums are told apart, a row each: litres are not added to grams. */
  totalsBy?: string;
  /** Of a PDF's pages; upright by default. */
  orientation?: Orientation;
}

/** A filter that was used, in words: `Unidade de medida`, `Litro`. */
export interface UsedFilter {
  title: string;
  value: string;
}

/** What a file says of itself: which filters its rows passed, who asked for it, and when (now, by default). */
export interface Provenance {
  filters: readonly UsedFilter[];
  /** Name of the person. */
  issuedBy: string;
  now?: Date;
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

/** Reads a row into one cell for each column; the value is undefined where a link on the way is absent. */
export function rowReader<Cell>(
  columns: readonly Column[],
  cell: (value: unknown, column: Column) => Cell,
): (row: Row) => Cell[] {
  const plan = columns.map(column => ({ keys: column.path.split('.'), column }));
  return row => plan.map(({ keys, column }) => cell(keys.reduce(property, row), column));
}

function property(value: unknown, key: string): unknown {
  return (value as Row | null | undefined)?.[key];
}

/** Any value that is neither null nor undefined as text, an object as JSON. */
export function asText(value: unknown): string {
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return plain ? String(value) : JSON.stringify(value);
}

/** Turns an ISO 8601 timestamp into `YYYY-MM-DD HH:mm:ss` of a time zone; other text stays as it is. */
export type LocalTime = (timestamp: string) => string;

export function localTimeIn(timeZone: string): LocalTime {
  // Swedish writes date and time as ISO 8601 does, but for the space.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return timestamp => {
    const instant = Date.parse(timestamp);
    return Number.isNaN(instant) ? timestamp : format.format(instant);
  };
}
