import { jsPDF } from 'jspdf';
import { isUsual } from './typefaces.ts';

/** Texts with common characters only. They need no further preparation. */
const PLAIN = /^[ -~\xA1-\xAC\xAE-\xFF]*$/;

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** A text whose first letter is one of these: it begins on the right (rule P2 of Unicode's bidirectional algorithm). */
const BEGINS_RIGHT = new RegExp(`^\\P{L}*${RIGHT_TO_LEFT.source}`, 'u');

/** jsPDF's plugins for Arabic letters, and for the order of characters on a line. */
interface Plugins {
  API: { processArabic: (text: string) => string };
  __bidiEngine__: new (options: Readonly<Record<string, boolean>>) => {
    doBidiReorder: (text: string) => string;
  };
}
const plugins = jsPDF as unknown as Plugins;

/** Without both directions, the plugin would print the lines of one direction backwards, and keep the first it found. */
const orderOf = (isInputRtl: boolean) =>
  new plugins.__bidiEngine__({
    isInputVisual: false,
    isInputRtl,
    isOutputVisual: true,
    isOutputRtl: false,
    isSymmetricSwapping: true,
  });
const [beginningRight, beginningLeft] = [orderOf(true), orderOf(false)];

/**
 * The text with composed characters, without control characters and variation selectors. Arabic letters get the form
 * for their neighbours.
 */
export function prepared(text: string): string {
  if (PLAIN.test(text)) return text;
  const composed = text
    .normalize('NFC')
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}\uFE00-\uFE0F]/gu, '');
  return RIGHT_TO_LEFT.test(composed) ? shaped(composed) : composed;
}

/** Characters that stand for several Arabic letters: lam with an alef, and a word that no font of ours has as one. */
const LAM_ALEF = /[\uFEF5-\uFEFC]/;
const ALLAH = '\uFDF2';
const LETTERS_OF_ALLAH = '\uFE8D\uFEDF\uFEE0\uFEEA';

/**
 * The text with Arabic letters in the form for their neighbours. The plugin takes vowel marks for letters that do not
 * join, so the letters get their forms without the marks, and each mark comes back to its letter.
 */
function shaped(text: string): string {
  const taken = text.replace(/[\uFDF2\uFEF5-\uFEFC]/g, ligature => ligature.normalize('NFKC'));
  const [before = '', ...marks] = taken.split(/\P{Mn}/u);
  const forms = plugins.API.processArabic(taken.replace(/\p{Mn}/gu, '')).replaceAll(ALLAH, LETTERS_OF_ALLAH);
  let nth = 0;
  const marked = Array.from(forms, form => form + marks[nth++] + (LAM_ALEF.test(form) ? marks[nth++] : ''));
  return before + marked.join('');
}

/** The characters of a line from left to right. */
export const fromLeft = (line: string): string =>
  RIGHT_TO_LEFT.test(line)
    ? (BEGINS_RIGHT.test(line) ? beginningRight : beginningLeft).doBidiReorder(line)
    : line;

/** Statistics of the texts in a value. */
export interface Survey {
  /** Number of UTF-16 units. */
  length: number;
  /** Characters that are not among the common ones. */
  others: Set<string>;
}

/** Walks through all texts in a value. */
export function survey(value: unknown, found: Survey = { length: 0, others: new Set() }): Survey {
  if (typeof value === 'string') {
    found.length += value.length;
    if (!PLAIN.test(value))
      for (const character of prepared(value)) if (!isUsual(character)) found.others.add(character);
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value) as unknown[]) survey(part, found);
  }
  return found;
}
