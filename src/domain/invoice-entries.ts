import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import type { Lote } from '../entities/almoxarifado/lote.ts';
import type { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { conflict, type AppError } from '../errors.ts';
import type { Text } from '../messages.ts';
import { stockTexts } from './messages.ts';
import { ENTRADAS, REJEITADA } from './movement.ts';
import { isOwnEntry } from './own-entry.ts';

/** A batch whose quantity an invoice changes. `at` is its index in the input, and `from` is what its item showed. */
export interface QuantityChange {
  lote: Lote;
  at: number;
  from: number;
  to: number;
}

/** An entry of a batch. `stands`: the part of it that was not rejected, and that no reversal has undone or reserved. */
export interface Entry {
  id: number;
  idTipoMovimentacao: number;
  idStatusMovimentacao: number;
  idLocalDestinoFim: number;
  idLocalDestinoArm: number;
  idNotaFiscal: number | null;
  quantidade: number;
  stands: number;
  isOwn: boolean;
}

/** Newest first, the order in which reversals undo them. They are locked, because pending ones may change. */
const ENTRIES = `
select m.id_lote as c0, to_jsonb(e) as c1
from movimentacao m cross join lateral (
  select m.id, m.id_tipo_movimentacao as "idTipoMovimentacao", m.id_status_movimentacao as "idStatusMovimentacao",
    m.id_local_destino_fim as "idLocalDestinoFim", m.id_local_destino_arm as "idLocalDestinoArm",
    m.id_nota_fiscal as "idNotaFiscal", m.quantidade, case when m.id_status_movimentacao = ${REJEITADA} then 0
      else m.quantidade - m.quantidade_estornada - m.quantidade_em_estorno end as stands,
    ${isOwnEntry({ idLote: 'm.id_lote', idNotaFiscal: 'm.id_nota_fiscal', before: 'f.id < m.id' })} as "isOwn"
) e
where m.id_lote = any ($1::int[]) and m.id_tipo_movimentacao in ${ENTRADAS} and m.fl_estorno = 'N'
order by m.id desc for no key update of m`;

/** The entries of batches, by batch, newest first. */
export async function entriesOf(
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

export const sumOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { stands }) => sum + stands, 0);

const broughtBy = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { quantidade }) => sum + quantidade, 0);

/**
 * The entries that the item of an invoice stands for, as far as they stand, newest first: those of the invoice, and the
 * batch's own ones if they came without any. If both stand, the item means those of the invoice, or both, whichever it
 * shows. If it shows neither, it can only be corrected to one of them.
 * @throws CONFLICT for entries of other invoices, and if the item does not say which entries it means
 */
export function entriesMeant(nota: NotaFiscal, change: QuantityChange, entries: readonly Entry[]): Entry[] {
  const field = `lotes[${change.at}].quantidade`;
  const refuse = (detail: Text): AppError => conflict(detail, [{ field, message: stockTexts.changed }]);
  const standing = entries.filter(({ stands }) => stands > 0);
  const invoices = new Set(standing.flatMap(({ idNotaFiscal }) => idNotaFiscal ?? []));
  if (invoices.size > 1) throw refuse(stockTexts.severalInvoices);
  if (invoices.size === 1 && !invoices.has(nota.id)) throw refuse(stockTexts.otherInvoice);
  const isMeant = ({ idNotaFiscal, isOwn }: Entry): boolean => idNotaFiscal === nota.id || isOwn;
  const withOwn = standing.filter(isMeant);
  const invoiced = withOwn.filter(({ idNotaFiscal }) => idNotaFiscal !== null);
  const isMixed = invoiced.length > 0 && invoiced.length < withOwn.length;
  const choices = isMixed ? [invoiced, withOwn] : [withOwn];
  const ofSum = (quantity: number): Entry[] | undefined => choices.find(some => sumOf(some) === quantity);
  const meant = ofSum(change.from) ?? ofSum(change.to);
  if (meant) return meant;
  // What these entries never brought may have been deleted. Or it is that of the others, which a correction would repeat.
  const isMore = withOwn.length > 0 && change.from > broughtBy(entries.filter(isMeant));
  const isAll =
    standing.length > withOwn.length && [sumOf(standing), broughtBy(standing)].includes(change.from);
  if (isMixed || isMore || isAll || change.from < sumOf(withOwn))
    throw refuse(stockTexts.otherQuantity(choices.map(sumOf).filter(sum => sum > 0)));
  return withOwn;
}
