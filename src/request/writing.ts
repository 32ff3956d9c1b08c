import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from './context.ts';
import type { Call } from './call.ts';
import { MARK } from '../access/session-reads.ts';
import { READ_ONLY } from '../database/primary.ts';
import { AFTER_COMMIT, isOutdated, SETS } from '../database/statements.ts';
import type { Lane, Lock } from '../database/turns.ts';
import { transactionReader } from '../database/reader.ts';

/**
 * Sets the author until the end of the transaction, for the audit trail's triggers. Also forces generic plans: with
 * array parameters PostgreSQL would replan each time, which costs more than the writes.
 */
const SAY_WHO = `${SETS}'sii.id_pessoa', $1, true) as c0, set_config('sii.id_sistema', $2, true) as c1,
  set_config('sii.endereco', $3, true) as c2, set_config('sii.requisicao', $4, true) as c3,
  set_config('plan_cache_mode', 'force_generic_plan', true) as c4`;

/** What writes: the call of a mutation, or a request whose mutation may not be repeated under a key. */
type Writer = Pick<Call, 'context'> & Partial<Pick<Call, 'once'>>;

/** Author of a write that is not made by the session of the request. */
interface Author {
  idPessoa: number;
  idSistema: number;
}

/** Options of a write. */
interface Manner {
  author?: Author;
  /** What the write will lock. It decides which other writes it waits for. */
  locks?: readonly Lock[];
  lane?: Lane;
}

/** Attempts at a transaction that the database aborted in favour of another one. */
const TRIES = 3;
/** SQLSTATEs of such an abort: serialization failure, deadlock. */
const BROKEN_OFF = new Set<unknown>(['40001', '40P01']);

/** Records what the session has seen by then. Only standbys need it. */
const SEEN_NOW = AFTER_COMMIT + MARK;

/**
 * Runs a write in one transaction with its own unit of work. Its changes go into the audit trail with the caller as
 * author. It may wait for its turn. `work` may run several times, so it must not keep state outside the transaction,
 * and it must not start another write.
 */
export const writing = <T>(writer: Writer, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  writingAs(writer, {}, work);

/** The same with options. */
export async function writingAs<T>(
  { context, once }: Writer,
  { author, locks = [], lane = 'write' }: Manner,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const session = author ? undefined : await context.session();
  const { idPessoa, idSistema } = author ?? session!;
  const who = [String(idPessoa), String(idSistema), context.address.slice(0, 45), context.requestId];
  const operation = context.trace.latest ?? '';
  return context.services.turns.run({ lane, operation, locks }, async () => {
    // The client may have got its time-out during the wait. Then nothing must be written.
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
        await transactionReader(em).rows(SAY_WHO, who);
        const result = await work(em);
        // If the client got its time-out meanwhile, the transaction is rolled back. A time-out during the commit
        // cannot be excluded.
        context.deadline.check();
        return result;
      });
      context.services.wrote();
      return written;
    } catch (error) {
      const { code } = error as { code?: unknown };
      // The next connection may lead to another server, which is the primary now.
      const isElsewhere = code === READ_ONLY && tried === 1;
      const again = BROKEN_OFF.has(code) || isElsewhere || isOutdated(error);
      if (tried === TRIES || !again) throw error;
      context.log.warn({ err: error, tried }, 'transaction retried');
    }
  }
}
