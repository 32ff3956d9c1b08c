import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import { Typeface, type Glyph } from './typeface.ts';

export type Style = 'normal' | 'bold';

/** The characters that a document can show, in each style. */
export type Glyphs = Readonly<Record<Style, ReadonlyMap<string, Glyph>>>;

/** Replaces characters that no font has. */
export const MISSING = '□';

/** Printable ASCII and Latin-1, without the soft hyphen. */
const LATIN = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)),
  ...Array.from({ length: 96 }, (_, i) => String.fromCharCode(0xa0 + i)).filter(letter => letter !== '\xAD'),
];
/** Characters that are always loaded: letters of Portuguese and Greek, and signs of formulas. */
const USUAL = new Set([
  ...LATIN,
  ...Array.from('–—‘’‚“”„•…‰€™−≤≥≠≈→←∞√∆∑∂∫₀₁₂₃₄₅₆₇₈₉₊₋⁰⁴⁵⁶⁷⁸⁹⁺⁻'),
  ...Array.from('αβγδεζηθικλμνξοπρςστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ'),
  MISSING,
]);

export const isUsual = (character: string): boolean => USUAL.has(character);

const require = createRequire(import.meta.url);
const FILES: Readonly<Record<Style, string>> = {
  normal: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
};
/**
 * Fonts for characters that DejaVu lacks, in order of preference. Each consists of many files with some characters
 * each. This file lists which file has which character.
 */
const OTHERS = [
  require.resolve('@fontsource-variable/noto-emoji/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
];

/** Memoises a function of one argument. */
function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return key => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

const dejaVu = once((style: Style) => readFileSync(FILES[style]));

const usual = once(async (style: Style) => cut(dejaVu(style), USUAL));

/** The file of each character of a font. */
const filesOf = once((index: string): ReadonlyMap<string, string> => {
  const folder = dirname(index);
  const ranges = JSON.parse(readFileSync(index, 'utf8')) as Record<string, string>;
  const files = new Map<string, string>();
  for (const [part, all] of Object.entries(ranges)) {
    const file = join(folder, 'files', `${basename(folder)}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`);
    for (const range of all.split(',')) {
      const [from, to = from] = range.slice(2).split('-');
      for (let code = parseInt(from!, 16); code <= parseInt(to!, 16); code++) {
        const character = String.fromCodePoint(code);
        if (!files.has(character)) files.set(character, file);
      }
    }
  }
  return files;
});

/**
 * The common characters, and those of the others that any font has. Fonts are read when a document needs them, and only
 * the characters of the document are embedded.
 */
export async function glyphsFor(others: ReadonlySet<string>): Promise<Glyphs> {
  const [normal, bold] = await Promise.all([usual('normal'), usual('bold')]);
  if (others.size === 0) return { normal: normal.glyphs, bold: bold.glyphs };
  const left = new Set(others);
  const more: Typeface[] = [];
  const add = (face: Typeface): void => {
    more.push(face);
    for (const character of face.glyphs.keys()) left.delete(character);
  };
  add(await cut(dejaVu('normal'), others));
  for (const index of OTHERS)
    for (const [file, characters] of byFile(filesOf(index), left))
      add(await cut(await part(file), characters));
  return {
    normal: together([normal, ...more]),
    bold: together([bold, await cut(dejaVu('bold'), others), ...more]),
  };
}

/** Recently used files. Unpacking one takes ten times as long as taking characters from it. */
const parts = new Map<string, Uint8Array>();
const MOST_PARTS = 60;

/** A file of another font, unpacked, in the regular weight. */
async function part(file: string): Promise<Uint8Array> {
  const known = parts.get(file);
  if (known) return known;
  const unpacked = await subsetFont(readFileSync(file), undefined, {
    ...PLAIN,
    keepAllGlyphs: true,
    variationAxes: { wght: 400 },
  });
  if (parts.size >= MOST_PARTS) parts.clear();
  parts.set(file, unpacked);
  return unpacked;
}

const cut = async (font: Uint8Array, characters: Iterable<string>): Promise<Typeface> =>
  new Typeface(await subsetFont(font, [...characters].join(''), PLAIN), characters);

/** The parts of a font that a PDF needs: no hints for low resolutions, no rules for other writing systems. */
const PLAIN = { targetFormat: 'truetype', keepFeatures: [], noHinting: true } as const;

function byFile(files: ReadonlyMap<string, string>, characters: Iterable<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const character of characters) {
    const file = files.get(character);
    if (file === undefined) continue;
    const others = found.get(file);
    if (others) others.push(character);
    else found.set(file, [character]);
  }
  return found;
}

/** The characters of all fonts. If several have the same character, the first one is used. */
const together = (faces: readonly Typeface[]): ReadonlyMap<string, Glyph> =>
  new Map(faces.toReversed().flatMap(face => [...face.glyphs]));
