import type { Reader } from '../database/reader.ts';

/** A cell of stock that differs from the sum of its effective movements. */
export interface Discrepancy {
  idLote: number;
  idLocalFim: number;
  idLocalArmazenado: number;
  /** The cell's quantity; null when the cell does not exist. */
  stored: number | null;
  /** The sum of its movements. */
  moved: number;
}

/**
 * Takes the sides of a movement from the table of kinds, not from the ledger's code, so that the check is independent
 * of it.
 */
const DISCREPANCIES = `
with effect as (
  select m.id_lote, m.id_local_origem_fim as fim, m.id_local_origem_arm as arm,
    case m.fl_estorno when 'S' then m.quantidade else -m.quantidade end as delta
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao and t.exige_origem
  where m.id_status_movimentacao = 2
  union all
  select m.id_lote, m.id_local_destino_fim, m.id_local_destino_arm,
    case m.fl_estorno when 'S' then -m.quantidade else m.quantidade end
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao and t.exige_destino
  where m.id_status_movimentacao = 2
), moved as (
  select id_lote, fim, arm, sum(delta)::float8 as total from effect group by 1, 2, 3
)
select coalesce(e.id_lote, v.id_lote) as lote, coalesce(e.id_local_fim, v.fim) as fim,
  coalesce(e.id_local_armazenado, v.arm) as arm, e.quantidade, coalesce(v.total, 0) as total
from estoque e
full join moved v on (v.id_lote, v.fim, v.arm) = (e.id_lote, e.id_local_fim, e.id_local_armazenado)
where e.quantidade is distinct from v.total and (e.quantidade is null or coalesce(v.total, 0) <> e.quantidade)
order by 1, 2, 3`;

/**
 * Every cell of stock that differs from the sum of its effective movements (contract 7). Empty when stock is correct.
 */
export async function discrepancies(reader: Reader): Promise<Discrepancy[]> {
  const rows = await reader.rows(DISCREPANCIES, []);
  return rows.map(([idLote, idLocalFim, idLocalArmazenado, stored, moved]) => ({
    idLote: idLote as number,
    idLocalFim: idLocalFim as number,
    idLocalArmazenado: idLocalArmazenado as number,
    stored: stored as number | null,
    moved: moved as number,
  }));
}
