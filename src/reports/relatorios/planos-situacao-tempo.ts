import { Entity } from '@mikro-orm/decorators/legacy';
import { Min } from 'class-validator';
import { Int, ObjectType } from 'type-graphql';
import { Column } from '../../entities/column.ts';
import { Filter, List, ListArgs } from '../../listing/args.ts';
import { Cell, report } from '../report.ts';
import { PlanRow, PLANS_IN_TIME, withShares } from '../teaching-plans.ts';

// One number for year and semester, whatever numbers they are.
@Entity({ expression: withShares(PLANS_IN_TIME, '(t.ano::bigint << 32) + t.semestre') })
@ObjectType({
  description:
    'A teaching plan. Shares are those of the plans of its semester whose latest step is in the time asked for.',
  simpleResolvers: true,
})
export class PlanoSituacaoTempo extends PlanRow {
  @Cell('date', { title: 'Desde', description: 'Day on which it came to its step', width: 11 })
  desde!: string;

  @Cell('integer', { title: 'Dias', description: 'How many days before today that was', width: 6 })
  dias!: number;

  @Column('integer', {
    description: 'The same while its step is not the last one of the way; null at the last step',
    nullable: true,
  })
  diasParado!: number | null;
}

@List(() => PlanoSituacaoTempo, { paging: 'optional', usually: ['-ano', '-semestre', 'situacaoPlano'] })
export class PlanosSituacaoTempoArgs extends ListArgs {
  @Filter(() => Int, 'ano', { within: true }) ano?: number;
  @Filter(() => Int, 'semestre', { within: true }) semestre?: number;

  @Filter(() => Int, 'dias', {
    within: true,
    match: 'until',
    title: 'Dias antes de hoje',
    description: 'Only plans whose latest step is at most so many days before today; 0 for today alone',
    words: 'Só planos cuja última etapa é de no máximo tantos dias antes de hoje; 0 para só hoje',
  })
  @Min(0)
  dias?: number;

  @Filter(() => Int, 'diasParado', {
    within: true,
    match: 'above',
    title: 'Parado há mais de (dias)',
    description:
      'Only plans that came to their step more than so many days before today, and have not come to the last step',
    words: 'Só planos que estão há mais de tantos dias na mesma etapa, e que não chegaram à última',
  })
  @Min(0)
  diasParado?: number;
}

export const PlanosSituacaoTempoResolver = report(PlanoSituacaoTempo, PlanosSituacaoTempoArgs, {
  id: 6,
  path: 'planos-ensino/planos-situacao-tempo',
  title: 'Situação dos planos de ensino no tempo',
  description: 'Teaching plans that moved in the last days, and which share of a semester stands how',
  orientation: 'landscape',
});
