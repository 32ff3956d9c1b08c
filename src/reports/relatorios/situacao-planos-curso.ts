import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { List } from '../../listing/args.ts';
import { report } from '../report.ts';
import { GroupedPlanArgs, groupedSpelled } from '../teaching-plan-args.ts';
import { PlanRow, PLANS, withShares } from '../teaching-plans.ts';

@Entity({ expression: withShares(PLANS, 't.id_curso_plano') })
@ObjectType({
  description: 'A teaching plan. Shares are those of the plans of the course.',
  simpleResolvers: true,
})
export class SituacaoPlanoCurso extends PlanRow {}

@List(() => SituacaoPlanoCurso, { paging: 'default', usually: ['nomeCursoPlano', 'situacaoPlano'] })
export class SituacaoPlanosCursoArgs extends GroupedPlanArgs {}

export const SituacaoPlanosCursoResolver = report(SituacaoPlanoCurso, SituacaoPlanosCursoArgs, {
  id: 2,
  path: 'planos-ensino/situacao-planos-curso',
  title: 'Situação dos planos de ensino por curso',
  description: 'Teaching plans by course, and which share of these stands how',
  orientation: 'landscape',
  spelled: groupedSpelled,
});
