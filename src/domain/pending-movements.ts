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
import { differing, otherBatch, requireIdentityRight, type BatchIdentity } from './batch-identity.ts';
import { assignChanged } from './batches.ts';
import { ofMovements } from './control-warnings.ts';
import { relinkEntry } from './invoice-links.ts';
import { checkRules } from './ledger.ts';
import { holdFound } from './lock-order.ts';
import { ENTRADAS, isEntry, PENDENTE, placeErrors, REJEITADA, type Places } from './movement.ts';
import { warn } from './movement-warnings.ts';
import { rulesFor } from './movements.ts';
import { isOwnEntry, isTogether } from './own-entry.ts';
import type { Complete } from './records.ts';

/** Changes of a movement. Its type cannot change. */
interface MovementUpdate extends Places {
  idLote: number;
  lote?: BatchIdentity | null;
}

/**
 * Checks an update of a movement under its lock and fills in its locations. `lote` changes its batch, if the movement
 * keeps it.
 * @throws INVALID_STATE unless it is pending; FORBIDDEN unless the caller registered it or manages movements, and for a
 * change of a batch that did not come with it; VALIDATION_FAILED when it lacks a location, or gets another batch than
 * `lote` says; CONFLICT for another material
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
  const idLote = before['lote'] as number;
  const hasMoved = idLote !== movement.lote.id;
  const arrival = await arrivalOf(em, movement, hasMoved);
  if (input.lote && hasMoved) await refuseOtherBatch(em, movement, input.lote, idLote);
  else if (input.lote) await rewriteBatch(em, movement, input.lote, call);
  const wasEntry = !hasMoved && before['flEstorno'] === 'N';
  if (arrival)
    await setArrival(em, movement, arrival, wasEntry ? (before['quantidade'] as number) : undefined);
  const { idPessoa } = await call.context.session();
  const now = { ...factOf(movement), idNotaFiscal: movement.notaFiscal?.id ?? null };
  const was = { ...now, idLote, flEstorno: before['flEstorno'] as Flag };
  await relinkEntry(em, was, now, idPessoa);
  const rules = await rulesFor(call);
  // What the input says of the batch is not stored yet.
  const dataVenc = hasMoved ? undefined : input.lote?.dataVenc;
  movement.loteVencido = await checkRules(em, factOf(movement), idPessoa, rules, dataVenc);
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

/** How a batch arrived besides an own entry: by the others of its own, or further parts of the same invoice. */
interface Arrival {
  /** Whether the entry is the first of those that arrived, whose places are those of the batch. */
  isFirst: boolean;
  /** What the other own entries brought. */
  together: number;
  /** What all the others brought, and what of that no reversal has undone or reserved. */
  brought: number;
  stands: number;
}

const ARRIVAL = `
select bool_and(f.id is null or not $4::boolean and f.id > m.id) as c0,
  coalesce(sum(f.quantidade) filter (where ${isTogether('$3::int')}), 0)::float8 as c1,
  coalesce(sum(f.quantidade), 0)::float8 as c2,
  coalesce(sum(f.quantidade - f.quantidade_estornada - f.quantidade_em_estorno), 0)::float8 as c3
from movimentacao m
left join movimentacao f on f.id_lote = $1 and f.id <> m.id and f.id_tipo_movimentacao in ${ENTRADAS}
  and f.fl_estorno = 'N' and f.id_status_movimentacao <> ${REJEITADA} and f.quantidade_estornada < f.quantidade
  and (f.id_nota_fiscal = $3 or ${isTogether('$3::int')})
where m.id = $2 and ${isOwnEntry({
  idLote: '$1::int',
  idNotaFiscal: '$3::int',
  before: 'f.id <> m.id and ($4 or f.id < m.id)',
})}
group by m.id`;

/**
 * The arrival of the batch with a movement that is one of its own entries, and otherwise undefined. Then the batch's
 * quantity changes with it. It is one of a batch to which it has just been moved if no other entry brought something.
 */
async function arrivalOf(
  em: EntityManager,
  { id, lote, tipoMovimentacao, flEstorno, notaFiscal }: Movimentacao,
  hasMoved: boolean,
): Promise<Arrival | undefined> {
  if (!isEntry(tipoMovimentacao.id, flEstorno)) return undefined;
  const [row] = await transactionReader(em).rows(ARRIVAL, [lote.id, id, notaFiscal?.id ?? null, hasMoved]);
  if (!row) return undefined;
  const [isFirst, together, brought, stands] = row as [boolean, number, number, number];
  return { isFirst, together, brought, stands };
}

/**
 * Gives the batch the quantity of its own entries. If it showed further parts, it goes on to show them. `before` is the
 * quantity that the movement had as an entry of this batch; if that stays, so does the batch's.
 */
async function setArrival(
  em: EntityManager,
  movement: Movimentacao,
  { isFirst, together, brought, stands }: Arrival,
  before: number | undefined,
): Promise<void> {
  const { quantidade, localDestinoFim: local, localDestinoArm: localDestino } = movement;
  const lote = await em.findOneOrFail(Lote, { id: movement.lote.id });
  const others = before === undefined ? undefined : lote.quantidade - before;
  const isShown = others !== undefined && (quantidade === before || [0, brought, stands].includes(others));
  const now = {
    quantidade: quantidade + (isShown ? others : together),
    ...(isFirst && { local, localDestino }),
  };
  assignChanged(lote, now, movement.alteradoPor);
}

/**
 * Of a movement that gets another batch, `lote` may be that batch, or the one that it leaves, which clients have read.
 * @throws VALIDATION_FAILED
 */
async function refuseOtherBatch(
  em: EntityManager,
  movement: Movimentacao,
  given: BatchIdentity,
  idLeft: number,
): Promise<void> {
  const lote = await em.findOneOrFail(Lote, { id: movement.lote.id });
  const errors = otherBatch(lote, given, 'lote');
  if (errors.length === 0) return;
  const left = await em.findOneOrFail(Lote, { id: idLeft });
  if (otherBatch(left, given, 'lote').length > 0) throw invalid('VALIDATION_FAILED', errors);
}

async function rewriteBatch(
  em: EntityManager,
  movement: Movimentacao,
  given: BatchIdentity,
  call: Call,
): Promise<void> {
  const lote = await em.findOneOrFail(Lote, { id: movement.lote.id });
  const fields = differing(lote, given).map(field => `lote.${field}`);
  await requireIdentityRight(em, [{ lote, fields }], { idMovimentacao: movement.id }, call);
  const { idMaterial, idFabricante, codLote, dataVenc } = given;
  const values = {
    material: em.getReference(Material, idMaterial),
    fabricante: em.getReference(Empresa, idFabricante),
    ...(codLote !== undefined && { codLote }),
    ...(dataVenc !== undefined && { dataVenc }),
  };
  assignChanged(lote, values, movement.alteradoPor);
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
