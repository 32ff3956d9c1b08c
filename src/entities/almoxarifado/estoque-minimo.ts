import { Check, Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Local } from './local.ts';
import { Material } from './material.ts';

@Entity()
@Unique({ properties: ['material', 'local'] })
@Check({ name: 'estoque_minimo_quantidade_check', expression: '"quantidade" >= 1' })
@ObjectType({
  description: 'How much of a material a location wants to have at least.',
  simpleResolvers: true,
})
export class EstoqueMinimo extends Registro {
  @Link(() => Material, { description: 'Material that must not run out', owner: true })
  material!: Material;

  @Link(() => Local, { description: 'Location that answers for the stock' })
  local!: Local;

  @Column('integer', { description: 'Minimum quantity, in the unit of the material', sort: true })
  quantidade!: number;
}
