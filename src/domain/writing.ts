import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { isOutdated } from '../database/statements.ts';
import { transactionReader } from '../listing/reader.ts';

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

/** Tries of a transaction that the database breaks off for the sake of another one. */
const TRIES = 3;
/** SQLSTATEs of such a break: serialization failure, deadlock. */
const BROKEN_OFF = new Set<unknown>(['40001', '40P01']);

/**
 * One transaction around a write, on a unit of work of its own. What it changes is in the audit trail with it,
 * as the caller's. `work` may run again from the start, so it keeps nothing outside the transaction.
 */
export async function writing<T>(
  context: Context,
  work: (em: EntityManager) => Promise<T>,
  author?: Author,
): Promise<T> {
  const { idPessoa, idSistema } = author ?? (await context.session());
  const who = [String(idPessoa), String(idSistema), context.address.slice(0, 45), context.requestId];
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
