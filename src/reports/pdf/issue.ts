import type { Institution } from './page.ts';

/** Who issues a document, and when. */
export interface Issue {
  institution: Institution;
  now: Date;
  timeZone: string;
  /** Day and time for readers, in the institution's time zone: `21/11/2026, 14:05`. */
  moment: (instant: Date) => string;
}
