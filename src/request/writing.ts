import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from './context.ts';
import type { Call } from './call.ts';
import { MARK } from '../access/session-reads.ts';
import { READ_ONLY } from '../database/primary.ts';
import { opened } from '../database/opening.ts';
import { AFTER_COMMIT } from '../database/transaction-client.ts';
import { isOutdated } from '../database/statement-names.ts';
import type { Lane, Lock } from '../database/turns.ts';
import { transactionReader, type Statement } from '../database/reader.ts';

/**
 * Sets the author until the end of the transaction, for the audit trail's triggers. Also forces generic plans: with
 * array parameters PostgreSQL would replan each time, which costs more than the writes.
 */
const SET_AUTHOR = `select set_config('sii.id_pessoa', $1, true) as c0, set_config('sii.id_sistema', $2, true) as c1,
  set_config('sii.endereco', $3, true) as c2, set_config('sii.requisicao', $4, true) as c3,
  set_config('plan_cache_mode', 'force_generic_plan', true) as c4`;

/** The source of a write: the call of a mutation, or a request whose mutation takes no `Idempotency-Key`. */
type Writer = Pick<Call, 'context'> & Partial<Pick<Call, 'once'>>;

/** Author of a write that is not made by the session of the request. */
interface Author {
  idPessoa: number;
  idSistema: number;
}

/** Options of a write. */
interface WriteOptions {
  /** What the write will lock. It waits for other writes that lock the same. */
  locks?: readonly Lock[];
  lane?: Lane;
  /**
   * Whether the write completes what the request has already done. Then it is done even if the session has ended
   * meanwhile.
   */
  completes?: boolean;
}

/** Attempts at a transaction that the database has aborted in favour of another one. */
const TRIES = 3;
/** SQLSTATEs of such an abort: serialization failure, deadlock. */
const ABORTED = new Set<unknown>(['40001', '40P01']);

/** Ends a transaction that has locked too little. It begins anew. */
export class LocksOutdated extends Error {
  readonly code = '40001';
}

/** Stores the position that the session has seen by then. Only standbys need it. */
const SEEN_NOW = AFTER_COMMIT + MARK;

/**
 * Runs a write in one transaction with its own unit of work. The audit trail records the caller as the author. The
 * write may have to wait for its turn. `work` may run several times, so it must not keep state outside the transaction.
 * It must not start another write. The first statements read the session again, because it may have ended, or lost the
 * rights by which the request was let in, while the body was on its way or the write waited.
 *
 *     await writing(call, async em => {
 *       const lote = await em.findOneOrFail(Lote, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
 *       lote.codLote = codLote;
 *     });
 */
export const writing = <T>(writer: Writer, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  writingAs(writer, {}, work);

/** Runs a write with options: locks, a lane of its own, or a write that completes others. */
export async function writingAs<T>(
  { context, once }: Writer,
  options: WriteOptions,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const session = await context.caller.presumedSession();
  const who = whoOf(context, session);
  const run = async (em: EntityManager, begun: Promise<void>): Promise<T> => {
    // What a mutation does elsewhere, it does only for a confirmed session.
    if (!context.caller.isPresumed)
      await Promise.all([begun, options.completes ? undefined : context.caller.confirmIn(em)]);
    try {
      return await (once ? once.run(em, session.idPessoa, () => work(em)) : work(em));
    } finally {
      await begun;
    }
  };
  return inTurn(context, options, async () => {
    const written = await opened(
      first => context.caller.begin(first, { text: SET_AUTHOR, values: who }),
      started =>
        context.services.orm.em.transactional(async em => {
          const result = await run(em, started());
          if (context.services.standbys.all.length > 0)
            await transactionReader(em).rows(SEEN_NOW, [session.id]);
          // If the client has got a time-out meanwhile, the transaction is rolled back. A time-out during the commit
          // itself cannot be excluded.
          context.deadline.check();
          return result;
        }),
    );
    context.services.wrote();
    return written;
  });
}

/** SQL of one row that sets the author of its statement by the parameters $1 to $4, as `author`. */
export const AUTHOR = `(${SET_AUTHOR}) author`;

/**
 * Runs a write of one statement without `begin` and `commit`, which saves two trips. The statement reads `AUTHOR` for
 * what it writes, and its own parameters begin at $5. Once it is sent, a time-out of the client does not stop it. Returns
 * its rows.
 */
export async function writingAlone(
  { context }: Writer,
  { author, ...options }: WriteOptions & { author: Author },
  { text, values }: Statement,
): Promise<unknown[][]> {
  const { reader } = context.services.listing;
  return inTurn(context, options, async () => {
    const rows = await reader.rows(text, [...whoOf(context, author), ...values]);
    context.services.wrote();
    return rows;
  });
}

const whoOf = ({ address, requestId }: Context, { idPessoa, idSistema }: Author): string[] => [
  String(idPessoa),
  String(idSistema),
  address,
  requestId,
];

/** Runs a transaction when the write has its turn, and again if the database has aborted it. */
function inTurn<T>(
  context: Context,
  { locks = [], lane = 'write' }: WriteOptions,
  transaction: () => Promise<T>,
): Promise<T> {
  const operation = context.trace.latest ?? '';
  return context.services.turns.run({ lane, operation, locks }, async () => {
    // The client may have got a time-out during the wait. Then nothing must be written.
    context.deadline.check();
    for (let tried = 1; ; tried++) {
      try {
        return await transaction();
      } catch (error) {
        const { code } = error as { code?: unknown };
        // The next connection may lead to another server, which may be the primary now.
        const isElsewhere = code === READ_ONLY && tried === 1;
        const again = ABORTED.has(code) || isElsewhere || isOutdated(error);
        if (tried === TRIES || !again) throw error;
        context.log.warn({ err: error, tried }, 'transaction retried');
      }
    }
  });
}
