import { AsyncLocalStorage } from 'node:async_hooks';
import type { Named } from './named-query.ts';
import { statementName } from './statement-names.ts';

/** The first statement of a transaction, and what becomes of it. */
export interface Opening {
  first: Named;
  resolve: (rows: unknown[][]) => void;
  reject: (error: unknown) => void;
}

/** Runs the first statement. */
interface FirstReader {
  rows(text: string, values: readonly unknown[]): Promise<unknown[][]>;
}

const openings = new AsyncLocalStorage<{ opening: Opening | undefined }>();

/**
 * Opens a transaction: runs its first statement and its further work at the same time. The statement is sent together with
 * `begin`, and with the first one of the work if that comes at once. So they take one trip, and run in this order.
 *
 *     await opened(reader => reader.rows(…), rows => em.transactional(async em => …));
 *
 * `first` must run one statement at once.
 */
export async function opened<First, T>(
  first: (reader: FirstReader) => Promise<First>,
  transaction: (first: Promise<First>) => Promise<T>,
): Promise<T> {
  const here: { opening: Opening | undefined } = { opening: undefined };
  const reader: FirstReader = {
    rows: (text, values) =>
      new Promise((resolve, reject) => {
        // The process may have no more names for its own statements.
        const name = statementName(text, 'own') ?? statementName(text, 'composed')!;
        here.opening = { first: { name, text, values }, resolve, reject };
      }),
  };
  const begun = first(reader);
  // Whoever needs its result waits for it.
  begun.catch(() => undefined);
  try {
    return await openings.run(here, () => transaction(begun));
  } catch (error) {
    here.opening?.reject(error);
    throw error;
  }
}

/** The opening of the transaction that this code begins. It is returned once. */
export function takeOpening(): Opening | undefined {
  const here = openings.getStore();
  const opening = here?.opening;
  if (here) here.opening = undefined;
  return opening;
}
