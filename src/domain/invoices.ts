import type { EntityManager } from '@mikro-orm/postgresql';
import { Lote } from '../entities/almoxarifado/lote.ts';
import type { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { transactionReader } from '../database/reader.ts';
import type { Call } from '../request/call.ts';
import { differing, requireIdentityRight } from './batch-identity.ts';
import { checkMaterials } from './batch-materials.ts';
import { newBatch } from './batches.ts';
import {
  arrivalErrors,
  changeItem,
  checkItems,
  matchItems,
  refuseBroken,
  type ItemData,
} from './invoice-items.ts';
import { linkInvoice } from './invoice-links.ts';
import { moveQuantities } from './invoice-quantities.ts';
import { holdFound } from './lock-order.ts';
import { ENTRADAS } from './movement.ts';
import { locking, type Complete } from './records.ts';

/** The items in the input of an invoice. */
interface ItemsInput {
  lotes?: readonly ItemData[] | null;
}

/** The batches of an invoice: those that it lists, and those that entered with it, which it may have listed before. */
const KNOWN = `
select id_lote as id from item_nota_fiscal where id_nota_fiscal = $1
union
select id_lote from movimentacao
where id_nota_fiscal = $1 and id_tipo_movimentacao in ${ENTRADAS} and fl_estorno = 'N'`;

/** An invoice with its batches, and their other invoices, which show them, too. */
const OWNERS = `
with batch as (${KNOWN})
select 'lote' as c0, id as c1 from batch
union select 'nota_fiscal', id_nota_fiscal from item_nota_fiscal where id_lote in (select id from batch)
union values ('nota_fiscal', $1::int)`;

/** Creates the batches of a new invoice and enters them into stock. Ids in the input are ignored. */
export async function createItems(
  nota: NotaFiscal,
  { lotes }: ItemsInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  const items = (lotes ?? []).map(item => ({ ...item, id: null }));
  refuseBroken(items.map((item, at) => ({ at, errors: arrivalErrors(item) })));
  await setItems(nota, { lotes: items }, em, call);
}

/**
 * Sets the items of an invoice (contract 10). New items become batches and enter stock. For existing ones it changes
 * the batch, and registers the difference in quantity as a movement. Items that are left out are unlinked, but their
 * batches stay.
 * @throws VALIDATION_FAILED for an id that is not one of its items; FORBIDDEN for a change of a batch that did not come
 * with it; CONFLICT for another location, or for another material of a batch that has moved; INSUFFICIENT_STOCK,
 * NOT_REVERSIBLE for stock that has left
 */
async function setItems(
  nota: NotaFiscal,
  { lotes }: ItemsInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  await em.flush();
  if (lotes === undefined) return;
  const given = lotes ?? [];
  const links = await nota.lotes.loadItems();
  const listed = new Set(links.map(({ lote }) => lote.id));
  const matches = matchItems(await knownBatches(em, nota), listed, given);
  const known = matches.flatMap((lote, at) => (lote ? [{ lote, at, item: given[at]! }] : []));
  checkItems(known);
  const toMove = known.filter(({ lote, item }) => lote.quantidade !== item.quantidade);
  const other = known.filter(({ lote, item }) => lote.material.id !== item.idMaterial);
  const quantities = toMove.map(({ lote, at, item }) => ({
    lote,
    at,
    from: lote.quantidade,
    to: item.quantidade,
  }));
  const changed = known.map(({ lote, at, item }) => ({
    lote,
    fields: differing(lote, item).map(field => `lotes[${at}].${field}`),
  }));
  await requireIdentityRight(em, changed, { idNotaFiscal: nota.id }, call);
  for (const { lote, item } of known) changeItem(em, lote, item, nota.alteradoPor);
  await checkMaterials(
    em,
    other.map(({ lote, at }) => ({ lote, field: `lotes[${at}].idMaterial` })),
    call,
  );
  setLinks(em, nota, new Set(known.map(({ lote }) => lote)));
  const created = matches.flatMap((lote, at) =>
    lote ? [] : [{ lote: createBatch(em, nota, given[at]!), at }],
  );
  await em.flush();
  await moveQuantities(em, nota, { created, quantities }, call);
}

/** Locks an invoice. The locks of its batches prevent movements, because the current stock determines the new ones. */
const holdInvoice = (em: EntityManager, id: number | undefined): Promise<void> =>
  holdFound(em, { text: OWNERS, values: [id] });

async function knownBatches(em: EntityManager, nota: NotaFiscal): Promise<Lote[]> {
  const ids = (await transactionReader(em).rows(KNOWN, [nota.id])).flat() as number[];
  return em.find(Lote, { id: ids }, { orderBy: { id: 'asc' } });
}

function createBatch(em: EntityManager, nota: NotaFiscal, given: ItemData): Lote {
  const { alteradoPor } = nota;
  const lote = newBatch(em, given, { criadoPor: alteradoPor, alteradoPor });
  linkInvoice(em, lote, nota);
  return lote;
}

/** Links the invoice with exactly these of its batches. */
function setLinks(em: EntityManager, nota: NotaFiscal, batches: ReadonlySet<Lote>): void {
  const missing = new Set(batches);
  for (const item of nota.lotes.getItems()) if (!missing.delete(item.lote)) nota.lotes.remove(item);
  for (const lote of missing) linkInvoice(em, lote, nota);
}

/** Sets the items of an invoice under the lock of its batches. */
export const changeInvoice: Complete<NotaFiscal, ItemsInput> = Object.assign(setItems, {
  first: holdInvoice,
});
/** Takes an invoice away from its batches under their lock. */
export const removeInvoice = locking<NotaFiscal, object>({ first: holdInvoice });
