import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { jsPDF } from 'jspdf';

/** The typeface of every document. It has Portuguese and Greek letters and the characters of formulas. */
const FAMILY = 'DejaVu';
const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

export type Style = 'normal' | 'bold';

const files: Readonly<Record<Style, string>> = {
  normal: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
};
const styles = Object.keys(files) as Style[];

/** Read once, when the first document is written. */
const contents = new Map(styles.map(style => [style, readFileSync(join(folder, files[style]), 'base64')]));

/** Characters of Portuguese, which the font always has. */
const PLAIN = /^[ -~\xA1-\xAC\xAE-\xFF]*$/;

/** jsPDF's data about a font: the characters that it has. */
interface Metadata {
  cmap: { unicode: { codeMap: Readonly<Record<number, number>> } };
  /** Glyphs that are printed, one entry each time. */
  glyIdsUsed: number[];
}

/** The fonts of one document, with the widths of their characters. */
export class Fonts {
  readonly #doc: jsPDF;
  readonly #widths: Readonly<Record<Style, Map<string, number>>> = { normal: new Map(), bold: new Map() };

  constructor(doc: jsPDF) {
    this.#doc = doc;
    for (const style of styles) {
      doc.addFileToVFS(files[style], contents.get(style)!);
      doc.addFont(files[style], FAMILY, style);
    }
    this.use('normal', 10);
  }

  /** Removes duplicates from the list of printed glyphs, which jsPDF otherwise lets grow with the document. */
  compact(): void {
    for (const style of styles) {
      const metadata = this.#metadata(style);
      metadata.glyIdsUsed = [...new Set(metadata.glyIdsUsed)];
    }
  }

  use(style: Style, points: number): void {
    this.#doc.setFont(FAMILY, style).setFontSize(points);
  }

  /** Width of a text in millimetres. The width of each character is cached, which makes long texts fast. */
  width(text: string, style: Style, points: number): number {
    const known = this.#widths[style];
    let sum = 0;
    for (const character of text) {
      let width = known.get(character);
      if (width === undefined) {
        this.use(style, 1);
        known.set(character, (width = this.#doc.getTextWidth(character)));
      }
      sum += width;
    }
    return sum * points;
  }

  /** Text in printable form: composed letters, no control characters, `□` for characters that the font lacks. */
  printable(text: string): string {
    if (PLAIN.test(text)) return text;
    const { codeMap } = this.#metadata('normal').cmap.unicode;
    return text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(/[\t\u2028\u2029]/g, ' ')
      .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '')
      .replace(/[^\n]/gu, character => (codeMap[character.codePointAt(0)!] ? character : '□'));
  }

  #metadata(style: Style): Metadata {
    return (this.#doc.setFont(FAMILY, style).getFont() as unknown as { metadata: Metadata }).metadata;
  }
}
