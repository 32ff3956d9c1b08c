import type { EntityManager } from '@mikro-orm/postgresql';
import { Empresa } from '../entities/almoxarifado/empresa.ts';
import { ItemNotaFiscal } from '../entities/almoxarifado/item-nota-fiscal.ts';
import { Local } from '../entities/almoxarifado/local.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { Material } from '../entities/almoxarifado/material.ts';
import { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { transactionReader } from '../database/reader.ts';
import type { Call } from '../request/call.ts';
import { checkMaterial } from './batch-materials.ts';
import { postMovements } from './ledger.ts';
import { ENTRADA, ENTRADA_AVULSA, isEntry, type Movement } from './movement.ts';

/** The invoices of a batch. An item without an invoice is ignored. */
interface InvoicesInput {
  notasFiscais?: readonly { idNotaFiscal?: number | null }[] | null;
}

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

const invoicesOf = ({ notasFiscais }: InvoicesInput): number[] => [
  ...new Set((notasFiscais ?? []).map(item => item.idNotaFiscal).filter(id => id != null)),
];

/** Links a new batch to its invoices and enters its quantity into stock (contract 7). */
export async function enterBatch(
  lote: Lote,
  input: InvoicesInput,
  em: EntityManager,
  { context }: Call,
): Promise<void> {
  lote.localDestino ??= lote.local;
  const invoices = invoicesOf(input);
  for (const id of invoices) linkInvoice(em, lote, em.getReference(NotaFiscal, id));
  await em.flush();
  const { idPessoa } = await context.session();
  await postMovements(em, [entryOf(lote, invoices[0] ?? null)], idPessoa);
}

/** Links a batch to an invoice. */
export function linkInvoice(em: EntityManager, lote: Lote, notaFiscal: NotaFiscal): void {
  const { alteradoPor } = lote;
  em.create(ItemNotaFiscal, { lote, notaFiscal, criadoPor: alteradoPor, alteradoPor });
}

/** Existing links stay: an invoice may bring a batch in several parts. */
const LINK_ENTRIES = `
insert into item_nota_fiscal (id_nota_fiscal, id_lote, criado_por, alterado_por)
select e."idNotaFiscal", e."idLote", $2, $2
from jsonb_to_recordset($1::jsonb) as e ("idNotaFiscal" int, "idLote" int)
order by e."idNotaFiscal", e."idLote"
on conflict (id_nota_fiscal, id_lote) do nothing`;

/** Links the batches of movements that are entries of an invoice to it (contract 10). */
export async function linkEntries(
  em: EntityManager,
  movements: readonly Movement[],
  idPessoa: number,
): Promise<void> {
  const entries = movements.filter(
    movement => movement.idNotaFiscal != null && isEntry(movement.idTipoMovimentacao, movement.flEstorno),
  );
  if (entries.length === 0) return;
  const links = entries.map(({ idNotaFiscal, idLote }) => ({ idNotaFiscal, idLote }));
  await transactionReader(em).rows(LINK_ENTRIES, [JSON.stringify(links), idPessoa]);
}

/**
 * Checks the new material of a batch, and replaces its invoices. If invoices are absent they stay; null removes all.
 */
export async function changeBatch(
  lote: Lote,
  input: InvoicesInput,
  em: EntityManager,
  call: Call,
): Promise<void> {
  await checkMaterial(em, lote, call);
  if (input.notasFiscais === undefined) return;
  const toAdd = new Set(invoicesOf(input));
  for (const item of await lote.notasFiscais.loadItems()) {
    if (!toAdd.delete(item.notaFiscal.id)) lote.notasFiscais.remove(item);
  }
  for (const id of toAdd) linkInvoice(em, lote, em.getReference(NotaFiscal, id));
}

/** Changes a batch. If nothing changes, its last author stays the same. */
export function assignChanged(lote: Lote, values: Partial<Lote>, alteradoPor: number | null): void {
  const isChanged = Object.entries(values).some(([name, value]) => lote[name as keyof Lote] !== value);
  if (isChanged) Object.assign(lote, values, { alteradoPor });
}
