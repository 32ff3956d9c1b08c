import type { Reader } from '../database/reader.ts';
import { BY_INVOICE, CONTROLLED_PRODUCTS, PURPOSE } from './controlled-products.ts';
import { DESCARTE, EFETIVADA, SAIDA, TRANSFERENCIA } from './movement.ts';

/*
 * SQL of where the map counts a movement: in which record, for which purpose and of which product. An open month has that
 * from the records of today. A closing keeps it, because reversals of later months must take off what was told.
 */

const DISPOSALS = `current_setting('sii.descartes', true) = 'other'`;

/** The record of the file that reports a movement `v` with the invoice `n`; null if none does. */
const RECORD = `case
  when n.id is not null and ${BY_INVOICE} then 'MVN'
  when v.id_tipo_movimentacao = ${SAIDA} or (v.id_tipo_movimentacao = ${DESCARTE} and ${DISPOSALS}) then 'UC'
end`;

/** The record and the purpose of a movement `v` of the batch `l`, its material, and a factor that is not that of today. */
const FACTS = `
  select r.registro, case when r.registro = 'UC'
    then case v.id_tipo_movimentacao when ${DESCARTE} then 3 else ${PURPOSE} end end as finalidade,
    l.id_material, null::numeric as fator
  from (select ${RECORD} as registro) r`;

/** Few materials are controlled. The others are left out here, before their movements are joined and collected. */
const IS_PRODUCT = 'l.id_material in (select id_material from produto)';

/** The invoice and the location of a movement `v`. */
const RECORDS = `
left join nota_fiscal n on n.id = v.id_nota_fiscal
left join "local" o on o.id = v.id_local_origem_fim`;

/** Joins the facts `x` of a movement `v`, as the records say today. */
export const FACTS_NOW = `
join lote l on l.id = v.id_lote and ${IS_PRODUCT}${RECORDS}
cross join lateral (${FACTS}) x`;

/**
 * Joins the facts `x` of a movement `v` of an earlier month: those that the closing of that month keeps, where the material
 * is one that is the same product today; or those of today, if the month is open, or was closed by a version that kept none.
 * What was not in the map when the month was closed has no facts.
 */
export const FACTS_TOLD = `
join lote l on l.id = v.id_lote${RECORDS}
left join lateral (
  select f.materiais, t.* from fechamento_mapa f
  left join informado_mapa t on t.id_fechamento = f.id and t.id_movimentacao = v.id
  where f.reaberto_em is null and v.data >= f.inicio and v.data < f.fim
  order by t.id_fechamento limit 1
) f on true
left join produto q on q.id_material = q.id_produto and q.codigo = f.codigo and q.unidade = f.unidade
  and q.concentracao is not distinct from f.concentracao and q.densidade = f.densidade
cross join lateral (
  select f.registro, f.finalidade, q.id_material, f.fator where f.id_movimentacao is not null
  union all
  select * from (${FACTS}) r
  where f.id_movimentacao is null and ${IS_PRODUCT} and (f.materiais is null or l.id_material = any (f.materiais))
) x`;

/**
 * SQL of what a closing keeps of the month of the parameters $1 and $2, as jsonb: the facts of its movements, each with the
 * movements that have them. Those that no record reports are among them, because a movement of which nothing is kept was
 * closed by a version that kept nothing.
 */
export const TOLD = `(
  select coalesce(jsonb_agg(t), '[]') from (
    select x.registro, x.finalidade, p.codigo, p.concentracao, p.densidade, p.unidade, p.fator, array_agg(v.id) as movimentacoes
    from make_date($1, $2, 1) m
    join movimentacao v on v.data >= m::timestamptz and v.data < (m + interval '1 month')::timestamptz
      and v.id_tipo_movimentacao <> ${TRANSFERENCIA} and v.fl_estorno = 'N' and v.id_status_movimentacao = ${EFETIVADA}
    join lote l on l.id = v.id_lote
    join (${CONTROLLED_PRODUCTS}) p on p.id_material = l.id_material${RECORDS}
    cross join lateral (${FACTS}) x
    group by x.registro, x.finalidade, p.codigo, p.concentracao, p.densidade, p.unidade, p.fator
  ) t
)`;

const KEEP = `
insert into informado_mapa (id_fechamento, id_movimentacao, registro, finalidade, codigo, concentracao, densidade, unidade, fator)
select $1, v.id, t.registro, t.finalidade, t.codigo, t.concentracao, t.densidade, t.unidade, t.fator
from jsonb_to_recordset($2) as t (
  registro text, finalidade int, codigo text, concentracao int, densidade numeric, unidade text, fator numeric, movimentacoes int[]
) cross join unnest(t.movimentacoes) v (id)`;

/** Keeps with a closing what {@link TOLD} read together with its lines. */
export async function keepTold(reader: Reader, idFechamento: number, told: readonly object[]): Promise<void> {
  await reader.rows(KEEP, [idFechamento, JSON.stringify(told)]);
}
