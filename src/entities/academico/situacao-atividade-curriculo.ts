import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({
  description: 'How an activity of a student stands, such as Aprovado or Em curso.',
  simpleResolvers: true,
})
export class SituacaoAtividadeCurriculo extends Registro {
  @Column('text', { description: 'Name', max: 100, search: true, sort: true })
  situacao!: string;

  @Column('text', { description: 'Acronym', max: 10, unique: true, search: true, sort: true })
  sigla!: string;
}
