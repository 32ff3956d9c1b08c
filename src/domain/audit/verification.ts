import type { Head } from './links.ts';

/** The result of a verification. */
export interface Verification {
  /** Sentences about what is wrong. */
  findings: string[];
  /** Sentences about the archives that the storage did not send, which are not verified. */
  unread: string[];
  /** Entries that match their links. */
  entries: number;
  /** Refusals that were deleted after a year. */
  forgotten: number;
  /** Entries that are not chained yet. */
  waiting: number;
  /**
   * Number of different heads that were given, and how many of them match. The others belong to links that no longer
   * exist.
   */
  kept: number;
  matching: number;
  /** The heads of the seals, and of all parts that are not sealed. */
  heads: Head[];
}

/** Called with the number of entries of a chain that were read. */
export type Progress = (chain: string, count: number) => void;
