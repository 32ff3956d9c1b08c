import { choices } from '../entities/choices.ts';

/** A sheet of equal labels, in millimetres. The block of labels is centred on the page. */
export interface Sheet {
  page: readonly [width: number, height: number];
  label: readonly [width: number, height: number];
  columns: number;
  rows: number;
  /** Gap between two columns. There is no gap between rows. */
  gap: number;
}

const A4 = [210, 297] as const;

/** Sheets by the article numbers of their manufacturers. */
export const sheets = {
  A4260: { page: A4, label: [63.5, 38.1], columns: 3, rows: 7, gap: 2.54 },
  A4262: { page: A4, label: [99.1, 33.9], columns: 2, rows: 8, gap: 2.5 },
  A4263: { page: A4, label: [99.1, 38.1], columns: 2, rows: 7, gap: 2.5 },
  A4265: { page: A4, label: [99.1, 67.7], columns: 2, rows: 4, gap: 2.5 },
  L7159: { page: A4, label: [63.5, 33.9], columns: 3, rows: 8, gap: 2.54 },
  ROLO_62X29: { page: [62, 29], label: [62, 29], columns: 1, rows: 1, gap: 0 },
} as const satisfies Record<string, Sheet>;

export type SheetName = keyof typeof sheets;

/** The names of the sheets, with the sizes that their manufacturers print. */
export const sheetNames = choices('FolhaEtiquetas', 'Sheet of labels, by the article number of its maker.', {
  A4260: ['A4260', '21 labels of 63.5 × 38.1 mm on A4 (Pimaco A4260, Avery L7160)'],
  A4262: ['A4262', '16 labels of 99 × 33.9 mm on A4 (Pimaco A4262, Avery L7162)'],
  A4263: ['A4263', '14 labels of 99 × 38.1 mm on A4 (Pimaco A4263, Avery L7163)'],
  A4265: ['A4265', '8 labels of 99 × 67.7 mm on A4 (Pimaco A4265, Avery L7165)'],
  L7159: ['L7159', '24 labels of 63.5 × 33.9 mm on A4 (Avery L7159)'],
  ROLO_62X29: ['ROLO_62X29', 'One label of 62 × 29 mm on each page, for label printers'],
});

/** Labels on a sheet. */
export const labelsOn = ({ columns, rows }: Sheet): number => columns * rows;

/** The top left corner of a label, counted from 0 along the rows. */
export function cornerOf({ page, label, columns, rows, gap }: Sheet, nth: number): { x: number; y: number } {
  const [width, height] = label;
  const left = (page[0] - columns * width - (columns - 1) * gap) / 2;
  const top = (page[1] - rows * height) / 2;
  return { x: left + (nth % columns) * (width + gap), y: top + Math.floor(nth / columns) * height };
}
