import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A unit of the institution, such as a department.', simpleResolvers: true })
export class Lotacao extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true })
  nome!: string;

  @Column('text', { description: 'Acronym', max: 30, nullable: true })
  sigla!: string | null;
}
