import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A course of studies that the institution offers.', simpleResolvers: true })
export class Curso extends Registro {
  @Column('text', { description: 'Code', max: 20, unique: true })
  codigo!: string;

  @Column('text', { description: 'Name', max: 200, search: true, sort: true })
  nome!: string;

  @Column('text', {
    description: 'How it is taught, such as Presencial or A distância',
    max: 60,
    search: true,
    sort: true,
  })
  modalidade!: string;
}
