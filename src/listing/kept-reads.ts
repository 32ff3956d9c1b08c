import type { Page } from './page.ts';
import { Audited, Kept } from './kept.ts';
import type { Reader } from '../database/reader.ts';

/** A total, and the snapshot in which it was counted. */
export interface Total {
  total: number;
  snapshot: string | undefined;
}

/** A page as it is shown, and what tells whether it would still be. */
export interface ReadPage {
  /** Unchangeable, since many are shown it. */
  page: Page<unknown>;
  /** About how much memory it takes. */
  bytes: number;
  /** Of the statement that was first; absent when no row tells it. */
  snapshot: string | undefined;
  /** PostgreSQL's, since some links are shown on certain days; absent like the snapshot. */
  day: string | undefined;
  /** Statement that asks whether its tables were written since the snapshot and the day. */
  writtenText: string;
}

/** What lists keep of what they read. */
export interface KeptReads {
  totals: Kept<Total>;
  pages: Kept<ReadPage>;
}

const TOTALS = 5_000;
/** Of all pages together. */
const PAGES_BYTES = 16 * 1024 * 1024;

export function keptReads(reader: Reader): KeptReads {
  const audited = new Audited(reader);
  return {
    totals: new Kept<Total>(audited, { most: TOTALS, weigh: () => 1 }),
    pages: new Kept<ReadPage>(audited, { most: PAGES_BYTES, weigh: ({ bytes }) => bytes }),
  };
}

/** Makes what was read unchangeable, and says about how many bytes it takes: of the heap's own, too. */
export function settled(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  Object.freeze(value);
  return Object.values(value).reduce<number>((bytes, part) => bytes + settled(part), 128);
}
