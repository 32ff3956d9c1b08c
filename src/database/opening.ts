import { AsyncLocalStorage } from 'node:async_hooks';
import type { Named } from './named-query.ts';
import type { Reader } from './reader.ts';
import { statementName } from './statement-names.ts';

/** The first statement of a transaction, and what becomes of it. */
export interface Opening {
  first: Named;
  resolve: (rows: unknown[][]) => void;
  reject: (error: unknown) => void;
}

/** Runs the first statement. */
type FirstReader = Pick<Reader, 'rows'>;

/** Where an opening waits for its transaction. */
interface Place {
  opening: Opening | undefined;
}

const openings = new AsyncLocalStorage<Place>();

/**
 * Opens a transaction: runs its first statement and its further work at the same time. The statement is sent together with
 * `begin`, and with the first one of the work if that comes at once. So they take one trip, and run in this order.
 *
 *     await opened(
 *       reader => reader.rows(…),
 *       started => em.transactional(async em => {
 *         const rows = started();
 *         …
 *       }),
 *     );
 *
 * `first` must run one statement at once. The work calls `started` when it starts, and may wait for what that returns: the
 * result of `first`. It is an Error if no connection has begun a transaction, as inside another transaction.
 */
export async function opened<First, T>(
  first: (reader: FirstReader) => Promise<First>,
  transaction: (started: () => Promise<First>) => Promise<T>,
): Promise<T> {
  const here: Place = { opening: undefined };
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
    return await openings.run(here, () =>
      transaction(() => {
        take(here)?.reject(new Error('the work has started outside of a transaction of its own'));
        return begun;
      }),
    );
  } catch (error) {
    take(here)?.reject(error);
    throw error;
  }
}

/** The opening of the transaction that this code begins. It is returned once. */
export function takeOpening(): Opening | undefined {
  const here = openings.getStore();
  return here && take(here);
}

function take(here: Place): Opening | undefined {
  const { opening } = here;
  here.opening = undefined;
  return opening;
}
