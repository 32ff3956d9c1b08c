import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from './context.ts';
import type { Call } from './call.ts';
import { MARK } from '../access/session-reads.ts';
import { READ_ONLY } from '../database/primary.ts';
import { AFTER_COMMIT, SETS } from '../database/preparing-client.ts';
import { isOutdated } from '../database/statement-names.ts';
import type { Lane, Lock } from '../database/turns.ts';
import { transactionReader } from '../database/reader.ts';

/**
 * Sets the author until the end of the transaction, for the audit trail's triggers. Also forces generic plans: with
 * array parameters PostgreSQL would replan each time, which costs more than the writes.
 */
const SET_AUTHOR = `${SETS}'sii.id_pessoa', $1, true) as c0, set_config('sii.id_sistema', $2, true) as c1,
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
  author?: Author;
  /** What the write will lock. It waits for other writes that lock the same. */
  locks?: readonly Lock[];
  lane?: Lane;
}

/** Attempts at a transaction that the database has aborted in favour of another one. */
const TRIES = 3;
/** SQLSTATEs of such an abort: serialization failure, deadlock. */
const ABORTED = new Set<unknown>(['40001', '40P01']);

/** Stores the position that the session has seen by then. Only standbys need it. */
const SEEN_NOW = AFTER_COMMIT + MARK;

/**
 * Runs a write in one transaction with its own unit of work. The audit trail records the caller as the author. The
 * write may have to wait for its turn. `work` may run several times, so it must not keep state outside the transaction.
 * It must not start another write.
 *
 *     await writing(call, async em => {
 *       const lote = await em.findOneOrFail(Lote, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
 *       lote.codLote = codLote;
 *     });
 */
export const writing = <T>(writer: Writer, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  writingAs(writer, {}, work);

/** Runs a write with options: another author, locks, or a lane of its own. */
export async function writingAs<T>(
  { context, once }: Writer,
  { author, locks = [], lane = 'write' }: WriteOptions,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const session = author ? undefined : await context.caller.presumedSession();
  const { idPessoa, idSistema } = author ?? session!;
  const who = [String(idPessoa), String(idSistema), context.address.slice(0, 45), context.requestId];
  const operation = context.trace.latest ?? '';
  return context.services.turns.run({ lane, operation, locks }, async () => {
    // The client may have got a time-out during the wait. Then nothing must be written.
    context.deadline.check();
    return transaction(context, who, async em => {
      const result = await (once ? once.run(em, idPessoa, () => work(em)) : work(em));
      if (session && context.services.standbys.all.length > 0)
        await transactionReader(em).rows(SEEN_NOW, [session.id]);
      return result;
    });
  });
}

async function transaction<T>(
  context: Context,
  who: readonly string[],
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      const written = await context.services.orm.em.fork().transactional(async em => {
        await context.caller.begin(transactionReader(em), { text: SET_AUTHOR, values: who });
        const result = await work(em);
        // If the client has got a time-out meanwhile, the transaction is rolled back. A time-out during the commit
        // itself cannot be excluded.
        context.deadline.check();
        return result;
      });
      context.services.wrote();
      return written;
    } catch (error) {
      const { code } = error as { code?: unknown };
      // The next connection may lead to another server, which may be the primary now.
      const isElsewhere = code === READ_ONLY && tried === 1;
      const again = ABORTED.has(code) || isElsewhere || isOutdated(error);
      if (tried === TRIES || !again) throw error;
      context.log.warn({ err: error, tried }, 'transaction retried');
    }
  }
}
