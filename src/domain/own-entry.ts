import { ENTRADAS, REJEITADA } from './movement.ts';

/** The entry `m` in question, as SQL. `before`: which movements `f` are looked at. */
interface Asked {
  idLote: string;
  idNotaFiscal: string;
  before: string;
}

/**
 * SQL: whether `f` entered together with the entry `m`: both without an invoice, and registered in one transaction, as the
 * opening balances of a file are.
 */
export const isTogether = (idNotaFiscal: string): string =>
  `(f.id_nota_fiscal is null and ${idNotaFiscal} is null and f.criado_em = m.criado_em)`;

/**
 * SQL: whether an entry `m` is the batch's own, the first one that brought something, or one that entered together with it.
 * An entry that was rejected, or reversed as a whole, leaves its place to the next one; that of an invoice only to one of
 * the same invoice, because its item stays.
 */
export const isOwnEntry = ({ idLote, idNotaFiscal, before }: Asked): string => `not exists (
  select from movimentacao f
  where f.id_lote = ${idLote} and ${before} and f.id_tipo_movimentacao in ${ENTRADAS} and f.fl_estorno = 'N' and (
    f.id_status_movimentacao <> ${REJEITADA} and f.quantidade_estornada < f.quantidade and not ${isTogether(idNotaFiscal)}
    or f.id_nota_fiscal is not null and f.id_nota_fiscal is distinct from ${idNotaFiscal}
  )
)`;
