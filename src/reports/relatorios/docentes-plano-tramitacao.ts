import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { List } from '../../listing/args.ts';
import { report } from '../report.ts';
import { GroupedPlanArgs, groupedSpelled } from '../teaching-plan-args.ts';
import { PlanRow, PLANS_OF_TEACHERS, withShares } from '../teaching-plans.ts';

@Entity({ expression: withShares(PLANS_OF_TEACHERS, 't.id_servidor') })
@ObjectType({
  description: 'That somebody teaches by a plan. Shares are those of the plans of the teacher.',
  simpleResolvers: true,
})
export class TramitacaoDocente extends PlanRow {}

@List(() => TramitacaoDocente, { paging: 'default', usually: ['docentePlano', 'tramitacaoAtual'] })
export class DocentesPlanoTramitacaoArgs extends GroupedPlanArgs {}

export const DocentesPlanoTramitacaoResolver = report(TramitacaoDocente, DocentesPlanoTramitacaoArgs, {
  id: 1,
  path: 'planos-ensino/docentes-plano-tramitacao',
  title: 'Docentes por tramitação dos planos de ensino',
  description: 'Teachers with their plans, and which share of these is at which step',
  orientation: 'landscape',
  spelled: groupedSpelled,
});
