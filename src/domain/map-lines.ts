import {
  CARRIAGE,
  CONTROLLED_PRODUCTS,
  leftAt,
  months,
  PRODUCT,
  STORAGE,
  SUBSTANCES,
} from './controlled-products.ts';
import { FACTS_NOW, FACTS_TOLD } from './map-told.ts';
import { DESCARTE, EFETIVADA, ENTRADAS } from './movement.ts';

/*
 * SQL of the lines of the monthly map: entries and exits with an invoice, and consumption by day.
 */

/** The columns of a line, with their types. A closed month stores its lines as JSON with these columns. */
const LINE_COLUMNS = {
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

export const LINE_NAMES = Object.keys(LINE_COLUMNS);

/** A line of the month `k` from a movement `v`: a quantity (SQL) on a day, or a reversed quantity if `dia` is null. */
const line = (quantity: string, day: string): string => `
select k.inicio, x.registro, v.id_tipo_movimentacao in ${ENTRADAS} as entra,
  x.registro = 'UC' and v.id_tipo_movimentacao = ${DESCARTE} as descarte, x.id_material, x.fator,
  case x.registro when 'MVN' then n.id end as id_nota_fiscal, x.finalidade,
  v.observacao, ${day} as dia, ${quantity} as quantidade`;

/** SQL of the condition on the record of a movement. */
type Which = 'is not null' | "= 'MVN'";

/** Effective movements of the open months, either reversals or not. Transfers do not count. */
const effective = (alias: string, reversal: 'S' | 'N'): string => `
from aberto k
join movimentacao ${alias} on ${alias}.data >= k.inicio and ${alias}.data < k.fim and ${alias}.id_tipo_movimentacao <> 3
  and ${alias}.fl_estorno = '${reversal}' and ${alias}.id_status_movimentacao = ${EFETIVADA}`;

/**
 * The lines of a month: what is left of each movement at the end of its month; reversals of movements of earlier
 * months; and reversals of unknown movements.
 */
const counted = (which: Which): string => {
  const ofRecord = `where x.registro ${which}`;
  return `${line(
    leftAt('k.fim'),
    `case x.registro when 'MVN' then k.inicio else v.data end::date`,
  )}${effective('v', 'N')}${FACTS_NOW}
${ofRecord}
union all${line('-e.quantidade', 'null')}${effective('r', 'S')}
join estorno e on e.id_movimentacao = r.id
join movimentacao v on v.id = e.id_estornada and v.data < k.inicio${FACTS_TOLD}
${ofRecord}
union all${line(`coalesce(e.quantidade, 0) - v.quantidade`, 'null')}${effective('v', 'S')}${FACTS_NOW}
left join lateral (select sum(quantidade) as quantidade from estorno where id_movimentacao = v.id) e on true
${ofRecord} and v.quantidade > coalesce(e.quantidade, 0)`;
};

/**
 * What is left of each line of the months that are not closed (`resto`). A reversal reduces the movement that it undoes, if
 * that is of the same month. A reversal of a movement of another month (`volta`) reduces the lines with the same product,
 * invoice and purpose in the month of the reversal, from the first day on, as far as possible. Null while the unit of a
 * material has no factor, or while it is unknown for that reason how much a reversal takes off the line.
 */
const LEFT = `
select *, case when soma + volta is not null and (volta = 0 or not desconhecida)
  then greatest(ate - volta, 0) - greatest(ate - soma - volta, 0) end as resto
from (
  select *, sum(soma) filter (where dia is not null) over (chave order by dia) as ate,
    bool_or(soma is null) over (chave order by dia) as desconhecida,
    case when not bool_or(dia is null and soma is null) over (chave)
      then coalesce(-sum(soma) filter (where dia is null) over (chave), 0) end as volta
  from (
    select c.inicio, c.registro, c.entra, c.descarte, p.id_produto, c.id_nota_fiscal, c.finalidade, c.dia,
      case when c.descarte then 'Descarte' when min(c.observacao) = max(c.observacao) and count(*) = count(c.observacao)
        then min(c.observacao) end as observacao,
      case when count(f.fator) = count(*) then sum(f.fator * c.quantidade) end as soma
    from contado c join produto p on p.id_material = c.id_material
    cross join lateral (select coalesce(c.fator, p.fator) as fator) f
    where c.quantidade <> 0
    group by c.inicio, c.registro, c.entra, c.descarte, p.id_produto, c.id_nota_fiscal, c.finalidade, c.dia
  ) somado
  window chave as (partition by inicio, registro, entra, descarte, id_produto, id_nota_fiscal, finalidade)
) contra
where dia is not null`;

/**
 * The common table expressions of the months `mes`: the closings of closed ones, and the lines of open ones. The running
 * sum of a figure of the register is rounded instead of each line, so that its lines add up to it.
 */
const reckoned = (which: Which): string => `fechado as materialized (
  select f.id, mes.ano, mes.mes from mes
  join fechamento_mapa f on (f.ano, f.mes) = (mes.ano, mes.mes) and f.reaberto_em is null
), aberto as materialized (
  select * from mes where not exists (select from fechado f where (f.ano, f.mes) = (mes.ano, mes.mes))
), produto as materialized (
  select p.id_material, min(p.id_material) over junto as id_produto, min(p.titulo) over junto as produto,
    p.codigo, p.mistura, p.concentracao, p.densidade, p.unidade, p.fator, ${SUBSTANCES} as substancias
  from (${CONTROLLED_PRODUCTS}) p
  window junto as (partition by ${PRODUCT})
), contado as materialized (${counted(which)}
), calculado as materialized (
  select *, round(sum(resto) over figura, 3) - round(sum(resto) over figura - resto, 3) as quantidade
  from (${LEFT}) s
  window figura as (partition by inicio, registro, entra, descarte, id_produto, finalidade order by dia, id_nota_fiscal)
)`;

/** All lines of the selected months, with the columns above, `ano` and `mes`. Closed months have stored lines. */
export const MAP_LINES = `
with mes as materialized (${months()}
), ${reckoned('is not null')}
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
  p.produto, p.codigo, p.mistura, p.substancias, p.concentracao, p.densidade, s.quantidade, p.unidade,
  s.finalidade, s.observacao
from calculado s
join aberto k on k.inicio = s.inicio
join produto p on p.id_material = s.id_produto
left join nota_fiscal n on n.id = s.id_nota_fiscal
left join empresa f on f.id = n.id_fornecedor
left join empresa t on t.id = n.id_transportadora
left join armazem a on a.id = n.id_armazem
left join empresa d on d.id = a.id_empresa
where s.quantidade is null or s.quantidade > 0
union all
select f.ano, f.mes, ${LINE_NAMES.map(name => `l.${name}`).join(', ')}
from fechado f join conteudo_mapa c on c.id_fechamento = f.id
cross join lateral jsonb_to_recordset(c.mapa -> 'linhas')
  as l (${Object.entries(LINE_COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;

/** The materials of invoices in the open months among `mes` that have no line, because so little rounds to nothing. */
export const WITHOUT_LINE = `
with ${reckoned("= 'MVN'")}
select k.ano, k.mes, s.id_nota_fiscal, s.entra, p.id_material
from calculado s
join aberto k on k.inicio = s.inicio
join produto p on p.id_produto = s.id_produto
where s.quantidade = 0 and s.resto > 0`;

/** The order of lines in the file. */
export const LINE_ORDER =
  'registro, data, numero_nf, id_nota_fiscal, produto, codigo, concentracao, densidade, finalidade, observacao, quantidade';
