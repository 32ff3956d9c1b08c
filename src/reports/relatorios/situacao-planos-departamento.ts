import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { List } from '../../listing/args.ts';
import { report } from '../report.ts';
import { GroupedPlanArgs, groupedSpelled } from '../teaching-plan-args.ts';
import { PlanRow, PLANS, withShares } from '../teaching-plans.ts';

@Entity({ expression: withShares(PLANS, 't.id_unidade_departamento') })
@ObjectType({
  description: 'A teaching plan. Shares are those of the plans of the department.',
  simpleResolvers: true,
})
export class SituacaoPlanoDepartamento extends PlanRow {}

@List(() => SituacaoPlanoDepartamento, { paging: 'default', usually: ['departamento', 'situacaoPlano'] })
export class SituacaoPlanosDepartamentoArgs extends GroupedPlanArgs {}

export const SituacaoPlanosDepartamentoResolver = report(
  SituacaoPlanoDepartamento,
  SituacaoPlanosDepartamentoArgs,
  {
    id: 3,
    path: 'planos-ensino/situacao-planos-departamento',
    title: 'Situação dos planos de ensino por departamento',
    description: 'Teaching plans by department, and which share of these stands how',
    orientation: 'landscape',
    spelled: groupedSpelled,
  },
);
