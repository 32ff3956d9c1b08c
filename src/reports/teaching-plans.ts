import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { Column } from '../entities/column.ts';
import { EACH_ROW, WITHIN } from '../listing/where.ts';
import { Cell } from './report.ts';
import { ReckonedRow } from './row.ts';

/** Columns of plan `p` and its linked records. */
const PLAN = `
p.id_curso as id_curso_plano, c.nome as nome_curso_plano, c.modalidade, p.id_departamento as id_unidade_departamento,
d.nome as departamento, p.codigo_disciplina, p.nome_disciplina, p.ano, p.semestre,
s.codigo as situacao_codigo, s.descricao as situacao_plano, e.descricao as tramitacao_atual`;

const LINKED = `
left join curso c on c.id = p.id_curso
left join lotacao d on d.id = p.id_departamento
left join situacao_plano_ensino s on s.id = p.id_situacao
left join etapa_tramitacao e on e.id = p.id_tramitacao_atual`;

/** Every plan once, with all its teachers. */
const plansWith = (columns: string, joins: string): string => `
select p.id, ${PLAN}, n.id_servidor, n.id_servidores, n.docente_plano${columns}
from plano_ensino p ${LINKED}
left join lateral (
  select min(x.id_pessoa) as id_servidor, coalesce(array_agg(x.id_pessoa order by x.id_pessoa), '{}') as id_servidores,
    string_agg(i.nome, '; ' order by i.nome collate "pt_br") as docente_plano
  from docente_plano x join pessoa i on i.id = x.id_pessoa where x.id_plano_ensino = p.id
) n on true ${joins}`;

export const PLANS = plansWith('', '');

/**
 * Every plan once, with all its teachers and the first day of its current step. That column takes as long as all others
 * together.
 */
export const PLANS_IN_TIME = plansWith(
  `, y.desde, current_date - y.desde as dias,
  case when e.ordem < (select max(u.ordem) from etapa_tramitacao u) then current_date - y.desde end as dias_parado`,
  `left join lateral (
  select coalesce(max(h.data), p.criado_em)::date as desde from tramitacao_plano h
  where h.id_plano_ensino = p.id and h.data <= now()
) y on true`,
);

/** Every plan once for each of its teachers. */
export const PLANS_OF_TEACHERS = `
select x.id, ${PLAN}, x.id_pessoa as id_servidor, array[x.id_pessoa] as id_servidores, i.nome as docente_plano
from docente_plano x
left join pessoa i on i.id = x.id_pessoa
join plano_ensino p on p.id = x.id_plano_ensino ${LINKED}`;

/**
 * Share of each value of a column in its group, in hundredths of a percent. Shares are rounded down, and the remainder
 * goes to those with the largest fractions, so that a group adds up to exactly 100 %.
 */
const shares = (measured: string): string => `
select grupo, medida, total,
  (base + (row_number() over largest <= 10000 - sum(base) over (partition by grupo))::int)::float8 / 100 as porcentagem
from (
  select grupo, medida, total, quantos * 10000 / total as base, quantos * 10000 % total as resto
  from (
    select grupo, ${measured} as medida, sum(quantos)::bigint as quantos,
      (sum(sum(quantos)) over (partition by grupo))::bigint as total
    from conta group by grupo, ${measured}
  ) counted
) shared
window largest as (partition by grupo order by resto desc, medida)`;

/**
 * Joins the share of a plan. PostgreSQL knows that there is one per plan, so it omits the join when it reads the keys
 * of a page.
 */
const shareOf = (shared: string, measured: string): string => `
left join (
  select grupo, medida, max(total)::int as total, max(porcentagem) as porcentagem from ${shared} group by grupo, medida
) ${shared} on ${shared}.grupo = plano.grupo and ${shared}.medida = plano.${measured}`;

/**
 * Plans with the share of their situation and of their step in a group of plans (`group` is SQL). `within` filters
 * define the population; other filters only select the rows to show. The shares need few columns of all plans; the
 * other columns are read only for the rows to show.
 */
export const withShares = (plans: string, group: string): string => `
with plano as materialized (
  select t.id, ${group} as grupo, t.situacao_codigo, t.tramitacao_atual from (${plans}) t where ${WITHIN}
), conta as materialized (
  select grupo, situacao_codigo, tramitacao_atual, count(*) as quantos from plano
  group by grupo, situacao_codigo, tramitacao_atual
), situacao as materialized (${shares('situacao_codigo')}
), tramitacao as materialized (${shares('tramitacao_atual')}
)
${EACH_ROW}
select t.*, situacao.total as planos_grupo, situacao.porcentagem as situacao_porcentagem,
  tramitacao.porcentagem as tramitacao_atual_porcentagem
from plano join (${plans}) t on t.id = plano.id
${shareOf('situacao', 'situacao_codigo')}
${shareOf('tramitacao', 'tramitacao_atual')}`;

/** The common columns of all reports of teaching plans. */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class PlanRow extends ReckonedRow {
  @Column('integer', { description: 'Key of the course of studies' })
  idCursoPlano!: number;

  @Cell('text', { title: 'Curso', description: 'Course of studies', width: 26 })
  nomeCursoPlano!: string;

  @Cell('text', { title: 'Modalidade', description: 'How the course is taught', width: 13 })
  modalidade!: string;

  @Column('integer', { description: 'Key of the department' })
  idUnidadeDepartamento!: number;

  @Cell('text', { title: 'Departamento', description: 'Department that offers the discipline', width: 24 })
  departamento!: string;

  @Column('text', { description: 'Code of the discipline' })
  codigoDisciplina!: string;

  @Cell('text', { title: 'Disciplina', description: 'Name of the discipline', width: 28 })
  nomeDisciplina!: string;

  @Cell('integer', { title: 'Ano', description: 'Year', width: 6, align: 'center' })
  ano!: number;

  @Cell('integer', { title: 'Semestre', description: 'Semester of the year', width: 9, align: 'center' })
  semestre!: number;

  @Column('integer', {
    description: 'Person who teaches; the first by key where several do',
    nullable: true,
  })
  idServidor!: number | null;

  @Field(() => [Int], { description: 'Every person who teaches' })
  @Property({ type: 'array', columnType: 'int[]' })
  idServidores!: number[];

  @Cell('text', {
    title: 'Docente',
    description: 'Names of who teaches, `; ` between them',
    nullable: true,
    width: 26,
  })
  docentePlano!: string | null;

  @Column('text', { description: 'Code of the situation' })
  situacaoCodigo!: string;

  @Cell('text', { title: 'Situação', description: 'How the plan stands', width: 15 })
  situacaoPlano!: string;

  @Cell('decimal', {
    title: 'Situação (%)',
    description: "Per cent of the group's plans that stand so",
    width: 9,
  })
  situacaoPorcentagem!: number;

  @Cell('text', { title: 'Tramitação atual', description: 'Step of its way where the plan is', width: 18 })
  tramitacaoAtual!: string;

  @Cell('decimal', {
    title: 'Tramitação (%)',
    description: "Per cent of the group's plans that are at this step",
    width: 9,
  })
  tramitacaoAtualPorcentagem!: number;

  @Column('integer', { description: 'How many plans the group has, of which the shares are taken' })
  planosGrupo!: number;
}
