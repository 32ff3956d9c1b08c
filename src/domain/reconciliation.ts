import type { Reader } from '../database/reader.ts';
import { EFETIVADA, PENDENTE } from './movement.ts';

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
 * Takes the sides of a movement from the table of types and not from the ledger's code, so that the check is
 * independent of it.
 */
const DISCREPANCIES = `
with effect as (
  select m.id_lote, m.id_local_origem_fim as fim, m.id_local_origem_arm as arm,
    case m.fl_estorno when 'S' then m.quantidade else -m.quantidade end as delta
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao and t.exige_origem
  where m.id_status_movimentacao = ${EFETIVADA}
  union all
  select m.id_lote, m.id_local_destino_fim, m.id_local_destino_arm,
    case m.fl_estorno when 'S' then -m.quantidade else m.quantidade end
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao and t.exige_destino
  where m.id_status_movimentacao = ${EFETIVADA}
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

/** A batch whose stock differs from what came in minus what left. */
export interface Imbalance {
  idLote: number;
  /** The quantity of its entries, minus their reversals. */
  came: number;
  /** The quantity of consumption and disposal, minus their reversals. */
  left: number;
  stored: number;
}

/** The effect of reversals is taken only from their links, so that a reversal without a link has no effect. */
const IMBALANCES = `
with undone as (
  select e.id_estornada as id, sum(e.quantidade) as quantidade
  from estorno e join movimentacao r on r.id = e.id_movimentacao and r.id_status_movimentacao = ${EFETIVADA} group by 1
), moved as (
  select m.id_lote,
    sum(m.quantidade - coalesce(u.quantidade, 0)) filter (where t.exige_destino and not t.exige_origem) as came,
    sum(m.quantidade - coalesce(u.quantidade, 0)) filter (where t.exige_origem and not t.exige_destino) as gone
  from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao left join undone u on u.id = m.id
  where m.id_status_movimentacao = ${EFETIVADA} and m.fl_estorno = 'N' group by 1
), stored as (
  select id_lote, sum(quantidade) as quantidade from estoque group by 1
)
select coalesce(s.id_lote, v.id_lote) as lote, coalesce(v.came, 0)::float8, coalesce(v.gone, 0)::float8,
  coalesce(s.quantidade, 0)::float8
from stored s full join moved v using (id_lote)
where coalesce(v.came, 0) - coalesce(v.gone, 0) <> coalesce(s.quantidade, 0)
order by 1`;

/** Every batch whose stock differs from what came in minus what left (contract 10). */
export async function imbalances(reader: Reader): Promise<Imbalance[]> {
  const rows = (await reader.rows(IMBALANCES, [])) as [number, number, number, number][];
  return rows.map(([idLote, came, left, stored]) => ({ idLote, came, left, stored }));
}

/** A reversal whose links differ from its quantity, or a movement whose reversed quantity differs from its links. */
export interface WrongReversal {
  id: number;
  isReversal: boolean;
  quantidade: number;
  /** For a reversal, the quantity that its links undo. For another movement, the quantity that links undo of it. */
  linked: number;
  /** For a movement that is not a reversal, the reversed and reserved quantity stored in its own row. */
  ownQuantity: number;
}

const WRONG_REVERSALS = `
select m.id, true, m.quantidade, coalesce(sum(e.quantidade), 0)::float8 as linked, 0 as "ownQuantity"
from movimentacao m join tipo_movimentacao t on t.id = m.id_tipo_movimentacao
left join estorno e on e.id_movimentacao = m.id and exists (
  select from movimentacao u where u.id = e.id_estornada and u.fl_estorno = 'N' and u.id_status_movimentacao = ${EFETIVADA}
    and (u.id_lote, u.id_tipo_movimentacao) = (m.id_lote, m.id_tipo_movimentacao)
    and (not t.exige_origem
      or (u.id_local_origem_fim, u.id_local_origem_arm) is not distinct from (m.id_local_origem_fim, m.id_local_origem_arm))
    and (not t.exige_destino
      or (u.id_local_destino_fim, u.id_local_destino_arm)
        is not distinct from (m.id_local_destino_fim, m.id_local_destino_arm)))
where m.fl_estorno = 'S' and m.id_status_movimentacao in (${PENDENTE}, ${EFETIVADA})
group by m.id having coalesce(sum(e.quantidade), 0) <> m.quantidade
union all
select m.id, false, m.quantidade, coalesce(l.linked, 0)::float8, m.quantidade_estornada + m.quantidade_em_estorno
from movimentacao m
left join (
  select e.id_estornada as id, sum(e.quantidade) as linked,
    sum(e.quantidade) filter (where r.id_status_movimentacao = ${EFETIVADA}) as done
  from estorno e join movimentacao r on r.id = e.id_movimentacao group by 1
) l using (id)
where coalesce(l.linked, 0) > m.quantidade
  or coalesce(l.done, 0) <> m.quantidade_estornada
  or coalesce(l.linked, 0) - coalesce(l.done, 0) <> m.quantidade_em_estorno
order by 1`;

/** Every reversal and every reversed movement with wrong links (contract 10). */
export async function wrongReversals(reader: Reader): Promise<WrongReversal[]> {
  const rows = (await reader.rows(WRONG_REVERSALS, [])) as [number, boolean, number, number, number][];
  return rows.map(([id, isReversal, quantidade, linked, ownQuantity]) => ({
    id,
    isReversal,
    quantidade,
    linked,
    ownQuantity,
  }));
}

/** The number of contradictions among cells, batches and movements. */
export async function countContradictions(reader: Reader): Promise<number> {
  const [cells, batches, reversals] = [
    await discrepancies(reader),
    await imbalances(reader),
    await wrongReversals(reader),
  ];
  return cells.length + batches.length + reversals.length;
}
