import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from './context.ts';
import { isOutdated } from '../database/statements.ts';
import type { Lane, Wanted } from '../database/turns.ts';
import { transactionReader } from '../database/reader.ts';

/**
 * Says, to the end of the transaction, who writes: the audit trail's triggers read it. Plans are kept: for arrays
 * PostgreSQL would make new ones each time, which costs more than the writes.
 */
const SAY_WHO = `select set_config('sii.id_pessoa', $1, true) as c0, set_config('sii.id_sistema', $2, true) as c1,
  set_config('sii.endereco', $3, true) as c2, set_config('sii.requisicao', $4, true) as c3,
  set_config('plan_cache_mode', 'force_generic_plan', true) as c4`;

/** Who writes, where it is not the session of the request. */
interface Author {
  idPessoa: number;
  idSistema: number;
}

/** How a write differs from an ordinary one. */
interface Manner {
  author?: Author;
  /** What it is known to lock, which decides who it waits for. */
  wants?: readonly Wanted[];
  lane?: Lane;
}

/** Tries of a transaction that the database breaks off for the sake of another one. */
const TRIES = 3;
/** SQLSTATEs of such a break: serialization failure, deadlock. */
const BROKEN_OFF = new Set<unknown>(['40001', '40P01']);

/**
 * One transaction around a write, on a unit of work of its own. What it changes is in the audit trail with it,
 * as the caller's. `work` may run again from the start, so it keeps nothing outside the transaction. It begins when it is
 * its turn, and must not begin another write.
 */
export const writing = <T>(context: Context, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  writingAs(context, {}, work);

/** The same, where more is known of the write. */
export async function writingAs<T>(
  context: Context,
  { author, wants = [], lane = 'write' }: Manner,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const { idPessoa, idSistema } = author ?? (await context.session());
  const who = [String(idPessoa), String(idSistema), context.address.slice(0, 45), context.requestId];
  const operation = context.trace.latest ?? '';
  return context.services.turns.run({ lane, operation, wants }, async () => {
    // Whoever was told that it took too long, while it waited, finds that nothing was done.
    context.deadline.check();
    return transaction(context, who, work);
  });
}

async function transaction<T>(
  context: Context,
  who: readonly string[],
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await context.services.orm.em.fork().transactional(async em => {
        await transactionReader(em).rows(SAY_WHO, who);
        const result = await (context.once ? context.once.run(em, () => work(em)) : work(em));
        // Whoever was told that it took too long should mostly find that nothing was done.
        context.deadline.check();
        return result;
      });
    } catch (error) {
      const again = BROKEN_OFF.has((error as { code?: unknown }).code) || isOutdated(error);
      if (tried === TRIES || !again) throw error;
      context.log.warn({ err: error, tried }, 'transaction tried again');
    }
  }
}
