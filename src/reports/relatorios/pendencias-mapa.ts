import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import {
  COMPANY_FACTS,
  COMPANY_FINDINGS,
  INVOICE_FACTS,
  INVOICE_FINDINGS,
  LINE_FINDINGS,
  MATERIAL_FACTS,
  MATERIAL_FINDINGS,
  MIXTURE_FINDINGS,
  MOVEMENT_FINDINGS,
  SUBJECTS,
  WITH_INVOICE,
  type Finding,
} from '../../domain/control-findings.ts';
import { leftAt, months, PRODUCT, PURPOSE, SUBSTANCES } from '../../domain/controlled-products.ts';
import { WITHOUT_LINE } from '../../domain/map-lines.ts';
import { ofMonth } from '../../domain/monthly-map.ts';
import { EFETIVADA, ENTRADAS, PENDENTE } from '../../domain/movement.ts';
import { Filter, List } from '../../listing/args.ts';
import { withinOr } from '../../listing/where.ts';
import * as cells from '../controlled-cells.ts';
import { MonthArgs } from '../month-args.ts';
import { Cell, report } from '../report.ts';
import { ReckonedRow } from '../row.ts';

const found = ({ record, field, when, advice }: Finding): string =>
  `('${record}', ${SUBJECTS[record].join(', ')}, '${field}', '${advice.pt}', ${when})`;

/** Missing and implausible data among the facts `f` of the months `k`, each once per month. */
const missing = (findings: readonly Finding[], facts: string): string => `
  select distinct k.ano, k.mes, d.tabela, d.id_registro, d.nome, d.campo, d.o_que_fazer
  from ${facts}
  cross join lateral (values ${findings.map(found).join(',\n    ')})
    d (tabela, id_registro, nome, campo, o_que_fazer, falta)
  where d.falta`;

/** The facts `f` of a table that has their months `k`. */
const of = (table: string): string => `${table} f cross join lateral (values (f.ano, f.mes)) k (ano, mes)`;

/**
 * What is left of a movement `v` that takes effect in the month, where its reversals until then are taken off; and of a
 * reversal, what undoes movements of earlier months, or unknown ones. The map does not show what is undone in its month.
 */
const LEFT = `case v.fl_estorno when 'N' then ${leftAt('mes.fim')} else v.quantidade - (
    select coalesce(sum(x.quantidade), 0) from estorno x join movimentacao y on y.id = x.id_estornada
    where x.id_movimentacao = v.id and y.data >= mes.inicio
  ) end`;

/** The months without a filter: those that can still be corrected before they are reported. */
const USUAL = `t.inicio >= date_trunc('month', now()) - interval '1 month'`;

const EXPRESSION = `
with mes as materialized (${months(USUAL)}
), produto as materialized (${MATERIAL_FACTS}
), fato as materialized (
  select mes.ano, mes.mes, p.id_material, p.titulo, v.id, v.id_status_movimentacao as status,
    v.id_tipo_movimentacao as tipo, v.fl_estorno = 'S' as estorno, ${PURPOSE} as finalidade,
    v.id_nota_fiscal, coalesce(n.id is not null and ${WITH_INVOICE}, false) as com_nota,
    v.id_tipo_movimentacao in ${ENTRADAS} as entra,
    v.fl_estorno = 'S' and exists (
      select from estorno x join movimentacao y on y.id = x.id_estornada
      where x.id_movimentacao = v.id and y.data < mes.inicio
    ) as outro_mes
  from mes
  join movimentacao v on v.data >= mes.inicio and v.data < mes.fim
    and v.id_status_movimentacao in (${PENDENTE}, ${EFETIVADA})
  join lote l on l.id = v.id_lote
  join produto p on p.id_material = l.id_material
  left join "local" o on o.id = v.id_local_origem_fim
  left join nota_fiscal n on n.id = v.id_nota_fiscal
  where v.id_status_movimentacao = ${PENDENTE} or ${LEFT} > 0
), usado as materialized (
  select k.ano, k.mes, p.*, min(s.substancias) over junto <> max(s.substancias) over junto as confundida
  from (select distinct ano, mes, id_material from fato) k
  join produto p on p.id_material = k.id_material
  cross join lateral (select ${SUBSTANCES}::text as substancias) s
  window junto as (partition by k.ano, k.mes, ${PRODUCT})
), nota as materialized (
  select distinct ano, mes, id_nota_fiscal, entra from fato where com_nota
), sem_linha as materialized (${WITHOUT_LINE}
)
select row_number() over (order by ano, mes, tabela, campo, id_registro)::int as id, *
from (${missing([...MATERIAL_FINDINGS, ...MIXTURE_FINDINGS], of('usado'))}
  union all${missing(INVOICE_FINDINGS, `nota k cross join lateral (${INVOICE_FACTS}) f`)}
  union all${missing(COMPANY_FINDINGS, `nota k cross join lateral (${COMPANY_FACTS}) f`)}
  union all${missing(MOVEMENT_FINDINGS, of('fato'))}
  union all${missing(LINE_FINDINGS, `sem_linha k join fato f using (ano, mes, id_nota_fiscal, entra, id_material)`)}
) pendencia`;

/** SQL of the findings of the month of the parameters $1 and $2. */
export const FINDINGS_OF_MONTH = ofMonth(EXPRESSION, withinOr(USUAL));

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'Something that is missing or odd in the records of which the map of a month is made.',
  simpleResolvers: true,
})
export class PendenciaMapa extends ReckonedRow {
  @cells.Ano()
  ano!: number;

  @cells.Mes()
  mes!: number;

  @Cell('text', { title: 'Registro', description: 'Table of the record', width: 16 })
  tabela!: string;

  @Cell('integer', { title: 'Número', description: 'Key of the record', width: 9 })
  idRegistro!: number;

  @Cell('text', {
    title: 'Nome',
    description: 'What the record is called, or moves',
    nullable: true,
    width: 26,
  })
  nome!: string | null;

  @Cell('text', { title: 'Campo', description: 'Field that is missing or odd, as REST calls it', width: 18 })
  campo!: string;

  @Cell('text', { title: 'O que fazer', description: 'What to do about it, in Portuguese', width: 50 })
  oQueFazer!: string;
}

@List(() => PendenciaMapa, { paging: 'optional', usually: ['-ano', '-mes', 'tabela', 'nome'] })
export class PendenciasMapaArgs extends MonthArgs {
  @Filter(() => String, 'tabela') tabela?: string;
  @Filter(() => String, 'campo') campo?: string;
}

export const PendenciasMapaResolver = report(PendenciaMapa, PendenciasMapaArgs, {
  id: 12,
  path: 'almoxarifado-quimicos/pendencias-mapa',
  title: 'Pendências do mapa de controle',
  description:
    'What is missing or odd before a month can be reported to the Federal Police, and what to do. Without `ano` and `mes`: last month and this one',
  strict: true,
  beyond: true,
  orientation: 'landscape',
});
