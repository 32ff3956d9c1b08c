import { jsPDF } from 'jspdf';
import { correction, generate } from 'lean-qr';
import { Fonts, type Style } from './fonts.ts';
import type { Sheet } from '../../domain/label-sheets.ts';
import { wrap } from './wrap.ts';

/** A typeface on a label. */
export interface LabelFont {
  style: Style;
  points: number;
}

/** Labels are read from nearby, so lines are closer than in documents. */
export const lineOf = ({ points }: LabelFont): number => points * 0.3528 * 1.17;

/** White modules around a QR code, which readers need. */
const QUIET = 4;

/** Draws on sheets of labels. Lengths are millimetres. */
export class LabelPen {
  readonly doc: jsPDF;
  readonly #fonts: Fonts;

  constructor({ page: [width, height] }: Sheet, institution: string) {
    const orientation = width > height ? 'landscape' : 'portrait';
    this.doc = new jsPDF({
      format: [width, height],
      unit: 'mm',
      orientation,
      compress: true,
      putOnlyUsedFonts: true,
    });
    this.#fonts = new Fonts(this.doc);
    this.doc.setProperties({ title: 'Etiquetas', author: institution, creator: institution });
    this.doc.setLanguage('pt-BR').viewerPreferences({ DisplayDocTitle: true, PrintScaling: 'None' });
  }

  addPage({ page: [width, height] }: Sheet): void {
    this.#fonts.compact();
    this.doc.addPage([width, height], width > height ? 'landscape' : 'portrait');
  }

  /** A text in lines, at most `most` of them; the last one ends with `…` when there would be more. */
  lines(text: string, width: number, font: LabelFont, most = Infinity): string[] {
    const { style, points } = font;
    const measure = (part: string): number => this.#fonts.width(part, style, points);
    const all = wrap(this.#fonts.printable(text).replaceAll('\n', ' '), width, measure).map(
      line => line.text,
    );
    if (all.length <= most || most < 1) return all.slice(0, Math.max(0, most));
    const kept = all.slice(0, most);
    let last = kept.pop()!;
    while (last !== '' && measure(`${last}…`) > width) last = last.slice(0, -1);
    return [...kept, `${last.trimEnd()}…`];
  }

  /** Prints lines from `y` down. Returns where the next one would stand. */
  print(
    lines: readonly string[],
    font: LabelFont,
    x: number,
    y: number,
    color: 'black' | 'white' = 'black',
  ): number {
    this.#fonts.use(font.style, font.points);
    this.doc.setTextColor(color);
    lines.forEach((line, i) => this.doc.text(line, x, y + (i + 0.78) * lineOf(font)));
    return y + lines.length * lineOf(font);
  }

  /** White lines in the middle of a black band. */
  band(
    lines: readonly string[],
    font: LabelFont,
    box: { x: number; y: number; width: number; height: number },
  ): void {
    const { x, y, width, height } = box;
    this.doc.setFillColor('black').rect(x, y, width, height, 'F');
    let at = y + (height - lines.length * lineOf(font)) / 2;
    for (const line of lines) {
      const indent = (width - this.#fonts.width(line, font.style, font.points)) / 2;
      at = this.print([line], font, x + indent, at, 'white');
    }
  }

  /** A QR code in a square of this side, its white margin included. */
  qr(text: string, x: number, y: number, side: number): void {
    const code = generate(text, { minCorrectionLevel: correction.M });
    const module = side / (code.size + 2 * QUIET);
    this.doc.setFillColor('black');
    for (let row = 0; row < code.size; row++)
      for (let from = 0; from < code.size; from++) {
        let until = from;
        while (code.get(until, row)) until++;
        if (until === from) continue;
        const at = (index: number): number => (index + QUIET) * module;
        // A little higher than a module, or viewers show white lines between rows.
        this.doc.rect(x + at(from), y + at(row), (until - from) * module, module * 1.02, 'F');
        from = until;
      }
  }

  finish(): Uint8Array {
    return new Uint8Array(this.doc.output('arraybuffer'));
  }
}
