import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'Somebody who may use the service.', simpleResolvers: true })
export class Pessoa extends Registro {
  @Column('text', { description: 'Civil name', max: 200, search: true, sort: true })
  nome!: string;

  @Column('text', {
    description: 'Name by which the person is called',
    max: 200,
    nullable: true,
    search: true,
  })
  nomeSocial!: string | null;

  @Column('text', { description: 'E-mail address', max: 254, unique: true })
  email!: string;

  @Column('text', { description: 'User name for the login, in lower case', max: 100, unique: true })
  usuario!: string;

  @SituacaoColumn()
  situacao!: Situacao;
}
