import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { CONTROLLED_PRODUCTS, factsFrom, months, PRODUCT } from '../../domain/controlled-products.ts';
import { DESCARTE, ENTRADAS, SAIDA, SAIDAS, TRANSFERENCIA } from '../../domain/movement.ts';
import { Filter, List } from '../../listing/args.ts';
import * as cells from '../controlled-cells.ts';
import { MonthArgs } from '../month-args.ts';
import { Cell, report } from '../report.ts';
import { ReckonedRow } from '../row.ts';

/** Sum of the facts `f` that meet a condition. */
const sumOf = (condition: string): string => `coalesce(sum(f.quantidade) filter (where ${condition}), 0)`;

const PURPOSES = [1, 2, 3, 4, 5];

/** The effect of a fact on the stock of the institution. A transfer has none. */
const GAIN = `case when f.tipo in ${ENTRADAS} then f.quantidade when f.tipo in ${SAIDAS} then -f.quantidade else 0 end`;

/** Exits that the map reports as consumption. */
const CONSUMED = `f.tipo = ${SAIDA} and not f.com_nota`;

const FIGURES = [
  'entradas',
  'doacoes',
  'transferencias',
  ...PURPOSES.map(purpose => `consumo${purpose}`),
  'consumo_outro',
  'saidas',
  'descartes',
];

const kilogramsOrLitres = (sum: string, as: string): string =>
  `round(case when count(p.fator) = count(*) then sum(p.fator * (${sum})) end, 3)::float8 as ${as}`;

/**
 * Stock is the sum of all effective movements. So the stock at a time is today's stock minus the movements since then.
 * The filters select the months. Movements of the other months count for the balances, so `saldo` has these months, too,
 * until its running sums are made.
 */
const EXPRESSION = `
with mes as materialized (${months()}
), produto as materialized (${CONTROLLED_PRODUCTS}
), lote_controlado as materialized (
  select l.id, l.id_material from lote l join produto p on p.id_material = l.id_material
), soma as materialized (
  select date_trunc('month', f.data) as inicio, l.id_material, sum(${GAIN}) as ganho, count(*) as movimentos,
    ${sumOf(`f.tipo in ${ENTRADAS} and f.com_nota`)} as entradas, ${sumOf(`f.tipo in ${ENTRADAS} and not f.com_nota`)} as doacoes,
    ${sumOf(`f.tipo = ${TRANSFERENCIA}`)} as transferencias,
    ${PURPOSES.map(purpose => `${sumOf(`${CONSUMED} and f.finalidade = ${purpose}`)} as consumo${purpose}`).join(', ')},
    ${sumOf(`${CONSUMED} and f.finalidade is null`)} as consumo_outro, ${sumOf(`f.tipo in ${SAIDAS} and f.com_nota`)} as saidas,
    ${sumOf(`f.tipo = ${DESCARTE} and not f.com_nota`)} as descartes
  from (${factsFrom('(select min(inicio) from mes)', 'select id from lote_controlado')}) f
  join lote_controlado l on l.id = f.id_lote
  group by 1, 2
), guardado as materialized (
  select l.id_material, sum(e.quantidade) as quantidade from estoque e
  join lote_controlado l on l.id = e.id_lote
  group by 1
), saldo as (
  select mes.ano, mes.mes, inicio, id_material,
    coalesce(g.quantidade, 0) - coalesce(sum(s.ganho) over desde, 0) as inicial
  from (mes cross join produto) full join soma s using (id_material, inicio)
  left join guardado g using (id_material)
  window desde as (partition by id_material order by inicio desc)
)
select row_number() over (order by b.ano, b.mes, min(p.titulo) collate "pt_br", min(p.id_material))::int as id,
  b.ano, b.mes, p.codigo, min(p.titulo) as produto, min(p.lista) as lista,
  coalesce(
    (select nome from codigo_pf where codigo = p.codigo),
    min(min(p.titulo)) over (partition by b.ano, b.mes, p.codigo, case when p.codigo is null or bool_and(p.mistura) then min(p.titulo) end)
  ) as substancia, p.concentracao, p.densidade::float8,
  p.unidade, array_agg(p.id_material order by p.id_material) as id_materiais,
  ${kilogramsOrLitres('b.inicial', 'saldo_inicial')},
  ${FIGURES.map(figure => kilogramsOrLitres(`coalesce(s.${figure}, 0)`, figure)).join(',\n  ')},
  ${kilogramsOrLitres('b.inicial + coalesce(s.ganho, 0)', 'saldo_final')}
from saldo b
join produto p on p.id_material = b.id_material
left join soma s on s.inicio = b.inicio and s.id_material = b.id_material
where b.ano is not null
group by b.ano, b.mes, ${PRODUCT}
having sum(b.inicial) <> 0 or sum(s.movimentos) > 0`;

const Figure = (title: string, description: string) =>
  Cell('decimal', {
    title,
    description: `${description}, in kg or L`,
    nullable: true,
    width: 9,
    places: 3,
    total: true,
  });

@Entity({ expression: EXPRESSION })
@ObjectType({
  description:
    'A month of a controlled chemical, which its code, concentration and density tell from others. Figures are null while its unit has no factor. Reversals count as less of what they undo.',
  simpleResolvers: true,
})
export class LinhaLivro extends ReckonedRow {
  @cells.Ano()
  ano!: number;

  @cells.Mes('ano')
  mes!: number;

  @cells.Produto(24)
  produto!: string;

  @cells.Codigo()
  codigo!: string | null;

  @Cell('text', {
    title: 'Lista',
    description: 'List of the Federal Police',
    nullable: true,
    width: 5,
    under: 'produto',
  })
  lista!: string | null;

  @Cell('text', {
    title: 'Substância',
    description: 'Name of the code, or else that of its first product; a mixture has its own name',
    width: 24,
    sheetOnly: true,
  })
  substancia!: string;

  @cells.Concentracao()
  concentracao!: number | null;

  @cells.Densidade()
  densidade!: number | null;

  @Figure('Saldo inicial', 'Stock when the month began') saldoInicial!: number | null;
  @Figure('Entradas', 'Entries with an invoice') entradas!: number | null;
  @Figure('Doações', 'Other entries, such as donations') doacoes!: number | null;
  @Figure('Transf. internas', 'Transfers within the institution, which change no stock of it')
  transferencias!: number | null;
  @Figure('Limpeza (1)', 'Consumed for cleaning and maintenance') consumo1!: number | null;
  @Figure('Análises (2)', 'Consumed for laboratory analyses') consumo2!: number | null;
  @Figure('Outros (3)', 'Consumed for other purposes') consumo3!: number | null;
  @Figure('Produção (4)', 'Consumed in production') consumo4!: number | null;
  @Figure('Efluentes (5)', 'Consumed in the treatment of effluents') consumo5!: number | null;
  @Figure('Sem finalidade', 'Consumed for no stated purpose') consumoOutro!: number | null;
  @Figure('Saídas com nota', 'Exits with an invoice, such as sales and donations') saidas!: number | null;
  @Figure('Descartes', 'Other disposals, losses among them') descartes!: number | null;
  @Figure('Saldo final', 'Stock when the month ended, or now') saldoFinal!: number | null;

  @cells.Unidade()
  unidade!: string | null;

  @Field(() => [Int], { description: 'Its materials, whose movements of the month make the figures' })
  @Property({ type: 'array', columnType: 'int[]' })
  idMateriais!: number[];
}

@List(() => LinhaLivro, { paging: 'optional', usually: ['-ano', '-mes', 'produto'] })
export class LivroControladosArgs extends MonthArgs {
  @Filter(() => String, 'codigo', { match: 'exact' }) codigo?: string;
  @Filter(() => String, 'produto') produto?: string;
}

export const LivroControladosResolver = report(LinhaLivro, LivroControladosArgs, {
  id: 11,
  path: 'almoxarifado-quimicos/livro-controlados',
  title: 'Livro de produtos controlados',
  description: 'The register of controlled chemicals: what each month brought and took, in kg or L',
  strict: true,
  beyond: true,
  orientation: 'landscape',
  totalsBy: ['ano', 'mes', 'substancia', 'codigo', 'unidade'],
  totalsTitle: 'Subtotais por substância',
  signedBy: ['Responsável técnico (cargo e registro profissional)'],
});
