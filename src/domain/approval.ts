import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import { SolicitacaoAprovacao } from '../entities/almoxarifado/solicitacao-aprovacao.ts';
import { AppError, invalidField } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { decide } from './ledger.ts';
import { MOVEMENTS_CONTROLLER, PENDENTE, locksOf, type Decision, type Movement } from './movement.ts';
import { warn } from './movement-warnings.ts';
import { recordLock } from './records.ts';
import { hasTagOf, requireSeen } from '../request/seen.ts';
import { writingAs } from '../request/writing.ts';
import { actFor } from '../request/for-person.ts';

/** @throws INVALID_STATE when the movement is no longer pending */
export function requirePending(movement: Movimentacao): void {
  if (movement.statusMovimentacao.id !== PENDENTE)
    throw new AppError('INVALID_STATE', { detail: messages.notPending });
}

/**
 * A pending movement is changed or deleted by the person who registered it, or by those who manage movements (contract
 * 10). @throws FORBIDDEN
 */
export const requireOwnPending = (
  { criadoPor }: Pick<Movimentacao, 'criadoPor'>,
  { context }: Call,
): Promise<void> => actFor(context, criadoPor ?? undefined, MOVEMENTS_CONTROLLER);

/**
 * SQL: whether the movement `v` (an alias) was approved or rejected. It remains so whatever control its material has now.
 */
export const wasDecided = (v: string): string =>
  `exists (select from solicitacao_aprovacao s where s.id_movimentacao = ${v}.id and s.situacao <> 'P')`;

/** Locks the batch before the movement, in the same order as writes that change or delete the batch. */
const SHARE_BATCH = `
select id from lote where id = (select id_lote from movimentacao where id = $1) for key share`;

interface DecisionInput {
  idMovimentacao: number;
  motivo?: string | null;
}

/**
 * Approves or rejects a movement and returns its approval request. The caller's permission and the movement's state are
 * checked again under its lock.
 * @throws PRECONDITION_FAILED when neither the movement nor its approval request is the version that the caller has seen;
 * INVALID_STATE when it is not pending; FORBIDDEN for a person who registered or changed it; INSUFFICIENT_STOCK, or
 * CONFLICT for a batch that has expired meanwhile, and it stays pending
 */
export async function decideMovement(
  call: Call,
  decision: Decision,
  { idMovimentacao: id, motivo = null }: DecisionInput,
): Promise<SolicitacaoAprovacao> {
  const { idPessoa } = await call.context.session();
  const seen = await call.context.services.orm.em.fork().findOne(Movimentacao, { id });
  const locks = [recordLock(Movimentacao, id), ...(seen ? locksOf([factOf(seen)]) : [])];
  return writingAs(call, { locks }, async em => {
    await transactionReader(em).rows(SHARE_BATCH, [id]);
    const movement = await em.findOne(Movimentacao, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!movement) throw invalidField('VALIDATION_FAILED', 'idMovimentacao', fieldMessages.unknownReference);
    await call.context.caller.authorizeAnew(call.access, em);
    if (!(await hasSeenRequest(call, em, movement))) requireSeen(call.extras, movement);
    requirePending(movement);
    const { EXPIRED_STOCK, APPROVE_OWN } = call.context.services.config;
    const [request] = await decide(em, decision, [factOf(movement)], {
      motivo,
      idPessoa,
      refusesOwn: !APPROVE_OWN,
      refusesExpired: EXPIRED_STOCK === 'refuse',
    });
    const written = (await call.written(em, SolicitacaoAprovacao, { id: request }))!;
    if (decision === 'aprovar' && call.selection['movimentacao']?.['avisos'])
      await warn(em, [written.movimentacao], undefined, call);
    return written;
  });
}

/** Whether the caller has seen the approval request of a movement, whose version rises with each change of the movement. */
async function hasSeenRequest(call: Call, em: EntityManager, movement: Movimentacao): Promise<boolean> {
  if (!call.extras.seen) return false;
  const request = await em.findOne(SolicitacaoAprovacao, { movimentacao: movement });
  return request !== null && hasTagOf(call.extras, request);
}

/** The columns of a movement that concern stock. */
export const factOf = (movement: Movimentacao): Movement & { id: number } => ({
  id: movement.id,
  idLote: movement.lote.id,
  idTipoMovimentacao: movement.tipoMovimentacao.id,
  idLocalOrigemFim: movement.localOrigemFim?.id ?? null,
  idLocalOrigemArm: movement.localOrigemArm?.id ?? null,
  idLocalDestinoFim: movement.localDestinoFim?.id ?? null,
  idLocalDestinoArm: movement.localDestinoArm?.id ?? null,
  quantidade: movement.quantidade,
  flEstorno: movement.flEstorno,
  cienteVencimento: movement.cienteVencimento,
});
