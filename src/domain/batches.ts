import type { EntityManager } from '@mikro-orm/postgresql';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import { Local } from '../entities/almoxarifado/local.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import type { Call } from '../request/call.ts';
import { checkMaterial } from './batch-materials.ts';
import { holdBatch, invoicesOf, linkInvoice, type InvoicesInput } from './invoice-links.ts';
import { postMovements } from './ledger.ts';
import { ENTRADA, ENTRADA_AVULSA, type Movement } from './movement.ts';
import type { Complete } from './records.ts';

/** A batch that is created as part of another write. */
export interface BatchData {
  idMaterial: number;
  idFabricante: number;
  codLote?: string | null;
  dataVenc?: string | null;
  quantidade: number;
  idLocal?: number | null;
  idLocalDestino?: number | null;
}

interface Authors {
  criadoPor: number | null;
  alteradoPor: number | null;
}

export function newBatch(em: EntityManager, given: BatchData, authors: Authors): Lote {
  const place = (id: number | null | undefined): Local | null =>
    id == null ? null : em.getReference(Local, id);
  return em.create(Lote, {
    material: em.getReference(Material, given.idMaterial),
    fabricante: em.getReference(Empresa, given.idFabricante),
    codLote: given.codLote ?? null,
    dataVenc: given.dataVenc ?? null,
    quantidade: given.quantidade,
    motivo: null,
    local: place(given.idLocal),
    localDestino: place(given.idLocalDestino ?? given.idLocal),
    ...authors,
  });
}

/** The movement that enters a batch into stock, with its locations and quantity. */
export const entryOf = (lote: Lote, idNotaFiscal: number | null): Movement => ({
  idLote: lote.id,
  idTipoMovimentacao: idNotaFiscal === null ? ENTRADA_AVULSA : ENTRADA,
  idLocalDestinoFim: lote.local!.id,
  idLocalDestinoArm: lote.localDestino!.id,
  quantidade: lote.quantidade,
  observacao: lote.motivo,
  flEstorno: 'N',
  idNotaFiscal,
});

/** Links a new batch to its invoices and enters its quantity into stock (contract 7). */
async function enter(lote: Lote, input: InvoicesInput, em: EntityManager, { context }: Call): Promise<void> {
  lote.localDestino ??= lote.local;
  const invoices = invoicesOf(input);
  for (const id of invoices) linkInvoice(em, lote, em.getReference(NotaFiscal, id));
  await em.flush();
  const { idPessoa } = await context.session();
  await postMovements(em, [entryOf(lote, invoices[0] ?? null)], idPessoa);
}

/**
 * Checks the new material of a batch, and replaces its invoices. If invoices are absent they stay; null removes all.
 */
async function change(lote: Lote, input: InvoicesInput, em: EntityManager, call: Call): Promise<void> {
  await checkMaterial(em, lote, call);
  if (input.notasFiscais === undefined) return;
  const toAdd = new Set(invoicesOf(input));
  for (const item of await lote.notasFiscais.loadItems()) {
    if (!toAdd.delete(item.notaFiscal.id)) lote.notasFiscais.remove(item);
  }
  for (const id of toAdd) linkInvoice(em, lote, em.getReference(NotaFiscal, id));
}

/** Whether two values of a batch are the same. An empty code, which GraphQL stores, is no code, as null in REST. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  (one === '' ? null : one) === (other === '' ? null : other);

/** Changes a batch. If nothing changes, its last author stays the same. */
export function assignChanged(lote: Lote, values: Partial<Lote>, alteradoPor: number | null): void {
  const isChanged = Object.entries(values).some(
    ([name, value]) => !isSameValue(lote[name as keyof Lote], value),
  );
  if (isChanged) Object.assign(lote, values, { alteradoPor });
}

export const enterBatch: Complete<Lote, InvoicesInput> = Object.assign(enter, { first: holdBatch });
export const changeBatch: Complete<Lote, InvoicesInput> = Object.assign(change, { first: holdBatch });
