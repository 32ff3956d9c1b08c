import { INK, LABEL, lineHeight, type Font, type Pages } from './page.ts';
import type { Part } from './tags.ts';

const VALUE: Font = { style: 'bold', points: 10, color: INK };

/** Space inside a box, around its label and its value. */
const SPACE = { above: 1.4, below: 1.8, side: 2.5 };

/** Fewest lines of a long box at the end of a page. */
const FEW_LINES = 3;

/** A labelled value. It takes half of the width, or all of it. */
export interface Field {
  label: string;
  value: string;
  wide?: boolean;
}

/**
 * Draws boxes of values in two columns, from the current position down. A row of boxes that is longer than a page goes on
 * below its labels on the next one. `reserve` starts a new page unless this height fits on the current one.
 */
export function drawBoxes(pages: Pages, fields: readonly Field[], reserve: (height: number) => void): void {
  for (const row of inRows(fields)) drawRow(pages, row, reserve);
}

function drawRow(pages: Pages, row: readonly Field[], reserve: (height: number) => void): void {
  const { left, tags } = pages;
  const width = pages.width / row.length;
  const cells = row.map(({ label, value }) => ({
    label: pages.wrapped(label, LABEL, width - 2 * SPACE.side),
    value: pages.wrapped(value || '–', VALUE, width - 2 * SPACE.side),
  }));
  const line = lineHeight(VALUE.points);
  const above = SPACE.above + lineHeight(LABEL.points);
  const heightOf = (lines: number): number => above + lines * line + SPACE.below;
  const all = Math.max(...cells.map(({ value }) => value.length));
  let parts: Part[] | undefined;
  for (let from = 0, taken = 0; from < all; from += taken) {
    const rest = all - from;
    reserve(heightOf(heightOf(rest) <= pages.wholePage ? rest : FEW_LINES));
    // Rounding of the heights must not cost a line that fits.
    taken = Math.min(rest, Math.floor((pages.room - heightOf(0)) / line + 1e-6));
    // A pending heading comes first.
    parts ??= cells.map(() => tags.part('P'));
    const { y } = pages;
    for (const [i, { label, value }] of cells.entries()) {
      const box = left + i * width;
      const x = box + SPACE.side;
      pages.box(box, y, width, heightOf(taken));
      // A screen reader says the label once.
      tags.in(from === 0 ? parts[i] : undefined, () => pages.print(label, LABEL, { x, y: y + SPACE.above }));
      tags.in(parts[i], () => pages.print(value.slice(from, from + taken), VALUE, { x, y: y + above }));
    }
    pages.y += heightOf(taken);
  }
}

/** Arranges fields in rows of two. A wide field has a row of its own. */
function inRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last?.length === 1 && !last[0]!.wide && !field.wide) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
