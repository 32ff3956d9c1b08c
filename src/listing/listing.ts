import type { MetadataStorage } from '@mikro-orm/core';
import type { Budget, BudgetLimits } from '../database/budget.ts';
import type { Reader } from '../database/reader.ts';
import type { Gate } from '../runtime/gates.ts';
import type { KeptTotals } from './totals.ts';

/** Limits of every list (contract 3), from the configuration. */
interface ListLimits {
  itemsPerPage: number;
  unpaginatedRows: number;
  /** Limits of all reads of one request together. */
  request: BudgetLimits;
  /** Longest wait for the next rows of a streamed list, in milliseconds. */
  batchMs: number;
}

/** What lists are read with. */
export interface Listing {
  metadata: MetadataStorage;
  reader: Reader;
  limits: ListLimits;
  /** Undefined inside a transaction, which also counts its own uncommitted rows. */
  totals?: KeptTotals | undefined;
  /** Limits how many parts of long lists are read at a time, so that they do not take all connections. */
  parts: Gate;
  /** Budget of the current request; undefined for the service's own reads. */
  budget?: Budget | undefined;
}
