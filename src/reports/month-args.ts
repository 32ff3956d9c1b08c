import { Max, Min } from 'class-validator';
import { ArgsType, Int } from 'type-graphql';
import { Filter, ListArgs } from '../listing/args.ts';

const both =
  (...rules: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const rule of rules) rule(target, property);
  };

/** A year that a map can have. */
export const IsYear = () => both(Min(2010), Max(9999));

export const IsMonth = () => both(Min(1), Max(12));

/** The month of a report of controlled chemicals. It limits the rows from which the report is computed. */
@ArgsType()
export abstract class MonthArgs extends ListArgs {
  @Filter(() => Int, 'ano', { within: true, description: 'Only this year', words: 'Só este ano' })
  @IsYear()
  ano?: number;

  @Filter(() => Int, 'mes', {
    within: true,
    title: 'Mês',
    description: 'Only this month, 1 to 12',
    words: 'Só este mês, de 1 a 12',
  })
  @IsMonth()
  mes?: number;
}
