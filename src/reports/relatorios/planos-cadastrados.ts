import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Filter, List, OrderBy, type Ordem } from '../../listing/args.ts';
import { report } from '../report.ts';
import { PlanArgs } from '../teaching-plan-args.ts';
import { PlanRow, PLANS, withShares } from '../teaching-plans.ts';

@Entity({ expression: withShares(PLANS, '1') })
@ObjectType({
  description: 'A teaching plan. Shares are those of all plans that the filters leave.',
  simpleResolvers: true,
})
export class PlanoCadastrado extends PlanRow {}

@List(() => PlanoCadastrado, { paging: 'optional', usually: ['nomeCursoPlano', 'nomeDisciplina'] })
export class PlanosCadastradosArgs extends PlanArgs {
  @Filter(() => String, 'nomeCursoPlano', { within: true }) nomeCursoPlano?: string;
  @Filter(() => String, 'departamento', { within: true }) departamento?: string;

  @OrderBy('idCursoPlano') orderByIdCursoPlano?: Ordem;
  @OrderBy('nomeCursoPlano') orderByNomeCursoPlano?: Ordem;
  @OrderBy('departamento') orderByDepartamento?: Ordem;
  @OrderBy('idUnidadeDepartamento') orderByIdUnidadeDepartamento?: Ordem;
  @OrderBy('tramitacaoAtual') orderByTramitacaoAtual?: Ordem;
  @OrderBy('ano') orderByAno?: Ordem;
  @OrderBy('semestre') orderBySemestre?: Ordem;
  @OrderBy('situacaoCodigo') orderBySituacaoCodigo?: Ordem;
  @OrderBy('idServidor') orderByIdServidor?: Ordem;
  @OrderBy('docentePlano') orderByDocentePlano?: Ordem;
  @OrderBy('modalidade') orderByModalidade?: Ordem;
  @OrderBy('situacaoPorcentagem') orderBySituacaoPorcentagem?: Ordem;
  @OrderBy('tramitacaoAtualPorcentagem') orderByTramitacaoAtualPorcentagem?: Ordem;
}

export const PlanosCadastradosResolver = report(PlanoCadastrado, PlanosCadastradosArgs, {
  id: 5,
  path: 'planos-ensino/planos-cadastrados',
  title: 'Planos de ensino cadastrados',
  description: 'All teaching plans, and which share of them stands how and is at which step',
  orientation: 'landscape',
});
