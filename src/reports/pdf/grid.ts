import { INK, lineHeight, type Font, type Pages } from './page.ts';
import { wrap, type Line } from './wrap.ts';

export interface TableColumn {
  title: string;
  /** Share of the table's width, in relation to the other columns. */
  share: number;
}

const CELL: Font = { style: 'normal', points: 9, color: INK };
const HEAD: Font = { ...CELL, style: 'bold' };
const PADDING = 1.8;
const height = (lines: number): number => lines * lineHeight(CELL.points) + 2 * PADDING;

/**
 * Draws a table from the current place down. A row stays on one page unless it is longer than one; the header
 * stands at the top of each page. `reserve` turns the page unless so much fits on this one.
 */
export function drawTable(
  pages: Pages,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  reserve: (height: number) => void,
): void {
  const shares = columns.reduce((sum, column) => sum + column.share, 0);
  const widths = columns.map(({ share }) => (pages.width * share) / shares);
  const lay = (texts: readonly string[], { style, points }: Font): Line[][] =>
    texts.map((text, i) =>
      pages.fonts
        .printable(text)
        .split('\n')
        .flatMap(part =>
          wrap(part, widths[i]! - 2 * PADDING, word => pages.fonts.width(word, style, points)),
        ),
    );
  const head = lay(
    columns.map(column => column.title),
    HEAD,
  );
  const headHeight = height(longest(head));
  const begin = (): void => draw(pages, widths, head, HEAD);
  const laid = rows.map(row => lay(row, CELL));
  reserve(headHeight + Math.min(height(longest(laid[0] ?? [])), pages.wholePage / 3));
  begin();
  for (const row of laid) {
    let rest = row;
    while (longest(rest) > 0) {
      const fit = Math.floor((pages.room - 2 * PADDING) / lineHeight(CELL.points) + 1e-6);
      const needsPage =
        fit < longest(rest) && (fit < 3 || height(longest(rest)) + headHeight <= pages.wholePage);
      if (needsPage) {
        pages.turn();
        begin();
        continue;
      }
      draw(
        pages,
        widths,
        rest.map(lines => lines.slice(0, fit)),
        CELL,
      );
      rest = rest.map(lines => lines.slice(fit));
    }
  }
}

const longest = (cells: readonly Line[][]): number => Math.max(0, ...cells.map(lines => lines.length));

function draw(pages: Pages, widths: readonly number[], cells: readonly Line[][], font: Font): void {
  const rowHeight = height(longest(cells));
  const { left, y } = pages;
  let x = left;
  cells.forEach((lines, i) => {
    pages.box(x, y, widths[i]!, rowHeight, font === HEAD);
    pages.print(lines, font, { x: x + PADDING, y: y + PADDING });
    x += widths[i]!;
  });
  pages.y += rowHeight;
}
