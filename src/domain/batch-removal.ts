import { FlushMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import { transactionReader } from '../database/reader.ts';
import type { Call } from '../request/call.ts';
import { factOf, requireOwnPending, wasDecided } from './approval.ts';
import { holdBatch } from './invoice-links.ts';
import { checkRules } from './ledger.ts';
import { EFETIVADA, MOVEMENTS_CONTROLLER, PENDENTE } from './movement.ts';
import { rulesFor } from './movements.ts';
import type { Complete } from './records.ts';

/** Whether the entry of a batch was approved, or its reversal would wait for approval today. */
const NEEDS_MANAGER = `
select coalesce(t.exige_aprovacao, false) or ${wasDecided('e')} as c0
from movimentacao e join lote l on l.id = e.id_lote
join material m on m.id = l.id_material left join tipo_controle t on t.id = m.id_tipo_controle
where e.id = $1`;

/**
 * Checks whether the caller may delete a batch together with its entry. It is like deleting the entry while that waits, and
 * like reversing it afterwards (contract 10).
 * @throws FORBIDDEN when the entry waits and is somebody else's; when it was approved, or its material needs approval, and
 * the caller does not manage movements; or when a restricted location has the stock
 */
async function checkRemoval({ id }: Lote, _input: object, em: EntityManager, call: Call): Promise<void> {
  const movements = await em.find(Movimentacao, { lote: id }, { flushMode: FlushMode.COMMIT, limit: 2 });
  // The database refuses to delete a batch that has more than its entry, or whose entry was rejected.
  if (movements.length !== 1) return;
  const entry = movements[0]!;
  const status = entry.statusMovimentacao.id;
  if (status === PENDENTE) await requireOwnPending(entry, call);
  if (status !== EFETIVADA) return;
  const [row] = await transactionReader(em).rows(NEEDS_MANAGER, [entry.id]);
  if (row![0])
    await call.context.caller.authorize({ kind: 'level', controller: MOVEMENTS_CONTROLLER, level: 3 });
  const { idPessoa } = await call.context.session();
  const rules = { ...(await rulesFor(call)), refusesExpired: false };
  await checkRules(em, { ...factOf(entry), flEstorno: 'S' }, idPessoa, rules);
}

export const removeBatch: Complete<Lote, object> = Object.assign(checkRemoval, { first: holdBatch });
