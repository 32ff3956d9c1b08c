import { drawBoxes, type Field } from './boxes.ts';
import { drawTable, type Grid } from './grid.ts';
import type { Issue } from './issue.ts';
import { printLetterhead, printMargins } from './letterhead.ts';
import { ACCENT, INK, LABEL, lineHeight, MUTED, Pages, type Font, type Titles } from './page.ts';
import type { Part, Role } from './tags.ts';
import { wrap, type Line } from './wrap.ts';

const BODY: Font = { style: 'normal', points: 10, color: INK };
const EMPTY: Font = { ...BODY, color: MUTED };
const SIGNER: Font = { ...BODY, points: 9 };
const HEADING: Font = { style: 'bold', points: 11.5, color: ACCENT };
const TITLE: Font = { style: 'bold', points: 16, color: INK };

/** Blank for the date next to a signature. */
const DATE = 'Data: ____/____/________';

/** Space above and below a heading. */
const SPACE = { above: 4, below: 1.2 };
const headingHeight = SPACE.above + lineHeight(HEADING.points) + SPACE.below;

/** Gap between two signatures that are side by side. */
const BETWEEN = 10;

interface Signer {
  name: string;
  role: string;
}

interface SignatureRow {
  height: number;
  /** Width of each of its blocks. */
  width: number;
  blocks: { name: Line[]; role: Line[] }[];
}

/** A document that is written from top to bottom, with automatic page breaks. */
export class PdfDocument {
  readonly #pages: Pages;
  readonly #titles: Titles;
  /** A heading that is printed later, so that it is on the same page as the content after it. */
  #heading: string | undefined;
  /** Level of the next heading: the kind of document is H1, and its title H2. */
  #level: 'H2' | 'H3' = 'H2';

  constructor(issue: Issue, titles: Titles) {
    this.#titles = titles;
    this.#pages = new Pages(issue, titles);
    printLetterhead(this.#pages, issue.institution, titles);
  }

  title(text: string): void {
    this.#flow(this.#pages.wrapped(text, TITLE, this.#pages.width), TITLE, 'H2');
    this.#level = 'H3';
    this.#pages.y += 2.5;
  }

  heading(text: string): void {
    this.#heading = text;
  }

  /**
   * Prints one paragraph for each line of the text, with its indent, or `missing` if the text is empty. `hanging`
   * indents further lines of a paragraph.
   */
  text(content: string | null, { hanging = 0, missing = 'Não informado.' } = {}): void {
    const font = content?.trim() ? BODY : EMPTY;
    const { fonts, width } = this.#pages;
    const measure = (part: string): number => fonts.width(part, font.style, font.points);
    const paragraphs = fonts.printable(content?.trim() ? content : missing).split('\n');
    for (const paragraph of paragraphs.filter(one => one.trim())) {
      this.#flow(wrap(paragraph, width, measure, hanging), font, 'P');
      this.#pages.y += 0.8;
    }
  }

  /** Boxes of values in two columns. */
  fields(fields: readonly Field[]): void {
    drawBoxes(this.#pages, fields, height => this.#reserve(height));
  }

  /** A table whose header is repeated on each page. */
  table(grid: Grid): void {
    drawTable(this.#pages, grid, height => this.#reserve(height));
  }

  gap(height: number): void {
    this.#pages.y += height;
  }

  /** Height of the signature lines. */
  signaturesHeight(signers: readonly Signer[]): number {
    return this.#signatureRows(signers).reduce((sum, { height }) => sum + height, 0);
  }

  /** Signature lines, two side by side, each with its signer. They stay on one page if possible. */
  signatures(signers: readonly Signer[]): void {
    const all = this.signaturesHeight(signers);
    if (all + headingHeight < this.#pages.wholePage) this.#reserve(all);
    const { left, tags } = this.#pages;
    for (const { height, width, blocks } of this.#signatureRows(signers)) {
      this.#reserve(height);
      const { y } = this.#pages;
      blocks.forEach(({ name, role }, column) => {
        const x = left + column * (width + BETWEEN);
        this.#pages.rule(y + 15, INK, 0.25, x, width);
        tags.as('P', () => {
          this.#pages.print(name, SIGNER, { x, y: y + 16 });
          const below = y + 16 + name.length * lineHeight(SIGNER.points);
          this.#pages.print(role, LABEL, { x, y: below });
          this.#pages.line(DATE, LABEL, { x: x + width, y: below }, 'right');
        });
      });
      this.#pages.y += height;
    }
  }

  #signatureRows(signers: readonly Signer[]): SignatureRow[] {
    const width = (this.#pages.width - BETWEEN) / 2;
    const blocks = signers.map(({ name, role }) => ({
      name: this.#pages.wrapped(name, SIGNER, width),
      role: this.#pages.wrapped(role, LABEL, width - 32),
    }));
    return Array.from({ length: Math.ceil(blocks.length / 2) }, (_, i) => {
      const row = blocks.slice(2 * i, 2 * i + 2);
      const lines = Math.max(...row.map(({ name, role }) => name.length + role.length));
      return { width, height: 17 + lines * lineHeight(SIGNER.points), blocks: row };
    });
  }

  finish(): Uint8Array {
    this.#reserve(0);
    printMargins(this.#pages, this.#titles);
    return this.#pages.finish();
  }

  /** Prints lines on as many pages as they need, without widows and orphans. */
  #flow(lines: readonly Line[], font: Font, role: Role): void {
    const { tags, left } = this.#pages;
    const height = lineHeight(font.points);
    let rest = lines;
    let part: Part | undefined;
    while (rest.length > 0) {
      this.#reserve(height * (rest.length <= 3 ? rest.length : 2));
      const fit = Math.floor(this.#pages.room / height + 1e-6);
      const taken = fit === rest.length - 1 ? fit - 1 : Math.min(fit, rest.length);
      const { y } = this.#pages;
      // A pending heading comes first.
      part ??= tags.part(role);
      tags.in(part, () => this.#pages.print(rest.slice(0, taken), font, { x: left, y }));
      this.#pages.y += taken * height;
      rest = rest.slice(taken);
    }
  }

  /** Starts a new page unless this height and the pending heading fit on the current one. */
  #reserve(height: number): void {
    const heading = this.#heading;
    this.#heading = undefined;
    if (height + (heading === undefined ? 0 : headingHeight) > this.#pages.room + 1e-6) this.#pages.turn();
    if (heading === undefined) return;
    const { doc, left, tags, y } = this.#pages;
    doc.outline.add(null, heading, { pageNumber: doc.getNumberOfPages() });
    tags.as(this.#level, () => this.#pages.line(heading, HEADING, { x: left, y: y + SPACE.above }));
    this.#pages.y += headingHeight;
  }
}
