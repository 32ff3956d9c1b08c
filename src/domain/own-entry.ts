import { ENTRADAS, REJEITADA } from './movement.ts';

/** The entry in question, as SQL. `before`: which movements `f` are looked at. */
interface Asked {
  idLote: string;
  idNotaFiscal: string;
  before: string;
}

/**
 * SQL: whether an entry is the batch's own, the first one that brought something. An entry that was rejected, or reversed
 * as a whole, leaves its place to the next one; that of an invoice only to one of the same invoice, because its item stays.
 */
export const isOwnEntry = ({ idLote, idNotaFiscal, before }: Asked): string => `not exists (
  select from movimentacao f
  where f.id_lote = ${idLote} and ${before} and f.id_tipo_movimentacao in ${ENTRADAS} and f.fl_estorno = 'N' and (
    f.id_status_movimentacao <> ${REJEITADA} and f.quantidade_estornada < f.quantidade
    or f.id_nota_fiscal is not null and f.id_nota_fiscal is distinct from ${idNotaFiscal}
  )
)`;
