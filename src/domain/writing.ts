import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';

/** Says, to the end of the transaction, who writes: the audit trail's triggers read it. */
const SAY_WHO = `select set_config('sii.id_pessoa', ?, true), set_config('sii.id_sistema', ?, true),
  set_config('sii.endereco', ?, true), set_config('sii.requisicao', ?, true)`;

/** Who writes, where it is not the session of the request. */
interface Author {
  idPessoa: number;
  idSistema: number;
}

/**
 * One transaction around a write, on a unit of work of its own. What it changes is in the audit trail with it,
 * as the caller's.
 */
export async function writing<T>(
  context: Context,
  work: (em: EntityManager) => Promise<T>,
  author?: Author,
): Promise<T> {
  const { idPessoa, idSistema } = author ?? (await context.session());
  return context.services.orm.em.fork().transactional(async em => {
    await em.execute(SAY_WHO, [
      String(idPessoa),
      String(idSistema),
      context.address.slice(0, 45),
      context.requestId,
    ]);
    return work(em);
  });
}
