import type { EntityManager } from '@mikro-orm/postgresql';
import { OPENS } from '../access/calling-system.ts';
import { endSessionsThrough } from '../access/sessions.ts';
import { transactionReader } from '../database/reader.ts';
import type { Situacao } from '../entities/column.ts';
import type { Sistema } from '../entities/permissoes/sistema.ts';
import { conflict } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { administered } from './administration.ts';
import { accountTexts } from './messages.ts';

const WAYS_IN = `select s.id, bool_or(k.expira_em is null) from sistema s join chave_api k on k.id_sistema = s.id
where ${OPENS} group by s.id`;

/** The systems through which people can log in, by id, each with whether a key of it never expires. */
async function waysIn(em: EntityManager): Promise<Map<number, boolean>> {
  return new Map((await transactionReader(em).rows(WAYS_IN, [])) as [number, boolean][]);
}

const isLasting = (ways: ReadonlyMap<number, boolean>): boolean => [...ways.values()].includes(true);

/**
 * Makes a change that may leave systems without a way in. It must run under the lock of the administration, so that two
 * such changes count each other.
 * @throws CONFLICT when people could log in through no system any more, now or once the remaining keys have expired, or not
 * through that of the caller
 */
export async function keepingWaysIn(
  em: EntityManager,
  call: Call,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await waysIn(em);
  await change();
  const after = await waysIn(em);
  const { idSistema } = await call.context.session();
  if (before.has(idSistema) && !after.has(idSistema)) throw conflict(accountTexts.ownWayIn);
  if (before.size > 0 && after.size === 0) throw conflict(accountTexts.lastWayIn);
  if (isLasting(before) && !isLasting(after)) throw conflict(accountTexts.lastLastingKey);
}

const administration = administered<Sistema, { situacao?: Situacao | null }>();

/**
 * Changes a system by the rules of the permission tables. Somebody can still log in afterwards, and sessions through a
 * system that was switched off never become valid again.
 */
export const changeSystem: typeof administration = Object.assign(
  (async (record, input, em, call) => {
    const { situacao } = em.getUnitOfWork().getOriginalEntityData(record) as Pick<Sistema, 'situacao'>;
    await keepingWaysIn(em, call, () => administration(record, input, em, call));
    // Also those of a system that is switched on: a login that had found it before may have ended while it was off.
    if (record.situacao !== situacao) await endSessionsThrough(em, record.id);
  }) satisfies typeof administration,
  administration,
);
