import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import { Movimentacao } from '../entities/almoxarifado/movimentacao.ts';
import type { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { AppError, conflict } from '../errors.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { stockTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import { requireOwnPending } from './approval.ts';
import { entryOf } from './batches.ts';
import { postMovements } from './ledger.ts';
import { ENTRADAS, PENDENTE, REJEITADA, type Movement } from './movement.ts';
import { rulesFor } from './movements.ts';

/** A batch whose quantity an invoice changes. `at` is its index in the input. */
interface QuantityChange {
  lote: Lote;
  at: number;
  from: number;
  to: number;
}

interface Changes {
  created: readonly { lote: Lote; at: number }[];
  quantities: readonly QuantityChange[];
}

/**
 * An entry of a batch. `stands`: the part of it that no reversal has undone or reserved. `isOwn`: whether it is the first
 * movement of the batch.
 */
interface Entry {
  id: number;
  idTipoMovimentacao: number;
  idStatusMovimentacao: number;
  idLocalDestinoFim: number;
  idLocalDestinoArm: number;
  idNotaFiscal: number | null;
  stands: number;
  isOwn: boolean;
}

/** Newest first, the order in which reversals undo them. They are locked, because pending ones may change. */
const ENTRIES = `
select m.id_lote as c0, to_jsonb(e) as c1
from movimentacao m cross join lateral (
  select m.id, m.id_tipo_movimentacao as "idTipoMovimentacao", m.id_status_movimentacao as "idStatusMovimentacao",
    m.id_local_destino_fim as "idLocalDestinoFim", m.id_local_destino_arm as "idLocalDestinoArm",
    m.id_nota_fiscal as "idNotaFiscal", m.quantidade - m.quantidade_estornada - m.quantidade_em_estorno as stands,
    not exists (select from movimentacao f where f.id_lote = m.id_lote and f.id < m.id) as "isOwn"
) e
where m.id_lote = any ($1::int[]) and m.id_tipo_movimentacao in ${ENTRADAS} and m.fl_estorno = 'N'
order by m.id desc for no key update of m`;

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

async function entriesOf(
  em: EntityManager,
  quantities: readonly QuantityChange[],
): Promise<Map<number, Entry[]>> {
  const found = new Map<number, Entry[]>();
  if (quantities.length === 0) return found;
  const ids = quantities.map(({ lote }) => lote.id);
  const rows = (await transactionReader(em).rows(ENTRIES, [ids])) as [number, Entry][];
  for (const [idLote, entry] of rows) found.set(idLote, [...(found.get(idLote) ?? []), entry]);
  return found;
}

/**
 * The difference to the current effect of the entries with the invoice: what was reversed or rejected since then does
 * not count. If the batch entered without an invoice and was linked later, the difference is to its own quantity, because
 * other entries, such as opening balances, belong to that as well; or to what still stands of all, if that is less.
 * @throws CONFLICT if the batch entered with another invoice, whose entries this one must not change
 */
function correct(nota: NotaFiscal, change: QuantityChange, entries: readonly Entry[]): Correction {
  const { lote, from, to } = change;
  const valid = entries.filter(({ idStatusMovimentacao }) => idStatusMovimentacao !== REJEITADA);
  const all = valid.filter(({ stands }) => stands > 0);
  const invoiced = all.filter(({ idNotaFiscal }) => idNotaFiscal !== null);
  const invoices = new Set(invoiced.map(({ idNotaFiscal }) => idNotaFiscal));
  const refuse = (detail: Text): AppError => conflict(detail, [fieldError(change, stockTexts.changed)]);
  if (invoices.size > 1) throw refuse(stockTexts.severalInvoices);
  if (invoices.size === 1 && !invoices.has(nota.id)) throw refuse(stockTexts.otherInvoice);
  const wasLinked = valid.some(({ isOwn, idNotaFiscal }) => isOwn && idNotaFiscal === null);
  const standing = wasLinked ? all : invoiced;
  const stood = standing.reduce((sum, { stands }) => sum + stands, 0);
  const entered = wasLinked ? Math.min(from, stood) : stood;
  const difference = to - entered;
  if (difference < 0) return less(change, standing, -difference);
  const waiting = standing.find(({ idStatusMovimentacao }) => idStatusMovimentacao === PENDENTE);
  if (difference === 0 || waiting)
    return { movements: [], pending: waiting ? [[waiting.id, waiting.stands + difference]] : [] };
  return { movements: [{ ...entryOf(lote, nota.id), quantidade: difference }], pending: [] };
}

/** Reduces the entries by the excess, newest first. */
function less(change: QuantityChange, standing: readonly Entry[], tooMuch: number): Correction {
  const correction: Correction = { movements: [], pending: [] };
  let left = tooMuch;
  for (const { id, stands, idStatusMovimentacao, ...entry } of standing) {
    const quantidade = Math.min(left, stands);
    if (quantidade === 0) break;
    left -= quantidade;
    if (idStatusMovimentacao === PENDENTE) correction.pending.push([id, stands - quantidade]);
    else
      correction.movements.push({
        ...entry,
        idLote: change.lote.id,
        quantidade,
        flEstorno: 'S',
        idEstornada: id,
      });
  }
  if (left > 0) {
    const errors = [fieldError(change, fieldMessages.reversible(tooMuch - left))];
    throw new AppError('NOT_REVERSIBLE', { errors });
  }
  return correction;
}

const fieldError = ({ at }: QuantityChange, message: Text) => ({
  field: `lotes[${at}].quantidade`,
  message,
});

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
