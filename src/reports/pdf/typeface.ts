import { deflateSync } from 'node:zlib';
import { Blob, Face, Font } from 'harfbuzzjs';

/** The glyph of a character. */
export interface Glyph {
  typeface: Typeface;
  /** Its code inside a page, as four hexadecimal digits. */
  code: string;
  /** In thousandths of the font size. */
  width: number;
}

/** Writes the objects of a PDF file. */
export interface ObjectWriter {
  /** Starts an object, and returns its number. */
  newObject: () => number;
  out: (line: string) => void;
}

/** A font file with few characters, as PDF objects. They are the same in every document. */
export class Typeface {
  readonly glyphs: ReadonlyMap<string, Glyph>;
  readonly #file: string;
  readonly #glyphIds: string;
  readonly #toUnicode: string;
  readonly #descriptor: string;
  readonly #descendant: string;

  /** The font gets those of the characters that the file contains. */
  constructor(file: Uint8Array, characters: Iterable<string>) {
    const face = new Face(new Blob(file));
    const font = new Font(face);
    const scale = 1000 / face.upem;
    const glyphs = new Map<string, Glyph>();
    const ids: number[] = [0];
    // Each character has a code of its own, so that copied text is right even if two characters share a glyph.
    for (const character of characters) {
      const id = font.nominalGlyph(character.codePointAt(0)!);
      if (id === undefined || glyphs.has(character)) continue;
      const width = Math.round(font.glyphHAdvance(id) * scale);
      glyphs.set(character, { typeface: this, code: hex(ids.push(id) - 1), width });
    }
    this.glyphs = glyphs;
    const { ascender, descender } = font.hExtents();
    const [top, bottom] = [ascender, descender].map(height => Math.round(height * scale)) as [number, number];
    this.#file = stream(file, `/Length1 ${file.length}`);
    this.#glyphIds = stream(Buffer.from(ids.flatMap(id => [id >> 8, id & 255])));
    this.#toUnicode = stream(Buffer.from(unicodeOf([...glyphs])));
    this.#descriptor = `/Type /FontDescriptor /FontName /${NAME} /Flags 4 /ItalicAngle 0 /StemV 80 /FontBBox [0 ${bottom} 1000 ${top}] /Ascent ${top} /Descent ${bottom} /CapHeight ${top}`;
    this.#descendant = `/Type /Font /Subtype /CIDFontType2 /BaseFont /${NAME} /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /DW 1000 /W [1 [${[...glyphs.values()].map(glyph => glyph.width).join(' ')}]]`;
  }

  /** Writes the font into a PDF. Returns the number of its object. */
  put({ newObject, out }: ObjectWriter): number {
    const object = (content: string): number => {
      const number = newObject();
      out(content);
      out('endobj');
      return number;
    };
    const dictionary = (content: string): number => object(`<<${content}>>`);
    const [file, glyphIds, toUnicode] = [this.#file, this.#glyphIds, this.#toUnicode].map(object);
    const descriptor = dictionary(`${this.#descriptor} /FontFile2 ${file} 0 R`);
    const descendant = dictionary(
      `${this.#descendant} /CIDToGIDMap ${glyphIds} 0 R /FontDescriptor ${descriptor} 0 R`,
    );
    return dictionary(
      `/Type /Font /Subtype /Type0 /BaseFont /${NAME} /Encoding /Identity-H /ToUnicode ${toUnicode} 0 R /DescendantFonts [${descendant} 0 R]`,
    );
  }
}

/** Six letters before the name mean that the file contains only a part of the font. */
const NAME = 'SUBSET+Document';

const hex = (number: number): string => number.toString(16).padStart(4, '0');

/** A compressed stream, in the binary strings of jsPDF. */
function stream(content: Uint8Array, more = ''): string {
  const bytes = deflateSync(content).toString('latin1');
  return `<</Length ${bytes.length} /Filter /FlateDecode ${more}>>\nstream\n${bytes}\nendstream`;
}

/** The character of each code, for copying text. PDF allows at most 100 per block. */
function unicodeOf(glyphs: readonly (readonly [string, Glyph])[]): string {
  const parts: string[] = [];
  for (let from = 0; from < glyphs.length; from += 100) {
    const part = glyphs
      .slice(from, from + 100)
      .map(([character, { code }]) => `<${code}><${utf16(character)}>`);
    parts.push(`${part.length} beginbfchar`, ...part, 'endbfchar');
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000><ffff> endcodespacerange',
    ...parts,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

const utf16 = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => hex(character.charCodeAt(i))).join('');
