import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({
  description: 'A step of the way that a teaching plan takes, such as the department.',
  simpleResolvers: true,
})
export class EtapaTramitacao extends Registro {
  @Column('text', { description: 'Name', max: 100, unique: true, search: true, sort: true })
  descricao!: string;

  @Column('integer', { description: 'Its place on the way, from 1' })
  ordem!: number;
}
