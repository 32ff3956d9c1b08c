import { jsPDF } from 'jspdf';
import { fromLeft, prepared } from './texts.ts';
import type { ObjectWriter, Typeface } from './typeface.ts';
import { MISSING, type Glyphs, type Style } from './typefaces.ts';

/** jsPDF's fonts of a document. Each is embedded at the end. */
type Register = Record<string, PdfFont>;

interface PdfFont {
  id: string;
  typeface?: Typeface;
  metadata: object;
  encoding: string;
  objectNumber?: number;
  isAlreadyPutted?: boolean;
}

const registers = new WeakMap<jsPDF, Register>();

/**
 * For each document, jsPDF reads and cuts whole font files. So its fonts are replaced by ours, which are the same in
 * every document. Its built-in fonts lack Greek letters.
 */
(jsPDF.API.events as unknown[]).push(
  [
    'addFonts',
    function (this: jsPDF, { fonts }: { fonts: Register }): void {
      for (const id of Object.keys(fonts)) delete fonts[id];
      registers.set(this, fonts);
    },
  ],
  [
    'putFont',
    ({ font, ...writer }: ObjectWriter & { font: PdfFont }): void => {
      if (!font.typeface) return;
      font.objectNumber = font.typeface.put(writer);
      font.isAlreadyPutted = true;
    },
  ],
);

/** A line of text at a position on the page, in points from its lower left corner. */
export interface Placed {
  text: string;
  x: number;
  y: number;
}

/** One thousandth of a point in millimetres. */
const THOUSANDTH = 25.4 / 72 / 1000;

/** The fonts of one document. */
export class Fonts {
  readonly #glyphs: Glyphs;
  readonly #register: Register;
  readonly #ids = new Map<Typeface, string>();

  constructor(doc: jsPDF, glyphs: Glyphs) {
    this.#glyphs = glyphs;
    this.#register = registers.get(doc)!;
  }

  /** Width of a text in millimetres. */
  width(text: string, style: Style, points: number): number {
    const glyphs = this.#glyphs[style];
    let sum = 0;
    for (const character of text) sum += glyphs.get(character)?.width ?? 0;
    return sum * points * THOUSANDTH;
  }

  /**
   * The text as printed, in lines. A character that no font has becomes the usual ones that mean the same, such as `x`
   * for a mathematical `𝑥`, or else `□`. Tabs are kept.
   */
  printable(text: string): string {
    const { normal } = this.#glyphs;
    const ready = prepared(text);
    return ready === text && isKnown(text, normal)
      ? text
      : ready.replace(/[^\n\t]/gu, character => {
          if (normal.has(character)) return character;
          const plain = character.normalize('NFKC');
          return isKnown(plain, normal) ? plain : MISSING;
        });
  }

  /** The operators that show lines, between `BT` and `ET`. */
  show(lines: readonly Placed[], style: Style, points: number): string {
    return lines
      .map(
        ({ text, x, y }) =>
          `1 0 0 1 ${rounded(x)} ${rounded(y)} Tm${this.#runs(fromLeft(text), style, points)}`,
      )
      .join('\n');
  }

  /** Splits a line into parts, each in a font that has its characters. */
  #runs(text: string, style: Style, points: number): string {
    const glyphs = this.#glyphs[style];
    let operators = '';
    let run = '';
    let typeface: Typeface | undefined;
    const end = (): void => {
      if (typeface) operators += ` /${this.#id(typeface)} ${points} Tf <${run}> Tj`;
      run = '';
    };
    for (const character of text) {
      const glyph = (glyphs.get(character) ?? glyphs.get(MISSING))!;
      if (glyph.typeface !== typeface) end();
      typeface = glyph.typeface;
      run += glyph.code;
    }
    end();
    return operators;
  }

  /** The name of a font inside pages. */
  #id(typeface: Typeface): string {
    let id = this.#ids.get(typeface);
    if (id === undefined) {
      id = `F${this.#ids.size + 1}`;
      this.#ids.set(typeface, id);
      this.#register[id] = { id, typeface, metadata: {}, encoding: 'Identity-H' };
    }
    return id;
  }
}

function isKnown(text: string, glyphs: ReadonlyMap<string, unknown>): boolean {
  for (const character of text) if (!glyphs.has(character)) return false;
  return true;
}

const rounded = (points: number): number => Math.round(points * 100) / 100;
