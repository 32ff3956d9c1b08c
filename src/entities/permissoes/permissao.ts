import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Perfil } from './perfil.ts';
import { Pessoa } from './pessoa.ts';

@Entity()
@Unique({ properties: ['pessoa', 'perfil'] })
@ObjectType({ description: 'That a person has a profile.', simpleResolvers: true })
export class Permissao extends Registro {
  @Link(() => Pessoa, { description: 'Person' })
  pessoa!: Pessoa;

  @Link(() => Perfil, { description: 'Profile the person has' })
  perfil!: Perfil;

  @SituacaoColumn()
  situacao!: Situacao;
}
