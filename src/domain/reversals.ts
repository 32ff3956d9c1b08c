import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import { AppError, invalidField, notFound } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import { stockTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import { requireSeen } from '../request/seen.ts';
import { writingAs } from '../request/writing.ts';
import { factOf } from './approval.ts';
import { ofMovements } from './control-warnings.ts';
import { registerMovements } from './ledger.ts';
import { EFETIVADA, locksOf, type Movement } from './movement.ts';
import { warn } from './movement-warnings.ts';
import { rulesFor } from './movements.ts';

interface ReversalRequest {
  id: number;
  /** By default everything that is left of the movement. */
  quantidade?: number | null;
  observacao?: string | null;
}

/**
 * Registers the reversal of a movement, or of a part of it, and returns the reversal.
 * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED for a reversal, NOT_REVERSIBLE, FORBIDDEN, INSUFFICIENT_STOCK
 */
export async function reverseMovement(
  call: Call,
  { id, quantidade, observacao }: ReversalRequest,
): Promise<Movimentacao> {
  const { idPessoa } = await call.context.session();
  const undone = await call.context.services.orm.em.fork().findOne(Movimentacao, { id });
  if (!undone) throw notFound();
  if (undone.flEstorno === 'S') throw invalidField('VALIDATION_FAILED', 'id', stockTexts.reversalStands);
  const left = reversibleOf(undone);
  if (left < (quantidade ?? 1)) throw notReversible(left);
  const { id: idEstornada, ...fact } = factOf(undone);
  const reversal: Movement = {
    ...fact,
    quantidade: quantidade ?? left,
    flEstorno: 'S',
    idEstornada,
    observacao: observacao ?? null,
  };
  return writingAs(call, { locks: locksOf([reversal]) }, async em => {
    const { ids, inMap } = await registerMovements(em, [reversal], idPessoa, await rulesFor(call));
    if (call.extras.seen) {
      // Read under the lock, so nobody else can reverse it now. The reversal itself has incremented its version by one.
      const reversed = await em.findOneOrFail(Movimentacao, { id });
      requireSeen(call.extras, reversed, reversed.versao - 1);
    }
    const made = (await call.written(em, Movimentacao, { id: ids[0]! }))!;
    if (call.selection['avisos']) await warn(em, [made], inMap ? ofMovements(false) : undefined, call);
    return made;
  });
}

/** The quantity of a movement that is neither reversed nor reserved by pending reversals. */
const reversibleOf = (movement: Movimentacao): number =>
  movement.statusMovimentacao.id === EFETIVADA
    ? movement.quantidade - movement.quantidadeEstornada - movement.quantidadeEmEstorno
    : 0;

const notReversible = (left: number): AppError =>
  new AppError('NOT_REVERSIBLE', {
    errors: [{ field: 'quantidade', message: fieldMessages.reversible(left) }],
  });
