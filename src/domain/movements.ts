import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { mayAct } from '../access/session.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import { Estoque } from '../entities/almoxarifado/estoque.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import type { ListArgs } from '../listing/args.ts';
import { recordList } from '../listing/list.ts';
import type { Page } from '../listing/page.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { factOf, requirePending } from './approval.ts';
import { assignChanged, checkMaterial, linkEntries, newBatch, type BatchData } from './batches.ts';
import { checkRules, makeCells, postMovements, type Rules } from './ledger.ts';
import {
  EFETIVADA,
  ENTRADA_AVULSA,
  isEntry,
  PENDENTE,
  placeErrors,
  locksOf,
  type Movement,
  type Places,
  type StockCell,
} from './movement.ts';
import { writingAs } from '../request/writing.ts';

/** A movement in a client's request: of an existing batch, or of one created with it. */
interface RequestedMovement extends Omit<Movement, 'idLote'> {
  idLote?: number | null;
  lote?: Omit<BatchData, 'quantidade'> | null;
}

/** Registers movements, all or none, and returns them in the form of `list`. @throws INSUFFICIENT_STOCK */
export async function createMovements(
  call: Call,
  requested: readonly RequestedMovement[],
  list: ListArgs,
): Promise<Page<Movimentacao>> {
  const { idPessoa } = await call.context.session();
  const known = requested.filter((movement): movement is Movement => movement.idLote != null);
  return writingAs(call, { locks: locksOf(known) }, async em => {
    const created = new Map<RequestedMovement, Lote>();
    for (const movement of requested)
      if (movement.idLote == null) created.set(movement, batchFor(em, movement, idPessoa));
    await em.flush();
    const movements = requested.map(movement => ({
      ...movement,
      idLote: created.get(movement)?.id ?? movement.idLote!,
    }));
    const id = await postMovements(em, movements, idPessoa, await rulesFor(call));
    await linkEntries(em, movements, idPessoa);
    return warned(call, await call.writtenPage(em, recordList<Movimentacao>(list, { id })));
  });
}

interface ReversalRequest {
  id: number;
  /** All that is left of the movement when absent. */
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
  if (undone.flEstorno === 'S')
    throw invalid('VALIDATION_FAILED', [{ field: 'id', message: fieldMessages.reversalStands }]);
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
    const [made] = await postMovements(em, [reversal], idPessoa, await rulesFor(call));
    if (call.brought.seen) {
      // Read when nobody else can reverse it any more. The reversal itself raised its version by one.
      const { versao } = await em.findOneOrFail(Movimentacao, { id });
      call.requireSeen({ versao: versao - 1 });
    }
    return (await call.written(em, Movimentacao, { id: made! }))!;
  });
}

/** How much of a movement is neither reversed nor reserved by reversals that wait. */
const reversibleOf = (movement: Movimentacao): number =>
  movement.statusMovimentacao.id === EFETIVADA
    ? movement.quantidade - movement.quantidadeEstornada - movement.quantidadeEmEstorno
    : 0;

const notReversible = (left: number): AppError =>
  new AppError('NOT_REVERSIBLE', {
    errors: [{ field: 'quantidade', message: fieldMessages.reversible(left) }],
  });

const MOVEMENTS = 'almoxarifadoquimicos/movimentacoes-estoque';

/** What the caller may do of what movements need beside stock. */
export async function rulesFor({ context }: Call): Promise<Rules> {
  return {
    onlyAsManager: !mayAct(await context.session(), MOVEMENTS, 3),
    refusesExpired: context.services.config.EXPIRED_STOCK === 'refuse',
  };
}

/** The page with a warning for each movement that takes an expired batch, if the service warns. */
function warned({ context }: Call, page: Page<Movimentacao>): Page<Movimentacao> {
  if (context.services.config.EXPIRED_STOCK !== 'allow')
    for (const movement of page.data)
      if (movement.loteVencido) movement.avisos = [messages.expiredWarning[context.language]];
  return page;
}

function batchFor(em: EntityManager, movement: RequestedMovement, idPessoa: number): Lote {
  const { quantidade, idLocalDestinoFim, idLocalDestinoArm } = movement;
  const places = { idLocal: idLocalDestinoFim ?? null, idLocalDestino: idLocalDestinoArm ?? null };
  const authors = { criadoPor: idPessoa, alteradoPor: idPessoa };
  return newBatch(em, { ...movement.lote!, quantidade, ...places }, authors);
}

/** A quantity to be entered at a cell of stock. */
interface StockEntry extends StockCell {
  quantidade: number;
}

/** Enters stock and returns its cell. For a controlled material the cell changes only after approval (contract 7). */
export async function enterStock(call: Call, { quantidade, ...cell }: StockEntry): Promise<Estoque> {
  const { idPessoa } = await call.context.session();
  const { idLote, idLocalFim, idLocalArmazenado } = cell;
  const entry: Movement = {
    idLote,
    idTipoMovimentacao: ENTRADA_AVULSA,
    idLocalDestinoFim: idLocalFim,
    idLocalDestinoArm: idLocalArmazenado,
    quantidade,
    flEstorno: 'N',
  };
  return writingAs(call, { locks: locksOf([entry]) }, async em => {
    await makeCells(em, [cell], idPessoa);
    await postMovements(em, [entry], idPessoa);
    return (await call.written(em, Estoque, cell))!;
  });
}

/** Changes of a movement. Its kind cannot change. */
interface MovementUpdate extends Places {
  lote?: Omit<BatchData, 'quantidade'> | null;
}

/**
 * Checks an update of a movement under its lock and completes its places. `lote` changes its batch.
 * @throws INVALID_STATE unless it is pending, FORBIDDEN for who neither registered it nor manages movements,
 * VALIDATION_FAILED when it lacks a place, CONFLICT for another material
 */
export async function settleMovement(
  movement: Movimentacao,
  input: MovementUpdate,
  em: EntityManager,
  call: Call,
): Promise<void> {
  requirePending(movement);
  await requireOwnPending(movement, call);
  const before = em.getUnitOfWork().getOriginalEntityData(movement) as Record<string, unknown>;
  for (const side of ['Origem', 'Destino'] as const) {
    const [fim, arm] = [`local${side}Fim`, `local${side}Arm`] as const;
    // If the storage location was the same as the responsible location, it follows the change.
    if (input[`idLocal${side}Arm`] === undefined && before[arm] === before[fim])
      movement[arm] = movement[fim];
    movement[arm] ??= movement[fim];
  }
  const { idLocalOrigemFim, idLocalDestinoFim } = input;
  const storage = {
    idLocalOrigemArm: movement.localOrigemArm?.id,
    idLocalDestinoArm: movement.localDestinoArm?.id,
  };
  const errors = placeErrors(movement.tipoMovimentacao.id, {
    idLocalOrigemFim,
    idLocalDestinoFim,
    ...storage,
  });
  if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  if (input.lote) await rewriteBatch(em, movement, input.lote);
  if (await isOwnEntry(em, movement)) await setArrival(em, movement);
  const { idPessoa } = await call.context.session();
  if (before['lote'] !== movement.lote.id)
    await linkEntries(em, [{ ...factOf(movement), idNotaFiscal: movement.notaFiscal?.id ?? null }], idPessoa);
  movement.loteVencido = await checkRules(em, factOf(movement), idPessoa, await rulesFor(call));
}

/** Lets who registered a pending movement delete it, or who manages movements. @throws FORBIDDEN */
export async function giveUpMovement(
  movement: Movimentacao,
  _input: object,
  _em: EntityManager,
  call: Call,
): Promise<void> {
  if (movement.statusMovimentacao.id === PENDENTE) await requireOwnPending(movement, call);
}

/** @throws FORBIDDEN for who neither registered the pending movement nor manages movements */
export const requireOwnPending = ({ criadoPor }: Movimentacao, { context }: Call): Promise<void> =>
  context.actFor(criadoPor ?? undefined, MOVEMENTS);

/** Whether the movement entered its own batch, so that the batch's quantity and places follow it. */
async function isOwnEntry(
  em: EntityManager,
  { id, lote, tipoMovimentacao, flEstorno }: Movimentacao,
): Promise<boolean> {
  const enters = isEntry(tipoMovimentacao.id, flEstorno);
  return enters && (await em.count(Movimentacao, { lote, id: { $lt: id } })) === 0;
}

/** Changes the batch of a movement under a lock. */
async function changeBatchOf(
  em: EntityManager,
  { lote: { id }, alteradoPor }: Movimentacao,
  values: Partial<Lote>,
): Promise<Lote> {
  const lote = await em.findOneOrFail(Lote, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  assignChanged(lote, values, alteradoPor);
  return lote;
}

async function setArrival(em: EntityManager, movement: Movimentacao): Promise<void> {
  const { quantidade, localDestinoFim: local, localDestinoArm: localDestino } = movement;
  await changeBatchOf(em, movement, { quantidade, local, localDestino });
}

async function rewriteBatch(
  em: EntityManager,
  movement: Movimentacao,
  { codLote, dataVenc, ...given }: Omit<BatchData, 'quantidade'>,
): Promise<void> {
  const lote = await changeBatchOf(em, movement, {
    material: em.getReference(Material, given.idMaterial),
    fabricante: em.getReference(Empresa, given.idFabricante),
    ...(codLote !== undefined && { codLote }),
    ...(dataVenc !== undefined && { dataVenc }),
  });
  await checkMaterial(em, lote);
}
