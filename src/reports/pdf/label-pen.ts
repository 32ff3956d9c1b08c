import { jsPDF } from 'jspdf';
import { correction, generate } from 'lean-qr';
import { Fonts } from './fonts.ts';
import { withObjects } from './object-streams.ts';
import { Tags } from './tags.ts';
import type { Glyphs, Style } from './typefaces.ts';
import type { Sheet } from '../../domain/label-sheets.ts';
import { wrap } from './wrap.ts';

/** A typeface on a label. */
export interface LabelFont {
  style: Style;
  points: number;
}

/** Labels are read from a short distance, so lines are closer than in documents. */
export const lineOf = ({ points }: LabelFont): number => points * 0.3528 * 1.17;

/** Number of white modules around a QR code, which scanners need. */
const QUIET = 4;

/** Draws on sheets of labels. Lengths are millimetres. */
export class LabelPen {
  readonly doc: jsPDF;
  readonly tags: Tags;
  readonly #fonts: Fonts;

  constructor({ page: [width, height] }: Sheet, institution: string, glyphs: Glyphs) {
    const orientation = width > height ? 'landscape' : 'portrait';
    this.doc = new jsPDF({
      format: [width, height],
      unit: 'mm',
      orientation,
      compress: true,
    });
    this.#fonts = new Fonts(this.doc, glyphs);
    this.tags = new Tags(this.doc);
    this.doc.setProperties({ title: 'Etiquetas', author: institution, creator: institution });
    this.doc.setLanguage('pt-BR').viewerPreferences({ DisplayDocTitle: true, PrintScaling: 'None' });
  }

  addPage({ page: [width, height] }: Sheet): void {
    this.doc.addPage([width, height], width > height ? 'landscape' : 'portrait');
  }

  /** A text in lines, at most `most` of them. If it is longer, the last line ends with `…`. */
  lines(text: string, width: number, font: LabelFont, most = Infinity): string[] {
    const { style, points } = font;
    const measure = (part: string): number => this.#fonts.width(part, style, points);
    const all = wrap(
      this.#fonts
        .printable(text)
        .replace(/[\n\t]/g, ' ')
        .trim(),
      width,
      measure,
    ).map(line => line.text);
    if (all.length <= most || most < 1) return all.slice(0, Math.max(0, most));
    const kept = all.slice(0, most);
    let last = kept.pop()!.trimEnd();
    while (last !== '' && measure(`${last}…`) > width) last = last.replace(/.$/su, '');
    return [...kept, `${last.trimEnd()}…`];
  }

  /** Prints lines from `y` down. Returns the position of the next line. */
  print(
    lines: readonly string[],
    font: LabelFont,
    x: number,
    y: number,
    color: 'black' | 'white' = 'black',
  ): number {
    if (lines.length === 0) return y;
    const { scaleFactor, pageSize } = this.doc.internal;
    const placed = lines.map((text, i) => ({
      text,
      x: x * scaleFactor,
      y: (pageSize.getHeight() - y - (i + 0.78) * lineOf(font)) * scaleFactor,
    }));
    const operators = `${color === 'black' ? 0 : 1} g BT ${this.#fonts.show(placed, font.style, font.points)} ET`;
    this.tags.as('P', () => this.tags.write(operators));
    return y + lines.length * lineOf(font);
  }

  /** White lines in the middle of a black band. */
  band(
    lines: readonly string[],
    font: LabelFont,
    box: { x: number; y: number; width: number; height: number },
  ): void {
    const { x, y, width, height } = box;
    this.tags.around(() => this.doc.setFillColor('black').rect(x, y, width, height, 'F'));
    let at = y + (height - lines.length * lineOf(font)) / 2;
    for (const line of lines) {
      const indent = (width - this.#fonts.width(line.trimEnd(), font.style, font.points)) / 2;
      at = this.print([line], font, x + indent, at, 'white');
    }
  }

  /** A picture with its name as the text alternative. Pictures of one alias are stored once. */
  picture(
    name: string,
    bytes: Uint8Array,
    alias: string,
    box: { x: number; y: number; width: number; height: number },
  ): void {
    this.figure(name, () => this.doc.addImage({ imageData: bytes, alias, compression: 'FAST', ...box }));
  }

  /** Draws a picture with a text alternative. */
  figure(alt: string, draw: () => void): void {
    this.tags.in(this.tags.part('Figure', undefined, alt), () => this.tags.around(draw));
  }

  /** A QR code in a square with this side, including its white margin. */
  qr(text: string, x: number, y: number, side: number): void {
    const code = generate(text, { minCorrectionLevel: correction.M });
    const module = side / (code.size + 2 * QUIET);
    const at = (index: number): number => (index + QUIET) * module;
    this.figure(`Código QR: ${text}`, () => {
      this.doc.setFillColor('black');
      for (let row = 0; row < code.size; row++)
        for (let from = 0; from < code.size; from++) {
          let until = from;
          while (code.get(until, row)) until++;
          if (until === from) continue;
          // Slightly higher than a module, because viewers would show white lines between rows.
          this.doc.rect(x + at(from), y + at(row), (until - from) * module, module * 1.02, 'F');
          from = until;
        }
    });
  }

  finish(): Uint8Array {
    const file = new Uint8Array(this.doc.output('arraybuffer'));
    return withObjects(file, this.tags.objects);
  }
}
