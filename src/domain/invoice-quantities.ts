import type { EntityManager } from '@mikro-orm/postgresql';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import type { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { AppError } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { requireOwnPending } from './approval.ts';
import { entryOf } from './batches.ts';
import { entriesMeant, entriesOf, sumOf, type Entry, type QuantityChange } from './invoice-entries.ts';
import { postMovements } from './ledger.ts';
import { PENDENTE, type Movement } from './movement.ts';
import { rulesFor } from './movements.ts';

interface Changes {
  created: readonly { lote: Lote; at: number }[];
  quantities: readonly QuantityChange[];
}

/** The changes that give a batch another quantity. */
interface Correction {
  movements: Movement[];
  /** New quantities of pending entries, by their ids; 0 deletes an entry. */
  pending: (readonly [id: number, quantidade: number])[];
}

/**
 * Enters new batches, and registers the difference for each changed quantity: an entry if it grew, and a reversal of
 * the newest entries first if it shrank. If an entry is still pending, its quantity is changed instead.
 * @throws CONFLICT, INSUFFICIENT_STOCK, NOT_REVERSIBLE; FORBIDDEN for a restricted location, or a pending entry of
 * somebody else
 */
export async function moveQuantities(
  em: EntityManager,
  nota: NotaFiscal,
  { created, quantities }: Changes,
  call: Call,
): Promise<void> {
  const entries = await entriesOf(em, quantities);
  const corrections = quantities.map(change => ({
    at: change.at,
    ...correct(nota, change, entries.get(change.lote.id) ?? []),
  }));
  await changePending(em, new Map(corrections.flatMap(one => one.pending)), nota.alteradoPor, call);
  const postings = [
    ...created.map(({ lote, at }) => ({ at, movement: entryOf(lote, nota.id) })),
    ...corrections.flatMap(({ at, movements }) => movements.map(movement => ({ at, movement }))),
  ];
  if (postings.length === 0) return;
  const { idPessoa } = await call.context.session();
  await postMovements(
    em,
    postings.map(({ movement }) => movement),
    idPessoa,
    await rulesFor(call),
  ).catch((error: unknown) => {
    throw ofItems(
      error,
      postings.map(({ at }) => at),
    );
  });
}

/**
 * The difference to what still stands of the entries that the item means: what was reversed or rejected since then does
 * not count. @throws CONFLICT
 */
function correct(nota: NotaFiscal, change: QuantityChange, entries: readonly Entry[]): Correction {
  const meant = entriesMeant(nota, change, entries);
  const difference = change.to - sumOf(meant);
  if (difference < 0) return less(change.lote, meant, -difference);
  if (difference === 0) return { movements: [], pending: [] };
  const waiting = meant.find(({ idStatusMovimentacao }) => idStatusMovimentacao === PENDENTE);
  return waiting
    ? { movements: [], pending: [[waiting.id, waiting.stands + difference]] }
    : { movements: [{ ...entryOf(change.lote, nota.id), quantidade: difference }], pending: [] };
}

/** Reduces the entries by the excess, newest first. */
function less({ id: idLote }: Lote, meant: readonly Entry[], excess: number): Correction {
  const correction: Correction = { movements: [], pending: [] };
  let left = excess;
  for (const { id: idEstornada, stands, isOwn: _, idStatusMovimentacao, ...entry } of meant) {
    const quantidade = Math.min(left, stands);
    if (quantidade === 0) break;
    left -= quantidade;
    if (idStatusMovimentacao === PENDENTE) correction.pending.push([idEstornada, stands - quantidade]);
    else correction.movements.push({ ...entry, idLote, quantidade, flEstorno: 'S', idEstornada });
  }
  return correction;
}

/** Changes the quantities of pending entries, and deletes those with quantity 0. @throws FORBIDDEN */
async function changePending(
  em: EntityManager,
  quantities: ReadonlyMap<number, number>,
  alteradoPor: number | null,
  call: Call,
): Promise<void> {
  if (quantities.size === 0) return;
  for (const movement of await em.find(Movimentacao, { id: [...quantities.keys()] })) {
    const quantidade = quantities.get(movement.id)!;
    await requireOwnPending(movement, call);
    if (quantidade === 0) em.remove(movement);
    else em.assign(movement, { quantidade, alteradoPor });
  }
  await em.flush();
}

/** Converts an error of the ledger, so that it names items and not movements. */
function ofItems(error: unknown, places: readonly number[]): unknown {
  if (!(error instanceof AppError)) return error;
  const errors = error.details.errors?.map(({ field, message }) => ({
    field: field.replace(/^movimentacoes\[(\d+)\]/, (_, nth: string) => `lotes[${places[Number(nth)]}]`),
    message,
  }));
  return new AppError(error.code, { ...error.details, ...(errors && { errors }), cause: error });
}
