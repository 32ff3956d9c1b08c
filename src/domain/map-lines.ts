import {
  CARRIAGE,
  CONTROLLED_PRODUCTS,
  months,
  PRODUCT,
  PURPOSE,
  STORAGE,
  SUBSTANCES,
} from './controlled-products.ts';
import { DESCARTE, EFETIVADA, ENTRADAS, SAIDA, SAIDAS } from './movement.ts';

/*
 * SQL of the lines of the monthly map: entries and exits with an invoice, and consumption by day.
 */

/** The columns of a line, with their types. A closed month stores its lines as JSON with these columns. */
export const LINE_COLUMNS = {
  registro: 'text',
  sentido: 'text',
  operacao: 'text',
  id_nota_fiscal: 'int',
  numero_nf: 'text',
  data: 'date',
  cnpj: 'text',
  empresa: 'text',
  armazenagem: 'text',
  transporte: 'text',
  cnpj_transportadora: 'text',
  transportadora: 'text',
  armazem: 'jsonb',
  produto: 'text',
  codigo: 'text',
  mistura: 'boolean',
  substancias: 'jsonb',
  concentracao: 'int',
  densidade: 'numeric',
  quantidade: 'numeric',
  unidade: 'text',
  finalidade: 'int',
  observacao: 'text',
} as const;

const names = Object.keys(LINE_COLUMNS);
const listed = (alias: string): string => names.map(name => `${alias}.${name}`).join(', ');

const DISPOSALS = `current_setting('sii.descartes', true) = 'other'`;

/** The record of the file that reports a movement `v` with the invoice `n`; null if none does. */
const RECORD = `case
  when v.id_tipo_movimentacao in ${ENTRADAS} then case when n.id is not null then 'MVN' end
  when v.id_tipo_movimentacao in ${SAIDAS} and n.operacao like 'S%' then 'MVN'
  when v.id_tipo_movimentacao = ${SAIDA} or (v.id_tipo_movimentacao = ${DESCARTE} and ${DISPOSALS}) then 'UC'
end`;

/** A line of the month `k` from a movement `v`: a quantity (SQL) on a day, or a reversed quantity if `dia` is null. */
const line = (quantity: string, day: string): string => `
select k.inicio, x.registro, v.id_tipo_movimentacao in ${ENTRADAS} as entra,
  x.registro = 'UC' and v.id_tipo_movimentacao = ${DESCARTE} as descarte, l.id_material,
  case x.registro when 'MVN' then n.id end as id_nota_fiscal,
  case when x.registro = 'UC' then case v.id_tipo_movimentacao when 5 then 3 else ${PURPOSE} end end as finalidade,
  v.observacao, ${day} as dia, ${quantity} as quantidade`;

/** Few materials are controlled. The others are left out here, before their movements are joined and collected. */
const OF_MOVEMENT = `
join lote l on l.id = v.id_lote and l.id_material in (select id_material from produto)
left join nota_fiscal n on n.id = v.id_nota_fiscal
left join "local" o on o.id = v.id_local_origem_fim
cross join lateral (select ${RECORD} as registro) x
where x.registro is not null`;

/** Effective movements of the open months, either reversals or not. Transfers do not count. */
const effective = (alias: string, reversal: 'S' | 'N'): string => `
from aberto k
join movimentacao ${alias} on ${alias}.data >= k.inicio and ${alias}.data < k.fim and ${alias}.id_tipo_movimentacao <> 3
  and ${alias}.fl_estorno = '${reversal}' and ${alias}.id_status_movimentacao = ${EFETIVADA}`;

/**
 * The lines of a month: what is left of each movement at the end of its month; reversals of movements of earlier
 * months; and reversals of unknown movements.
 */
const LINES = `${line(
  `v.quantidade - case when v.quantidade_estornada = 0 then 0 else (
    select coalesce(sum(e.quantidade), 0) from estorno e join movimentacao r on r.id = e.id_movimentacao
    where e.id_estornada = v.id and r.id_status_movimentacao = ${EFETIVADA} and r.data < k.fim
  ) end`,
  `case x.registro when 'MVN' then k.inicio else v.data end::date`,
)}${effective('v', 'N')}${OF_MOVEMENT}
union all${line('-e.quantidade', 'null')}${effective('r', 'S')}
join estorno e on e.id_movimentacao = r.id
join movimentacao v on v.id = e.id_estornada and v.data < k.inicio${OF_MOVEMENT}
union all${line(`coalesce(e.quantidade, 0) - v.quantidade`, 'null')}${effective('v', 'S')}
left join lateral (select sum(quantidade) as quantidade from estorno where id_movimentacao = v.id) e on true${OF_MOVEMENT}
  and v.quantidade > coalesce(e.quantidade, 0)`;

/**
 * The lines of the months that are not closed. A reversal reduces the movement that it undoes, if that is of the same
 * month. A reversal of a movement of another month (`volta`) reduces the lines with the same product, invoice and
 * purpose in the month of the reversal, from the first day on, as far as possible. The running sum is rounded instead
 * of each line, so that the lines of a product add up to its total.
 */
const COMPUTED = `
select k.ano, k.mes, s.registro, case when s.registro = 'MVN' then case when s.entra then 'E' else 'S' end end as sentido,
  coalesce(n.operacao, case when s.registro = 'MVN' then 'EC' end) as operacao,
  n.id as id_nota_fiscal, n.numero_nf, case s.registro when 'UC' then s.dia else n.data_emissao end as data,
  f.cnpj, f.nome as empresa,
  case when n.id is not null then ${STORAGE} end as armazenagem, case when n.id is not null then ${CARRIAGE} end as transporte,
  t.cnpj as cnpj_transportadora, t.nome as transportadora,
  case when ${STORAGE} in ('S', 'T') and a.id is not null then jsonb_build_object(
    'cnpj', d.cnpj, 'nome', d.nome, 'endereco', a.endereco, 'numero', a.numero, 'complemento', a.complemento,
    'bairro', a.bairro, 'cep', a.cep, 'uf', a.uf, 'codigoMunicipio', a.codigo_municipio
  ) end as armazem,
  p.produto, p.codigo, p.mistura, p.substancias, p.concentracao, p.densidade,
  round(greatest(s.ate - s.volta, 0), 3) - round(greatest(s.ate - s.soma - s.volta, 0), 3) as quantidade,
  p.unidade, s.finalidade, s.observacao
from (
  select inicio, registro, entra, descarte, id_produto, id_nota_fiscal, finalidade, dia, observacao, soma,
    sum(soma) filter (where dia is not null) over (chave order by dia) as ate,
    coalesce(-sum(soma) filter (where dia is null) over (chave), 0) as volta
  from (
    select c.inicio, c.registro, c.entra, c.descarte, p.id_produto, c.id_nota_fiscal, c.finalidade, c.dia,
      case when c.descarte then 'Descarte' when min(c.observacao) = max(c.observacao) and count(*) = count(c.observacao)
        then min(c.observacao) end as observacao,
      sum(p.fator * c.quantidade) as soma
    from contado c join produto p on p.id_material = c.id_material
    group by c.inicio, c.registro, c.entra, c.descarte, p.id_produto, c.id_nota_fiscal, c.finalidade, c.dia
  ) somado
  window chave as (partition by inicio, registro, entra, descarte, id_produto, id_nota_fiscal, finalidade)
) s
join aberto k on k.inicio = s.inicio
join produto p on p.id_material = s.id_produto
left join nota_fiscal n on n.id = s.id_nota_fiscal
left join empresa f on f.id = n.id_fornecedor
left join empresa t on t.id = n.id_transportadora
left join armazem a on a.id = n.id_armazem
left join empresa d on d.id = a.id_empresa
where s.dia is not null`;

/** All lines of the selected months, with the columns above, `ano` and `mes`. Closed months have stored lines. */
export const MAP_LINES = `
with mes as materialized (${months()}
), fechado as materialized (
  select f.id, mes.ano, mes.mes from mes
  join fechamento_mapa f on (f.ano, f.mes) = (mes.ano, mes.mes) and f.reaberto_em is null
), aberto as materialized (
  select * from mes where not exists (select from fechado f where (f.ano, f.mes) = (mes.ano, mes.mes))
), produto as materialized (
  select p.id_material, min(p.id_material) over junto as id_produto, min(p.titulo) over junto as produto,
    p.codigo, p.mistura, p.concentracao, p.densidade, p.unidade, p.fator, ${SUBSTANCES} as substancias
  from (${CONTROLLED_PRODUCTS}) p
  window junto as (partition by ${PRODUCT})
), contado as materialized (${LINES}
)
select * from (${COMPUTED}) c where quantidade is null or quantidade > 0
union all
select f.ano, f.mes, ${listed('l')}
from fechado f join conteudo_mapa c on c.id_fechamento = f.id
cross join lateral jsonb_to_recordset(c.mapa -> 'linhas')
  as l (${Object.entries(LINE_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;

/** The order of lines in the file. */
export const LINE_ORDER =
  'registro, data, numero_nf, id_nota_fiscal, produto, codigo, concentracao, densidade, finalidade, observacao, quantidade';
