import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({
  description: 'A kind of stock movement. The five of them ship with the service.',
  simpleResolvers: true,
})
export class TipoMovimentacao extends Registro {
  @Column('text', { description: 'Name', max: 100, sort: true })
  descricao!: string;

  @Column('boolean', { description: 'Whether it takes from a location' })
  exigeOrigem!: boolean;

  @Column('boolean', { description: 'Whether it brings to a location' })
  exigeDestino!: boolean;
}
