import { IsIn } from 'class-validator';
import { Field, registerEnumType } from 'type-graphql';
import { situations, type Situacao } from '../../entities/column.ts';

/** Filter values of lists. */
export enum SituacaoFiltro {
  A = 'A',
  I = 'I',
}
registerEnumType(SituacaoFiltro, {
  name: 'Situacao',
  description: 'State of a record',
  valuesConfig: { A: { description: 'Active' }, I: { description: 'Inactive' } },
});

/** The field `situacao` of an input. */
export function SituacaoField() {
  return (prototype: object, property: string): void => {
    Field(() => String, { nullable: true, description: '`A` active (when absent), `I` inactive' })(
      prototype,
      property,
    );
    IsIn(situations)(prototype, property);
  };
}
export type { Situacao };
