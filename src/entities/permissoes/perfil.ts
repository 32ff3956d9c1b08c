import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Sistema } from './sistema.ts';

@Entity()
@ObjectType({ description: 'A role: what whoever holds it may do in a system.', simpleResolvers: true })
export class Perfil extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true, search: true })
  nome!: string;

  @Column('text', { description: 'Whom it is for', max: 1000, nullable: true, search: true })
  descricao!: string | null;

  @Link(() => Sistema, { description: 'System in which it counts' })
  sistema!: Sistema;

  @SituacaoColumn()
  situacao!: Situacao;
}
