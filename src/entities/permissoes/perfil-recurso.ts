import { Entity, Unique } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { Perfil } from './perfil.ts';
import { Recurso } from './recurso.ts';

@Entity()
@Unique({ properties: ['perfil', 'recurso'] })
@ObjectType({ description: 'That a profile gives access to a resource.', simpleResolvers: true })
export class PerfilRecurso extends Registro {
  @Link(() => Perfil, { description: 'Profile' })
  perfil!: Perfil;

  @Link(() => Recurso, { description: 'Resource' })
  recurso!: Recurso;
}
