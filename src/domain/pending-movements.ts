import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Flag } from '../entities/column.ts';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import { invalid } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { factOf, requireOwnPending, requirePending } from './approval.ts';
import { checkMaterial } from './batch-materials.ts';
import { assignChanged, type BatchData } from './batches.ts';
import { ofMovements } from './control-warnings.ts';
import { relinkEntry } from './invoice-links.ts';
import { checkRules } from './ledger.ts';
import { holdFound } from './lock-order.ts';
import { isEntry, PENDENTE, placeErrors, type Places } from './movement.ts';
import { rulesFor, warn } from './movements.ts';
import { isOwnEntry } from './own-entry.ts';
import type { Complete } from './records.ts';

/** Changes of a movement. Its type cannot change. */
interface MovementUpdate extends Places {
  idLote: number;
  lote?: Omit<BatchData, 'quantidade'> | null;
}

/**
 * Checks an update of a movement under its lock and fills in its locations. `lote` changes its batch, unless the update
 * moves it to a batch that has other movements.
 * @throws INVALID_STATE unless it is pending; FORBIDDEN unless the caller registered it or manages movements;
 * VALIDATION_FAILED when it lacks a location; CONFLICT for another material
 */
async function prepareUpdate(
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
    // If the storage location was the same as the responsible location, it changes with it.
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
  const hasMoved = before['lote'] !== movement.lote.id;
  const isOwn = await entersBatch(em, movement, hasMoved);
  // Of another batch, which has movements of its own, the input only says that this one belongs to it.
  if (input.lote && (isOwn || !hasMoved)) await rewriteBatch(em, movement, input.lote, call);
  if (isOwn) await setArrival(em, movement);
  const { idPessoa } = await call.context.session();
  const now = { ...factOf(movement), idNotaFiscal: movement.notaFiscal?.id ?? null };
  const was = { ...now, idLote: before['lote'] as number, flEstorno: before['flEstorno'] as Flag };
  await relinkEntry(em, was, now, idPessoa);
  movement.loteVencido = await checkRules(em, factOf(movement), idPessoa, await rulesFor(call));
}

/**
 * Allows deletion of a pending movement by the person who registered it, and by those who manage movements.
 * @throws FORBIDDEN
 */
async function checkDeletion(
  movement: Movimentacao,
  _input: object,
  _em: EntityManager,
  call: Call,
): Promise<void> {
  if (movement.statusMovimentacao.id === PENDENTE) await requireOwnPending(movement, call);
}

const OWN = `select ${isOwnEntry({
  idLote: '$1::int',
  idNotaFiscal: '$3::int',
  before: 'f.id <> $2::int and ($4::boolean or f.id < $2)',
})} as c0`;

/**
 * Whether the movement is its batch's own entry. Then the batch's quantity and locations change with it. It is that of a
 * batch to which it has just been moved if no other entry brought something.
 */
async function entersBatch(
  em: EntityManager,
  { id, lote, tipoMovimentacao, flEstorno, notaFiscal }: Movimentacao,
  hasMoved: boolean,
): Promise<boolean> {
  if (!isEntry(tipoMovimentacao.id, flEstorno)) return false;
  const [row] = await transactionReader(em).rows(OWN, [lote.id, id, notaFiscal?.id ?? null, hasMoved]);
  return row![0] as boolean;
}

/** Changes the batch of a movement, which is locked. */
async function changeBatchOf(
  em: EntityManager,
  { lote: { id }, alteradoPor }: Movimentacao,
  values: Partial<Lote>,
): Promise<Lote> {
  const lote = await em.findOneOrFail(Lote, { id });
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
  call: Call,
): Promise<void> {
  const lote = await changeBatchOf(em, movement, {
    material: em.getReference(Material, given.idMaterial),
    fabricante: em.getReference(Empresa, given.idFabricante),
    ...(codLote !== undefined && { codLote }),
    ...(dataVenc !== undefined && { dataVenc }),
  });
  await checkMaterial(em, lote, call);
}

/** The batches of a movement: its own, and the one that it gets. With their invoices, which show them. */
const OWNERS = `
with batch as (select id_lote as id from movimentacao where id = $1 union select $2::int)
select 'lote' as c0, id as c1 from batch
union select 'nota_fiscal', id_nota_fiscal from item_nota_fiscal where id_lote in (select id from batch)
union select 'nota_fiscal', id_nota_fiscal from movimentacao where id = $1`;

/** Locks the batches of a movement before the movement. */
const holdBatches = (em: EntityManager, id: number | undefined, { idLote }: Partial<MovementUpdate>) =>
  holdFound(em, { text: OWNERS, values: [id, idLote] });

export const changePending: Complete<Movimentacao, MovementUpdate> = Object.assign(prepareUpdate, {
  first: holdBatches,
  last: async ({ notaFiscal }: Movimentacao, written: Movimentacao, em: EntityManager, call: Call) => {
    if (call.selection['avisos']) await warn(em, [written], ofMovements(notaFiscal != null), call);
  },
});
export const deletePending: Complete<Movimentacao, object> = Object.assign(checkDeletion, {
  first: holdBatches,
});
