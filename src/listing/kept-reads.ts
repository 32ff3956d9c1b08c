import type { Page } from './page.ts';
import { Audited, ReadCache } from './kept.ts';
import type { Reader } from '../database/reader.ts';

/** A total, and the snapshot of its count. */
export interface Total {
  total: number;
  snapshot: string | undefined;
}

/** A cached page, and what is needed to check it. */
export interface ReadPage {
  /** Frozen, because several requests share it. */
  page: Page<unknown>;
  /** Estimated bytes in memory. */
  bytes: number;
  /** Snapshot of the first statement; undefined when the page has no rows. */
  snapshot: string | undefined;
  /** PostgreSQL's current date, because some links depend on it; undefined when the page has no rows. */
  day: string | undefined;
  /** Statement that returns whether its tables changed since the snapshot, or the date is another one. */
  writtenText: string;
}

/** Caches of list reads. */
export interface ReadCaches {
  totals: ReadCache<Total>;
  pages: ReadCache<ReadPage>;
}

const TOTALS = 5_000;
/** Limit for all cached pages together. */
const PAGES_BYTES = 16 * 1024 * 1024;

export function readCaches(reader: Reader): ReadCaches {
  const audited = new Audited(reader);
  return {
    totals: new ReadCache<Total>(audited, { most: TOTALS, weigh: () => 1 }),
    pages: new ReadCache<ReadPage>(audited, { most: PAGES_BYTES, weigh: ({ bytes }) => bytes }),
  };
}

/** Freezes a value and returns its estimated bytes on the heap. */
export function freezeAndMeasure(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  Object.freeze(value);
  return Object.values(value).reduce<number>((bytes, part) => bytes + freezeAndMeasure(part), 128);
}
