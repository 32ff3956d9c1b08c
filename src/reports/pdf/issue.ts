import type { Glyphs } from './typefaces.ts';

/** Who issues the document. */
export interface Institution {
  name: string;
  /** A PNG or JPEG. */
  logo?: Uint8Array | undefined;
}

/** The institution that issues a document, and the time. */
export interface Issue {
  institution: Institution;
  /** All characters that the fonts of the document have. */
  glyphs: Glyphs;
  now: Date;
  timeZone: string;
  /** Day and time for readers, in the institution's time zone: `21/11/2026, 14:05`. */
  moment: (instant: Date) => string;
}
