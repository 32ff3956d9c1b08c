import type { EntityManager } from '@mikro-orm/postgresql';
import { transactionReader } from '../database/reader.ts';
import { ItemNotaFiscal } from '../entities/almoxarifado/item-nota-fiscal.ts';
import { Lote } from '../entities/almoxarifado/lote.ts';
import { NotaFiscal } from '../entities/almoxarifado/nota-fiscal.ts';
import { hold, holdFound } from './lock-order.ts';
import { ENTRADAS, isEntry, type Movement } from './movement.ts';
import { locking, recordLock } from './records.ts';

/** The invoices of a batch. An item without an invoice is ignored. */
export interface InvoicesInput {
  notasFiscais?: readonly { idNotaFiscal?: number | null }[] | null;
}

interface LinkInput {
  idNotaFiscal?: number;
  idLote?: number;
}

const OF_LINK = `
select o.tabela as c0, o.id as c1
from item_nota_fiscal i
cross join lateral (values ('lote', i.id_lote), ('nota_fiscal', i.id_nota_fiscal)) o (tabela, id)
where i.id = $1
union values ('lote', $2::int), ('nota_fiscal', $3::int)`;

/** Locks the batch and the invoice of a link, and those that it gets, before the link. */
export const underBatchAndInvoice = locking<ItemNotaFiscal, LinkInput>({
  first: (em, id, { idLote, idNotaFiscal }) =>
    holdFound(em, { text: OF_LINK, values: [id, idLote, idNotaFiscal] }),
  turns: ({ idLote, idNotaFiscal }) => [
    ...(idLote ? [recordLock(Lote, idLote)] : []),
    ...(idNotaFiscal ? [recordLock(NotaFiscal, idNotaFiscal)] : []),
  ],
});

export const invoicesOf = ({ notasFiscais }: InvoicesInput): number[] => [
  ...new Set((notasFiscais ?? []).map(item => item.idNotaFiscal).filter(id => id != null)),
];

const OF_BATCH = `
select 'nota_fiscal' as c0, id_nota_fiscal as c1 from item_nota_fiscal where id_lote = $1
union select 'nota_fiscal', unnest($2::int[])
union values ('lote', $1)`;

/** Locks a batch, its invoices and those that it gets. A change of the batch is a new version of them. */
export const holdBatch = (em: EntityManager, id: number | undefined, input: InvoicesInput): Promise<void> =>
  holdFound(em, { text: OF_BATCH, values: [id, invoicesOf(input)] });

/** Links a batch to an invoice. */
export function linkInvoice(em: EntityManager, lote: Lote, notaFiscal: NotaFiscal): void {
  const { alteradoPor } = lote;
  em.create(ItemNotaFiscal, { lote, notaFiscal, criadoPor: alteradoPor, alteradoPor });
}

/** Locks the batches of movements that name invoices, and these. */
export async function holdForEntries(
  em: EntityManager,
  movements: readonly { idLote?: number | null; idNotaFiscal?: number | null }[],
): Promise<void> {
  if (movements.every(({ idNotaFiscal }) => idNotaFiscal == null)) return;
  await hold(em, [
    ...movements.map(({ idLote }) => ['lote', idLote] as const),
    ...movements.map(({ idNotaFiscal }) => ['nota_fiscal', idNotaFiscal] as const),
  ]);
}

/** Existing links stay: an invoice may bring a batch in several parts. */
const LINK_ENTRIES = `
insert into item_nota_fiscal (id_nota_fiscal, id_lote, criado_por, alterado_por)
select e."idNotaFiscal", e."idLote", $2, $2
from jsonb_to_recordset($1::jsonb) as e ("idNotaFiscal" int, "idLote" int)
order by e."idNotaFiscal", e."idLote"
on conflict (id_nota_fiscal, id_lote) do nothing`;

/** Links the batches of movements that are entries of an invoice to it (contract 10). They are locked. */
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
 * A link that is older than the movement, such as one that somebody made before, stays. So does one that another entry
 * of the invoice needs.
 */
const UNLINK_ENTRY = `
delete from item_nota_fiscal i using movimentacao m
where m.id = $1 and i.id_lote = $2 and i.id_nota_fiscal = m.id_nota_fiscal and i.criado_em >= m.criado_em
  and not exists (
    select from movimentacao o
    where o.id_lote = i.id_lote and o.id_nota_fiscal = i.id_nota_fiscal and o.id <> m.id
      and o.id_tipo_movimentacao in ${ENTRADAS} and o.fl_estorno = 'N'
  )`;

/**
 * Revises the items of an invoice when its pending movement gets another batch, or becomes an entry or a reversal. The
 * batches are locked. `before` is the movement as it was.
 */
export async function relinkEntry(
  em: EntityManager,
  before: Movement & { id: number },
  now: Movement,
  idPessoa: number,
): Promise<void> {
  if (before.idLote === now.idLote && before.flEstorno === now.flEstorno) return;
  if (isEntry(before.idTipoMovimentacao, before.flEstorno))
    await transactionReader(em).rows(UNLINK_ENTRY, [before.id, before.idLote]);
  await linkEntries(em, [now], idPessoa);
}
