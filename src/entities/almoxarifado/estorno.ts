import { Check, Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Movimentacao } from './movimentacao.ts';

/**
 * Which movement a reversal undoes, and how much of it. Database triggers write these rows: they find what a reversal
 * undoes, and refuse a reversal that undoes more than is left.
 */
@Entity()
@Unique({ properties: ['movimentacao', 'estornada'] })
@Check({ name: 'estorno_quantidade_check', expression: '"quantidade" >= 1' })
@ObjectType({
  description: 'How much of which movement a reversal undoes, or reserves while it waits for approval.',
  simpleResolvers: true,
})
export class Estorno extends Registro {
  @Link(() => Movimentacao, { description: 'The reversal', owner: true })
  movimentacao!: Movimentacao;

  @Link(() => Movimentacao, { description: 'The movement that it undoes' })
  estornada!: Movimentacao;

  @Column('integer', { description: 'How much of it, in the unit of the material' })
  quantidade!: number;
}
