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
export class TramitacaoPlanoCurso extends PlanRow {}

@List(() => TramitacaoPlanoCurso, { paging: 'default', usually: ['nomeCursoPlano', 'tramitacaoAtual'] })
export class TramitacaoAtualCursoArgs extends GroupedPlanArgs {}

export const TramitacaoAtualCursoResolver = report(TramitacaoPlanoCurso, TramitacaoAtualCursoArgs, {
  id: 4,
  path: 'planos-ensino/tramitacao-atual-curso',
  title: 'Tramitação atual dos planos de ensino por curso',
  description: 'Teaching plans by course, and which share of these is at which step',
  orientation: 'landscape',
  spelled: groupedSpelled,
});
