import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({
  description: 'A state of a stock movement. The three of them ship with the service.',
  simpleResolvers: true,
})
export class StatusMovimentacao extends Registro {
  @Column('text', { description: 'Name', max: 100, sort: true })
  descricao!: string;
}
