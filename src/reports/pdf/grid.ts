import type { Align } from '../table.ts';
import { INK, lineHeight, type Font, type Pages } from './page.ts';
import type { Part } from './tags.ts';
import { columnWidths, type Wish } from './widths.ts';
import { wrap, type Line } from './wrap.ts';

interface TableColumn {
  title: string;
  /** Maximum width in characters. A column may be wider if there is space left. */
  width: number;
  /** Left by default. */
  align?: Align;
  /** Whether its values must stay on one line, as numbers and dates do. */
  whole?: boolean;
}

type Texts = readonly string[];

/** A table to draw, with one text for each column. */
export interface Grid {
  columns: readonly TableColumn[];
  rows: readonly Texts[];
  /** Total rows at the end. */
  totals?: readonly Texts[];
  /** Height of the content below the table. It is on the same page as the last row if possible. */
  below?: number;
}

/** Average width of a character of one point, in millimetres. */
const CHARACTER = 0.18;
/** Longest word that is kept whole if there is space, in characters. */
const UNBROKEN = 14;
/** Font sizes in points. A size below the usual one is used only if words or numbers would be broken otherwise. */
const POINTS = { least: 5, usual: 6.5, most: 9 };
const PADDING = 1.3;

/** A row whose cells are split into lines. */
interface LaidOutRow {
  cells: readonly Line[][];
  font: Font;
  fill?: 'head' | 'zebra' | undefined;
  /** The tags of its cells; none in a repeated header. */
  parts?: readonly Part[] | undefined;
}

/**
 * Draws a table from the current position down, in the largest font that its width allows. A row stays on one page
 * unless it is longer than a page. Each page repeats the header. `reserve` starts a new page unless this height fits on
 * the current one.
 */
export function drawTable(pages: Pages, grid: Grid, reserve: (height: number) => void): void {
  const { columns, rows, totals = [], below = 0 } = grid;
  const layout = new Layout(pages, grid);
  const head: LaidOutRow = {
    ...layout.lay(
      columns.map(({ title }) => title),
      'bold',
    ),
    fill: 'head',
  };
  const headHeight = layout.height(head.cells);
  const first = rows[0] && layout.lay(rows[0], 'normal');
  const isOne = rows.length + totals.length === 1;
  reserve(
    headHeight +
      Math.min((first ? layout.height(first.cells) : 0) + (isOne ? below : 0), pages.wholePage / 3),
  );
  const table = pages.tags.part('Table');
  const partsOf = (role: 'TH' | 'TD'): Part[] => {
    const row = pages.tags.part('TR', table);
    return columns.map(() => pages.tags.part(role, row));
  };
  layout.draw({ ...head, parts: partsOf('TH') });
  const flow = ({ cells, ...look }: LaidOutRow, after: number): void => {
    const parts = partsOf('TD');
    let rest = cells;
    while (longest(rest) > 0) {
      const fit = layout.fitting(pages.room);
      const height = layout.height(rest);
      const isTooLong = fit < longest(rest);
      const needsPage =
        (isTooLong && (fit < 3 || height + headHeight <= pages.wholePage)) ||
        (!isTooLong && height + after > pages.room && height + after + headHeight <= pages.wholePage);
      if (needsPage) {
        pages.turn();
        layout.draw(head);
        continue;
      }
      layout.draw({ ...look, parts, cells: rest.map(lines => lines.slice(0, fit)) });
      rest = rest.map(lines => lines.slice(fit));
    }
  };
  const last = rows.length + totals.length - 1;
  const after = (i: number): number => (i === last ? below : 0);
  rows.forEach((row, i) =>
    flow({ ...layout.lay(row, 'normal'), fill: i % 2 === 1 ? 'zebra' : undefined }, after(i)),
  );
  totals.forEach((total, i) => flow({ ...layout.lay(total, 'bold'), fill: 'head' }, after(rows.length + i)));
}

const longest = (cells: readonly Line[][]): number => Math.max(0, ...cells.map(lines => lines.length));

/** Column positions and font size of one table. */
class Layout {
  readonly #pages: Pages;
  readonly #columns: readonly TableColumn[];
  readonly #points: number;
  readonly #widths: readonly number[];

  constructor(pages: Pages, { columns, rows, totals = [] }: Grid) {
    this.#pages = pages;
    this.#columns = columns;
    const wishes = columns.map((column, i) =>
      this.#wish(
        column,
        rows.map(row => row[i]!),
        totals.map(total => total[i]!),
      ),
    );
    const room = pages.width - columns.length * 2 * PADDING;
    const points = (wish: keyof Wish): number => room / wishes.reduce((all, one) => all + one[wish], 0);
    const readable = Math.min(POINTS.most, Math.max(POINTS.usual, points('liked')));
    this.#points = Math.max(POINTS.least, Math.min(readable, points('least')));
    const scaled = (width: number): number => width * this.#points + 2 * PADDING;
    this.#widths = columnWidths(
      wishes.map(({ liked, least }) => ({ liked: scaled(liked), least: scaled(least) })),
      pages.width,
    );
  }

  /** The preferred and minimum widths of a column, for a font of one point, without padding. */
  #wish({ title, width, whole }: TableColumn, texts: Texts, totals: Texts): Wish {
    const heading = this.#widest(title.split(/\s+/), 'bold');
    const lines = (all: Texts): Texts => all.flatMap(text => text.split('\n'));
    const values = Math.max(this.#widest(lines(texts), 'normal'), this.#widest(lines(totals), 'bold'));
    const words = (): number =>
      texts.reduce((most, text) => Math.max(most, this.#widest(text.split(/\s+/), 'normal')), 0);
    const least = whole ? values : Math.min(words(), UNBROKEN * CHARACTER);
    return {
      liked: Math.max(heading, Math.min(values, width * CHARACTER)),
      least: Math.max(heading, least),
    };
  }

  #widest(texts: Texts, style: Font['style']): number {
    return texts.reduce((most, text) => Math.max(most, this.#pages.fonts.width(text, style, 1)), 0);
  }

  /** Height of a row of cells. */
  height(cells: readonly Line[][]): number {
    return longest(cells) * lineHeight(this.#points) + 2 * PADDING;
  }

  /** Most lines of a row within this height. */
  fitting(height: number): number {
    return Math.floor((height - 2 * PADDING) / lineHeight(this.#points) + 1e-6);
  }

  lay(texts: Texts, style: Font['style']): LaidOutRow {
    const { fonts } = this.#pages;
    const measure = (text: string): number => this.#measure(text, style);
    const cells = texts.map((text, i) => {
      const room = this.#widths[i]! - 2 * PADDING + 1e-6;
      const paragraphs = fonts.printable(text).split('\n');
      return paragraphs.flatMap(part => {
        const lines = wrap(part, room, measure);
        return lines.map(line => this.#aligned(line, room, style, this.#columns[i]!.align));
      });
    });
    return { cells, font: { style, points: this.#points, color: INK } };
  }

  draw({ cells, font, fill, parts }: LaidOutRow): void {
    const height = this.height(cells);
    const { left, y, width } = this.#pages;
    if (fill) this.#pages.shade(left, y, width, height, fill === 'head');
    let x = left + PADDING;
    cells.forEach((lines, i) => {
      const at = { x, y: y + PADDING };
      this.#pages.tags.in(parts?.[i], () => this.#pages.print(lines, font, at));
      x += this.#widths[i]!;
    });
    this.#pages.rule(y + height);
    this.#pages.y += height;
  }

  #aligned(line: Line, room: number, style: Font['style'], align: Align = 'left'): Line {
    if (align === 'left') return line;
    const free = Math.max(0, room - this.#measure(line.text.trimEnd(), style));
    return { text: line.text, indent: align === 'right' ? free : free / 2 };
  }

  #measure(text: string, style: Font['style']): number {
    return this.#pages.fonts.width(text, style, this.#points);
  }
}
