import { Entity } from '@mikro-orm/decorators/legacy';
import { Max, Min } from 'class-validator';
import { Int, ObjectType } from 'type-graphql';
import { CONTROLLED_PRODUCTS, MONTHS, PURPOSE } from '../../domain/controlled-products.ts';
import { EFETIVADA, PENDENTE } from '../../domain/movement.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { Cell, report } from '../report.ts';
import { ReckonedRow } from '../row.ts';

/** What is missing or odd: in which record and field, when (SQL of a fact `f`), and what to do about it. */
type Finding = readonly [
  record: string,
  key: string,
  name: string,
  field: string,
  when: string,
  advice: string,
];

const USED = `f.status = ${EFETIVADA} and not f.estorno`;
const ENTRY = `${USED} and f.tipo in (1, 2)`;

const ofMaterial = (field: string, when: string, advice: string): Finding => [
  'material',
  'f.id_material',
  'f.titulo',
  field,
  when,
  advice,
];
const ofMovement = (field: string, when: string, advice: string): Finding => [
  'movimentacao',
  'f.id',
  'f.titulo',
  field,
  when,
  advice,
];
const ofInvoice = (field: string, when: string, advice: string): Finding => [
  'nota_fiscal',
  'f.id_nota_fiscal',
  'f.numero_nf',
  field,
  `${ENTRY} and f.id_nota_fiscal is not null and ${when}`,
  advice,
];

const FINDINGS: readonly Finding[] = [
  ofMaterial(
    'codigo_pf',
    'not f.mistura and f.codigo is null',
    'Informe o código da Polícia Federal (TPN) no material.',
  ),
  ofMaterial('ncm', 'f.mistura and f.codigo is null', 'Informe o NCM da mistura no material.'),
  ofMaterial('densidade', 'f.densidade is null', 'Informe a densidade no material, em kg/L.'),
  ofMaterial(
    'concentracao',
    'not f.mistura and coalesce(f.concentracao, 0) < 1',
    'Informe a concentração no material. O mapa não tem como dizer menos de 1 %.',
  ),
  [
    'unidade_medida',
    'f.id_unidade_medida',
    'f.sigla',
    'fator_controle',
    'f.unidade is null or f.fator is null',
    'Informe na unidade quantos quilogramas ou litros ela é.',
  ],
  ofMovement(
    'id_status_movimentacao',
    `f.status = ${PENDENTE}`,
    'Aprove ou rejeite a movimentação: ela é deste mês.',
  ),
  ofMovement(
    'finalidade',
    `${USED} and f.tipo = 4 and f.finalidade is null`,
    'Informe a finalidade do local de onde saiu, ou estorne a saída e a registre com a finalidade.',
  ),
  ofMovement(
    'id_nota_fiscal',
    `${ENTRY} and f.id_nota_fiscal is null`,
    'O mapa só conhece entradas com nota fiscal. Se há nota, estorne a entrada e a registre com ela.',
  ),
  ofMovement(
    'estornos',
    'f.estorno and f.outro_mes',
    'Estorna uma movimentação de outro mês: veja se o mapa daquele mês deve ser retificado.',
  ),
  ofInvoice('data_emissao', 'f.data_emissao is null', 'Informe a data de emissão da nota fiscal.'),
  ofInvoice('numero_nf', 'length(f.numero_nf) > 10', 'O mapa tem 10 posições para o número da nota fiscal.'),
  [
    'empresa',
    'f.id_fornecedor',
    'f.fornecedor',
    'cnpj',
    `${ENTRY} and f.id_nota_fiscal is not null and f.cnpj is null`,
    'Informe o CNPJ do fornecedor.',
  ],
];

const found = ([record, key, name, field, when, advice]: Finding): string =>
  `('${record}', ${key}, ${name}, '${field}', '${advice}', ${when})`;

/** The movements of the months of the filters, each with all that is asked of it. */
const EXPRESSION = `
with mes as materialized (${MONTHS}
), fato as (
  select mes.ano, mes.mes, p.*, m.id_unidade_medida, v.id, v.id_status_movimentacao as status,
    v.id_tipo_movimentacao as tipo, v.fl_estorno = 'S' as estorno, ${PURPOSE} as finalidade,
    n.id as id_nota_fiscal, n.numero_nf, n.data_emissao, n.id_fornecedor, e.nome as fornecedor, e.cnpj,
    v.fl_estorno = 'S' and exists (
      select from estorno x join movimentacao y on y.id = x.id_estornada
      where x.id_movimentacao = v.id and y.data < mes.inicio
    ) as outro_mes
  from mes
  join movimentacao v on v.data >= mes.inicio and v.data < mes.fim
    and v.id_status_movimentacao in (${PENDENTE}, ${EFETIVADA})
  join lote l on l.id = v.id_lote
  join (${CONTROLLED_PRODUCTS}) p on p.id_material = l.id_material
  join material m on m.id = p.id_material
  left join "local" o on o.id = v.id_local_origem_fim
  left join nota_fiscal n on n.id = v.id_nota_fiscal
  left join empresa e on e.id = n.id_fornecedor
)
select row_number() over (order by ano, mes, tabela, campo, id_registro)::int as id, *
from (
  select distinct f.ano, f.mes, d.tabela, d.id_registro, d.nome, d.campo, d.o_que_fazer
  from fato f
  cross join lateral (values ${FINDINGS.map(found).join(',\n    ')})
    d (tabela, id_registro, nome, campo, o_que_fazer, falta)
  where d.falta
) pendencia`;

@Entity({ expression: EXPRESSION })
@ObjectType({
  description: 'Something that is missing or odd in the records of which the map of a month is made.',
  simpleResolvers: true,
})
export class PendenciaMapa extends ReckonedRow {
  @Cell('integer', { title: 'Ano', description: 'Year', width: 6 })
  ano!: number;

  @Cell('integer', { title: 'Mês', description: 'Month, 1 to 12', width: 6 })
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
export class PendenciasMapaArgs extends ListArgs {
  @Filter(() => Int, 'ano', { within: true }) @Min(2010) ano?: number;
  @Filter(() => Int, 'mes', { within: true }) @Min(1) @Max(12) mes?: number;
  @Filter(() => String, 'tabela') tabela?: string;
  @Filter(() => String, 'campo') campo?: string;
}

export const PendenciasMapaResolver = report(PendenciaMapa, PendenciasMapaArgs, {
  id: 12,
  path: 'almoxarifado-quimicos/pendencias-mapa',
  title: 'Pendências do mapa de controle',
  description:
    'What is missing or odd before the month can be reported to the Federal Police, and what to do',
  strict: true,
  beyond: true,
  orientation: 'landscape',
});
