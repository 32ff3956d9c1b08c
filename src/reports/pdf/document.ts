import { drawTable, type Grid } from './grid.ts';
import { ACCENT, INK, lineHeight, MUTED, Pages, type Font, type Institution, type Titles } from './page.ts';
import { wrap, type Line } from './wrap.ts';

const BODY: Font = { style: 'normal', points: 10, color: INK };
const EMPTY: Font = { ...BODY, color: MUTED };
const LABEL: Font = { style: 'normal', points: 7.5, color: MUTED };
const VALUE: Font = { style: 'bold', points: 10, color: INK };
const HEADING: Font = { style: 'bold', points: 11.5, color: ACCENT };
const TITLE: Font = { style: 'bold', points: 16, color: INK };

/** Blank for the date next to a signature. */
const DATE = 'Data: ____/____/________';

/** Space above and below a heading. */
const SPACE = { above: 4, below: 1.2 };
const headingHeight = SPACE.above + lineHeight(HEADING.points) + SPACE.below;

/** A labelled value. It takes half of the width, or all of it. */
export interface Field {
  label: string;
  value: string;
  wide?: boolean;
}

/** A document that is written from top to bottom, with automatic page breaks. */
export class PdfDocument {
  readonly #pages: Pages;
  /** A heading that is not printed yet, so that it stays on one page with what follows. */
  #heading: string | undefined;

  constructor(institution: Institution, titles: Titles) {
    this.#pages = new Pages(institution, titles);
  }

  title(text: string): void {
    this.#flow(this.#wrapped(text, TITLE, this.#pages.width), TITLE);
    this.#pages.y += 2.5;
  }

  heading(text: string): void {
    this.#heading = text;
  }

  /** One paragraph for each line of the text, or `missing` without text. `hanging` indents further lines. */
  text(content: string | null, { hanging = 0, missing = 'Não informado.' } = {}): void {
    const font = content?.trim() ? BODY : EMPTY;
    const paragraphs = (content?.trim() || missing).split('\n').filter(paragraph => paragraph.trim());
    for (const paragraph of paragraphs) {
      this.#flow(this.#wrapped(paragraph, font, this.#pages.width, hanging), font);
      this.#pages.y += 0.8;
    }
  }

  /** A box of values in two columns. */
  fields(fields: readonly Field[]): void {
    for (const row of inRows(fields)) {
      const width = this.#pages.width / row.length;
      const cells = row.map(field => ({
        label: this.#wrapped(field.label, LABEL, width - 5),
        value: this.#wrapped(field.value || '–', VALUE, width - 5),
      }));
      const lines = Math.max(...cells.map(cell => cell.value.length));
      const height = 3.2 + lineHeight(LABEL.points) + lines * lineHeight(VALUE.points);
      this.#reserve(height);
      const { left, y } = this.#pages;
      cells.forEach(({ label, value }, i) => {
        const x = left + i * width;
        this.#pages.box(x, y, width, height);
        this.#pages.print(label, LABEL, { x: x + 2.5, y: y + 1.4 });
        this.#pages.print(value, VALUE, { x: x + 2.5, y: y + 1.4 + lineHeight(LABEL.points) });
      });
      this.#pages.y += height;
    }
  }

  /** A table whose header is repeated on each page. */
  table(grid: Grid): void {
    drawTable(this.#pages, grid, height => this.#reserve(height));
  }

  gap(height: number): void {
    this.#pages.y += height;
  }

  /** Signature lines, two side by side, each with its signer; on one page if possible. */
  signatures(signers: readonly { name: string; role: string }[]): void {
    const gap = 10;
    const width = (this.#pages.width - gap) / 2;
    const small: Font = { ...BODY, points: 9 };
    const blocks = signers.map(({ name, role }) => ({
      name: this.#wrapped(name, small, width),
      role: this.#wrapped(role, LABEL, width - 32),
    }));
    const rows = Array.from({ length: Math.ceil(blocks.length / 2) }, (_, i) =>
      blocks.slice(2 * i, 2 * i + 2),
    );
    const heights = rows.map(
      row =>
        17 + Math.max(...row.map(({ name, role }) => name.length + role.length)) * lineHeight(small.points),
    );
    const all = heights.reduce((sum, height) => sum + height, 0);
    if (all + headingHeight < this.#pages.wholePage) this.#reserve(all);
    rows.forEach((row, i) => {
      this.#reserve(heights[i]!);
      const { doc, left, y } = this.#pages;
      doc.setDrawColor(...INK).setLineWidth(0.25);
      row.forEach((block, column) => {
        const x = left + column * (width + gap);
        doc.line(x, y + 15, x + width, y + 15);
        this.#pages.print(block.name, small, { x, y: y + 16 });
        const below = y + 16 + block.name.length * lineHeight(small.points);
        this.#pages.print(block.role, LABEL, { x, y: below });
        this.#pages.line(DATE, LABEL, { x: x + width, y: below }, 'right');
      });
      this.#pages.y += heights[i]!;
    });
  }

  finish(): Uint8Array {
    this.#reserve(0);
    return this.#pages.finish();
  }

  #wrapped(text: string, { style, points }: Font, width: number, hanging = 0): Line[] {
    const { fonts } = this.#pages;
    const printable = fonts.printable(text).replaceAll('\n', ' ');
    return wrap(printable, width, part => fonts.width(part, style, points), hanging);
  }

  /** Prints lines over as many pages as they need, without single lines at the top or bottom of a page. */
  #flow(lines: readonly Line[], font: Font): void {
    const height = lineHeight(font.points);
    let rest = lines;
    while (rest.length > 0) {
      this.#reserve(height * (rest.length <= 3 ? rest.length : 2));
      const fit = Math.floor(this.#pages.room / height + 1e-6);
      const taken = fit === rest.length - 1 ? fit - 1 : Math.min(fit, rest.length);
      this.#pages.print(rest.slice(0, taken), font, { x: this.#pages.left, y: this.#pages.y });
      this.#pages.y += taken * height;
      rest = rest.slice(taken);
    }
  }

  /** Starts a new page unless this height, with the pending heading, fits on the current one. */
  #reserve(height: number): void {
    const heading = this.#heading;
    this.#heading = undefined;
    if (height + (heading === undefined ? 0 : headingHeight) > this.#pages.room + 1e-6) this.#pages.turn();
    if (heading === undefined) return;
    const { doc, left, y } = this.#pages;
    doc.outline.add(null, heading, { pageNumber: doc.getNumberOfPages() });
    this.#pages.line(heading, HEADING, { x: left, y: y + SPACE.above });
    this.#pages.y += headingHeight;
  }
}

/** Arranges fields in rows of two; a wide one has its own row. */
function inRows(fields: readonly Field[]): Field[][] {
  const rows: Field[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last?.length === 1 && !last[0]!.wide && !field.wide) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
