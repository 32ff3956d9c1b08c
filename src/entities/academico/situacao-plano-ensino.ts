import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'How a teaching plan stands, such as Aprovado.', simpleResolvers: true })
export class SituacaoPlanoEnsino extends Registro {
  @Column('text', { description: 'Code', max: 10, unique: true, sort: true })
  codigo!: string;

  @Column('text', { description: 'Name', max: 100, sort: true })
  descricao!: string;
}
