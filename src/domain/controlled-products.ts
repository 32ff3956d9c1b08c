import { withinOr } from '../listing/where.ts';
import { IN_MAP } from '../entities/almoxarifado/material.ts';
import { EFETIVADA, ENTRADAS, SAIDAS } from './movement.ts';

/* SQL of the chemicals that the Federal Police controls, used by the register and the monthly map. */

/** The materials in the map. A mixture is identified by its NCM and has no concentration of its own. */
export const CONTROLLED_PRODUCTS = `
select m.id as id_material, m.titulo, x.mistura, m.lista_pf as lista,
  case when x.mistura then m.ncm else m.codigo_pf end as codigo,
  case when not x.mistura then round(m.concentracao::numeric)::int end as concentracao,
  round(m.densidade::numeric, 2) as densidade,
  u.sigla, u.unidade_controle as unidade, u.fator_controle::numeric as fator
from material m
join unidade_medida u on u.id = m.id_unidade_medida
left join tipo_controle c on c.id = m.id_tipo_controle
cross join lateral (
  select exists (select from substancia_controlada s where s.id_material = m.id) as mistura
) x
where ${IN_MAP}`;

/**
 * The months that the filters select, from the first movement to now, each from `inicio` to before `fim`. Without
 * filters, the months for which `usual` is true.
 */
export const months = (usual = 'true'): string => `
select t.* from (
  select extract(year from d)::int as ano, extract(month from d)::int as mes,
    d::timestamptz as inicio, (d + interval '1 month')::timestamptz as fim
  from generate_series(
    (select date_trunc('month', min(data)::timestamp) from movimentacao), now()::timestamp, interval '1 month'
  ) d
) t where ${withinOr(usual)}`;

/** Controlled materials with the same value are one product. A material without a code is a product by itself. */
export const PRODUCT =
  'p.codigo, p.concentracao, p.densidade, p.unidade, case when p.codigo is null then p.id_material end';

/** The substances of the mixture `p`, as the map writes them. Null if there are none. */
export const SUBSTANCES = `(
  select jsonb_agg(jsonb_build_object('codigo', s.codigo_pf, 'concentracao', round(s.concentracao::numeric)::int)
    order by s.codigo_pf)
  from substancia_controlada s where s.id_material = p.id_material
)`;

/**
 * The purpose of a movement `v`; by default that of the location `o` where the material was, or that of the
 * institution.
 */
export const PURPOSE = `coalesce(v.finalidade, o.finalidade, nullif(current_setting('sii.finalidade', true), '')::int)`;

/** Whether the map reports a movement `v` with its invoice `n`, if it has one. */
export const BY_INVOICE = `(v.id_tipo_movimentacao in ${ENTRADAS}
  or (v.id_tipo_movimentacao in ${SAIDAS} and n.operacao like 'S%'))`;

/** What reversals before a moment (SQL) left of a movement `v`. */
export const leftAt = (
  moment: string,
): string => `v.quantidade - case when v.quantidade_estornada = 0 then 0 else (
    select coalesce(sum(e.quantidade), 0) from estorno e join movimentacao r on r.id = e.id_movimentacao
    where e.id_estornada = v.id and r.id_status_movimentacao = ${EFETIVADA} and r.data < ${moment}
  ) end`;

/** Whether the file names third-party warehouses. */
export const WAREHOUSES = `coalesce(current_setting('sii.armazens', true), 'false') = 'true'`;

/**
 * How the goods of an invoice `n` were stored, in the codes of the map. If a warehouse is given, they were stored
 * elsewhere.
 */
export const STORAGE = `coalesce(n.armazenagem, case
    when n.operacao like 'S%' then case when n.id_armazem is null then 'F' else 'T' end
    else case when n.id_armazem is null then 'N' else 'S' end
  end)`;

/** Who carried the goods of an invoice `n` of the supplier `f` with the carrier `t`, in the codes of the map. */
export const CARRIAGE = `coalesce(n.transporte, case
    when t.cnpj = nullif(current_setting('sii.cnpj', true), '') then 'A'
    when t.cnpj is null or t.cnpj = f.cnpj then 'F'
    else 'T'
  end)`;

/** The place and the invoice of a movement `v`, and what they say of it. */
const PLACE_AND_INVOICE = `left join "local" o on o.id = v.id_local_origem_fim
left join nota_fiscal n on n.id = v.id_nota_fiscal
cross join lateral (
  select ${PURPOSE} as finalidade, n.id is not null and coalesce(${BY_INVOICE}, false) as com_nota
) x`;

/**
 * Effective movements of batches since a time (both SQL), with their kind, and whether the map reports them with an
 * invoice. A reversal is a negative quantity of the movement that it undoes, with the same purpose and invoice. A
 * reversal of an unknown movement has its own ones.
 */
export const factsFrom = (moment: string, batches: string): string => `
select v.id, v.id_lote, v.data, v.id_tipo_movimentacao as tipo, x.finalidade, x.com_nota, v.quantidade
from movimentacao v
${PLACE_AND_INVOICE}
where v.fl_estorno = 'N' and v.id_status_movimentacao = ${EFETIVADA} and v.data >= ${moment}
  and v.id_lote in (${batches})
union all
select r.id, r.id_lote, r.data, r.id_tipo_movimentacao, x.finalidade, x.com_nota, -e.quantidade
from movimentacao r
join estorno e on e.id_movimentacao = r.id
join movimentacao v on v.id = e.id_estornada
${PLACE_AND_INVOICE}
where r.fl_estorno = 'S' and r.id_status_movimentacao = ${EFETIVADA} and r.data >= ${moment}
  and r.id_lote in (${batches})
union all
select v.id, v.id_lote, v.data, v.id_tipo_movimentacao, x.finalidade, x.com_nota, coalesce(e.quantidade, 0) - v.quantidade
from movimentacao v
${PLACE_AND_INVOICE}
left join lateral (
  select sum(quantidade)::int as quantidade from estorno where id_movimentacao = v.id
) e on true
where v.fl_estorno = 'S' and v.id_status_movimentacao = ${EFETIVADA} and v.data >= ${moment}
  and v.id_lote in (${batches}) and v.quantidade > coalesce(e.quantidade, 0)`;
