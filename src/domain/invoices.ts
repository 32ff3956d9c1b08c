import type { EntityManager } from '@mikro-orm/postgresql';
import type { ItemNotaFiscal } from '../entities/almoxarifado/item-nota-fiscal.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import type { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { conflict, type FieldError } from '../errors.ts';
import { fieldMessages, messages } from '../messages.ts';
import type { Call } from '../request/call.ts';
import { entryOf, linkInvoice, newBatch, type BatchData } from './batches.ts';
import { postMovements } from './ledger.ts';

interface BatchesInput {
  lotes?: readonly BatchData[] | null;
}

/**
 * Sets the batches of an invoice (contract 7). New ones, identified by material, manufacturer and code, are created
 * and enter stock. Of known ones the expiry date is updated. Those no longer listed are unlinked, but stay.
 * @throws CONFLICT for a changed quantity or place of an existing batch
 */
export async function setBatches(
  nota: NotaFiscal,
  { lotes }: BatchesInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  await em.flush();
  if (lotes === undefined) return;
  const linked = await nota.lotes.loadItems({ populate: ['lote'] as never });
  const created: Lote[] = [];
  const errors: FieldError[] = [];
  for (const [i, given] of (lotes ?? []).entries()) {
    const same = linked.filter(item => isSame(item.lote, given));
    const known = same.find(item => item.lote.quantidade === given.quantidade) ?? same[0];
    if (known) linked.splice(linked.indexOf(known), 1);
    if (!known) created.push(createBatch(em, nota, given));
    else {
      errors.push(
        ...changedFacts(known, given).map(error => ({ ...error, field: `lotes[${i}].${error.field}` })),
      );
      setExpiry(known.lote, given, nota);
    }
  }
  if (errors.length > 0) throw conflict(messages.entryIsFact, errors);
  for (const item of linked) nota.lotes.remove(item);
  await em.flush();
  const { idPessoa } = await call.context.session();
  if (created.length > 0)
    await postMovements(
      em,
      created.map(lote => entryOf(lote, nota.id)),
      idPessoa,
    );
}

const isSame = (lote: Lote, given: BatchData): boolean =>
  lote.material.id === given.idMaterial &&
  lote.fabricante.id === given.idFabricante &&
  lote.codLote === (given.codLote ?? null);

function setExpiry(lote: Lote, { dataVenc }: BatchData, { alteradoPor }: NotaFiscal): void {
  if (dataVenc !== undefined && dataVenc !== lote.dataVenc) Object.assign(lote, { dataVenc, alteradoPor });
}

/** The fields of an existing batch that the invoice must not change, because they entered stock. */
function changedFacts({ lote }: ItemNotaFiscal, given: BatchData): FieldError[] {
  const changed = {
    quantidade: lote.quantidade !== given.quantidade,
    idLocal: lote.local?.id !== given.idLocal,
    idLocalDestino: given.idLocalDestino != null && lote.localDestino?.id !== given.idLocalDestino,
  };
  return Object.entries(changed)
    .filter(([, differs]) => differs)
    .map(([field]) => ({ field, message: fieldMessages.changed }));
}

function createBatch(em: EntityManager, nota: NotaFiscal, given: BatchData): Lote {
  const { alteradoPor } = nota;
  const lote = newBatch(em, given, { criadoPor: alteradoPor, alteradoPor });
  linkInvoice(em, lote, nota);
  return lote;
}
