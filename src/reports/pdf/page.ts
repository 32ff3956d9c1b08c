import { jsPDF } from 'jspdf';
import { Fonts } from './fonts.ts';
import type { Issue } from './issue.ts';
import { withObjects } from './object-streams.ts';
import { Tags } from './tags.ts';
import type { Style } from './typefaces.ts';
import { wrap, type Line } from './wrap.ts';
import type { Orientation } from '../table.ts';

/** Titles of a document on its first page and in the margins, and its orientation. */
export interface Titles {
  /** Kind of document, such as `Plano de ensino`. */
  title: string;
  /** The subject of the document, if the title does not contain it. */
  subject?: string;
  /** Left part of the footer: the document and its date of issue. */
  footer: string;
  orientation?: Orientation;
  /** Left and right margin, in millimetres. Documents that are signed and filed need wide ones. */
  side: number;
}

export interface Font {
  style: Style;
  points: number;
  color: Color;
}

type Color = readonly [red: number, green: number, blue: number];
export const INK: Color = [25, 28, 33];
export const MUTED: Color = [92, 99, 110];
export const ACCENT: Color = [28, 72, 120];
/** For the names of values. */
export const LABEL: Font = { style: 'normal', points: 7.5, color: MUTED };
const RULE: Color = [190, 196, 205];
const SHADE: Color = [241, 244, 248];
const HEAD_SHADE: Color = [221, 228, 238];

/** Height of a line of text, in millimetres. */
export const lineHeight = (points: number): number => points * 0.3528 * 1.38;

const MARGIN = { top: 24, bottom: 20 };

/** The A4 pages of a document, with the current position and the margins. Lengths are millimetres. */
export class Pages {
  readonly doc: jsPDF;
  readonly fonts: Fonts;
  readonly tags: Tags;
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  readonly #scale: number;
  readonly #height: number;
  /** Vertical position of the next element. */
  y = MARGIN.top;

  constructor({ institution, glyphs }: Issue, titles: Titles) {
    const { orientation = 'portrait', side } = titles;
    this.left = side;
    this.doc = new jsPDF({ format: 'a4', unit: 'mm', orientation, compress: true });
    this.fonts = new Fonts(this.doc, glyphs);
    this.tags = new Tags(this.doc);
    this.#scale = this.doc.internal.scaleFactor;
    this.#height = this.doc.internal.pageSize.getHeight();
    this.width = this.doc.internal.pageSize.getWidth() - 2 * side;
    this.bottom = this.#height - MARGIN.bottom;
    const title = [titles.title, titles.subject].filter(Boolean).join(': ');
    this.doc.setProperties({
      title,
      subject: titles.title,
      author: institution.name,
      creator: institution.name,
    });
    this.doc.setLanguage('pt-BR').viewerPreferences({ DisplayDocTitle: true });
  }

  /** Remaining height of this page. */
  get room(): number {
    return this.bottom - this.y;
  }

  /** Height of an empty page. */
  get wholePage(): number {
    return this.bottom - MARGIN.top;
  }

  turn(): void {
    this.#compact();
    this.doc.addPage();
    this.y = MARGIN.top;
  }

  /** Prints lines of text from `at.y` down. */
  print(lines: readonly Line[], { style, points, color }: Font, at: { x: number; y: number }): void {
    if (lines.length === 0) return;
    const placed = lines.map(({ text, indent }, i) => ({
      text,
      x: (at.x + indent) * this.#scale,
      y: (this.#height - at.y - (i + 0.76) * lineHeight(points)) * this.#scale,
    }));
    const ink = color.map(part => Math.round((part / 255) * 1000) / 1000).join(' ');
    this.tags.write(`${ink} rg BT ${this.fonts.show(placed, style, points)} ET`);
  }

  line(text: string, font: Font, at: { x: number; y: number }, align: 'left' | 'right' = 'left'): void {
    const printable = this.fonts.printable(text);
    const indent = align === 'right' ? -this.fonts.width(printable, font.style, font.points) : 0;
    this.print([{ text: printable, indent }], font, at);
  }

  /** Splits a text into lines, which together are one paragraph. */
  wrapped(text: string, { style, points }: Font, width: number): Line[] {
    const printable = this.fonts.printable(text).replace(/[\n\t]/g, ' ');
    return wrap(printable.trim(), width, part => this.fonts.width(part, style, points));
  }

  /** A shaded box with a border. */
  box(x: number, y: number, width: number, height: number): void {
    this.decorate(() => {
      this.doc
        .setFillColor(...SHADE)
        .setDrawColor(...RULE)
        .setLineWidth(0.2);
      this.doc.rect(x, y, width, height, 'FD');
    });
  }

  /** The background of a row; darker for a header. */
  shade(x: number, y: number, width: number, height: number, head: boolean): void {
    this.decorate(() => {
      this.doc.setFillColor(...(head ? HEAD_SHADE : SHADE));
      this.doc.rect(x, y, width, height, 'F');
    });
  }

  /** A horizontal line. */
  rule(y: number, color: Color = RULE, thickness = 0.2, x = this.left, width = this.width): void {
    this.decorate(() => {
      this.doc.setDrawColor(...color).setLineWidth(thickness);
      this.doc.line(x, y, x + width, y);
    });
  }

  /** Completes the file. Nothing can be printed afterwards. */
  finish(): Uint8Array {
    const file = new Uint8Array(this.doc.output('arraybuffer'));
    return withObjects(file, this.tags.objects);
  }

  /**
   * Joins the strings of a finished page. jsPDF keeps thousands of them, which need many times the memory of their
   * text.
   */
  #compact(): void {
    const pages = this.doc.internal.pages as unknown as string[][];
    const page = pages[this.doc.getNumberOfPages()]!;
    page.splice(0, page.length, page.join('\n'));
  }

  /** Draws something that screen readers skip. */
  decorate(draw: () => void): void {
    this.tags.in(undefined, () => this.tags.around(draw));
  }
}
