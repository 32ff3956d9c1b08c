import { jsPDF } from 'jspdf';
import { Fonts, type Style } from './fonts.ts';
import type { Orientation } from '../table.ts';
import type { Line } from './wrap.ts';

/** Who issues the document. */
export interface Institution {
  name: string;
  /** A PNG or JPEG. */
  logo?: Uint8Array | undefined;
}

/** Titles of a document on its first page and in the margins, and its orientation. */
export interface Titles {
  /** Kind of document, such as `Plano de ensino`. */
  title: string;
  /** What the document is about, if the title does not say it. */
  subject?: string;
  /** Left part of the footer: the document and its date of issue. */
  footer: string;
  orientation?: Orientation;
  /** Left and right margin, in millimetres. Documents that are signed and filed need a wide one. */
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
const RULE: Color = [190, 196, 205];
const SHADE: Color = [241, 244, 248];
const HEAD_SHADE: Color = [221, 228, 238];

/** Height of a line of text, in millimetres. */
export const lineHeight = (points: number): number => points * 0.3528 * 1.38;

const MARGIN = { top: 24, bottom: 20 };
const LOGO = { height: 18, width: 40 };

/** The A4 pages of a document, with the current position and the margins. Lengths are millimetres. */
export class Pages {
  readonly doc: jsPDF;
  readonly fonts: Fonts;
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  readonly #institution: Institution;
  readonly #titles: Titles;
  /** Vertical position of the next element. */
  y = MARGIN.top;

  constructor(institution: Institution, titles: Titles) {
    this.#institution = institution;
    this.#titles = titles;
    const { orientation = 'portrait', side } = titles;
    this.left = side;
    this.doc = new jsPDF({ format: 'a4', unit: 'mm', orientation, compress: true, putOnlyUsedFonts: true });
    this.fonts = new Fonts(this.doc);
    this.width = this.doc.internal.pageSize.getWidth() - 2 * side;
    this.bottom = this.doc.internal.pageSize.getHeight() - MARGIN.bottom;
    const title = [titles.title, titles.subject].filter(Boolean).join(': ');
    this.doc.setProperties({
      title,
      subject: titles.title,
      author: institution.name,
      creator: institution.name,
    });
    this.doc.setLanguage('pt-BR').viewerPreferences({ DisplayDocTitle: true });
    this.#letterhead();
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

  /** Prints lines of text from the current position down; `at.y` is the distance to the first one. */
  print(lines: readonly Line[], font: Font, at: { x: number; y: number }): void {
    this.fonts.use(font.style, font.points);
    this.doc.setTextColor(...font.color);
    lines.forEach(({ text, indent }, i) =>
      this.doc.text(text, at.x + indent, at.y + (i + 0.76) * lineHeight(font.points)),
    );
  }

  line(text: string, font: Font, at: { x: number; y: number }, align: 'left' | 'right' = 'left'): void {
    const printable = this.fonts.printable(text);
    const indent = align === 'right' ? -this.fonts.width(printable, font.style, font.points) : 0;
    this.print([{ text: printable, indent }], font, at);
  }

  /** A shaded box with a border. */
  box(x: number, y: number, width: number, height: number): void {
    this.doc
      .setFillColor(...SHADE)
      .setDrawColor(...RULE)
      .setLineWidth(0.2);
    this.doc.rect(x, y, width, height, 'FD');
  }

  /** The background of a row; darker for a header. */
  shade(x: number, y: number, width: number, height: number, head: boolean): void {
    this.doc.setFillColor(...(head ? HEAD_SHADE : SHADE));
    this.doc.rect(x, y, width, height, 'F');
  }

  rule(y: number, color: Color = RULE, thickness = 0.2): void {
    this.doc.setDrawColor(...color).setLineWidth(thickness);
    this.doc.line(this.left, y, this.left + this.width, y);
  }

  /** Completes the file. Headers and footers are printed last, when the number of pages is known. */
  finish(): Uint8Array {
    const count = this.doc.getNumberOfPages();
    for (let number = 1; number <= count; number++) {
      this.doc.setPage(number);
      this.#margins(number, count);
    }
    return new Uint8Array(this.doc.output('arraybuffer'));
  }

  /** Joins the strings of a finished page. jsPDF keeps thousands of them, which take many times the memory of their text. */
  #compact(): void {
    const pages = this.doc.internal.pages as unknown as string[][];
    const page = pages[this.doc.getNumberOfPages()]!;
    page.splice(0, page.length, page.join('\n'));
    this.fonts.compact();
  }

  #letterhead(): void {
    const { name, logo } = this.#institution;
    const top = 14;
    let x = this.left;
    if (logo) {
      const { width, height } = this.doc.getImageProperties(logo);
      const scale = Math.min(LOGO.height / height, LOGO.width / width);
      this.doc.addImage(logo, this.left, top, width * scale, height * scale, undefined, 'FAST');
      x += width * scale + 5;
    }
    this.line(this.#fitting(name, x), { style: 'bold', points: 13, color: INK }, { x, y: top + 2 });
    const kind = this.#titles.title.toLocaleUpperCase('pt-BR');
    this.line(kind, { style: 'normal', points: 10, color: ACCENT }, { x, y: top + 9 });
    this.y = top + (logo ? LOGO.height + 3 : 17);
    this.rule(this.y, ACCENT, 0.6);
    this.y += 6;
  }

  #margins(number: number, count: number): void {
    const small: Font = { style: 'normal', points: 8, color: MUTED };
    const right = this.left + this.width;
    if (number > 1) {
      const running = [this.#titles.title, this.#titles.subject].filter(Boolean).join(' · ');
      this.line(this.#fitting(running, this.left, small), small, { x: this.left, y: 12 });
      this.rule(17.5);
    }
    const foot = this.bottom + 6;
    this.rule(foot - 1.5);
    this.line(this.#fitting(this.#titles.footer, this.left + 40, small), small, { x: this.left, y: foot });
    this.line(`página ${number} de ${count}`, small, { x: right, y: foot }, 'right');
  }

  /** A text, cut to the remaining width of one line. */
  #fitting(
    text: string,
    x: number,
    { style, points }: Pick<Font, 'style' | 'points'> = { style: 'bold', points: 13 },
  ): string {
    const room = this.left + this.width - x;
    let shown = this.fonts.printable(text);
    if (this.fonts.width(shown, style, points) <= room) return shown;
    while (this.fonts.width(`${shown}…`, style, points) > room) shown = shown.slice(0, -1).trimEnd();
    return `${shown}…`;
  }
}
