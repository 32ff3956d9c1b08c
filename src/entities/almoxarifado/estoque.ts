import { Check, Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Via } from '../computed.ts';
import { Registro } from '../registro.ts';
import { Local } from './local.ts';
import { Lote } from './lote.ts';
import { Material } from './material.ts';
import { UnidadeMedida } from './unidade-medida.ts';

/** A cell of the ledger: its quantity is the sum of its effective movements (contract 7). */
@Entity()
@Unique({ properties: ['lote', 'localFim', 'localArmazenado'] })
@Check({ name: 'estoque_quantidade_check', expression: '"quantidade" >= 0' })
@ObjectType({
  description: 'How much of a batch is at a place, and who answers for it.',
  simpleResolvers: true,
})
export class Estoque extends Registro {
  @Link(() => Lote, { description: 'Batch', owner: true })
  lote!: Lote;

  @Link(() => Local, { description: 'Location that answers for it' })
  localFim!: Local;

  @Link(() => Local, { description: 'Location where it is stored' })
  localArmazenado!: Local;

  @Column('integer', { description: 'How much, in the unit of the material', default: 0 })
  quantidade!: number;

  @Via(() => Material, 'lote.material', 'What it is')
  material?: Material;

  @Via(() => UnidadeMedida, 'lote.material.unidadeMedida', 'Unit of the quantity')
  unidadeMedida?: UnidadeMedida;
}
