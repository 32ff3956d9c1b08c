import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link, SituacaoColumn, type Situacao } from '../column.ts';
import { Registro } from '../registro.ts';
import { Sistema } from './sistema.ts';

/** `tipo` of a resource (specification 2.2, which does not say what the letters mean). */
export const resourceKinds = choices('TipoRecurso', 'Kind of resource', {
  G: ['G', 'Not explained by the specification'],
  U: ['U', 'Not explained by the specification'],
});

@Entity()
@ObjectType({ description: 'A part of a system to which profiles give access.', simpleResolvers: true })
export class Recurso extends Registro {
  @Column('text', { description: 'Name', max: 200, sort: true, search: true })
  nome!: string;

  @Column('text', { description: 'What it offers', max: 1000, nullable: true, search: true })
  descricao!: string | null;

  @Column('text', { description: resourceKinds.description, max: 1, oneOf: resourceKinds, nullable: true })
  tipo!: ValueOf<typeof resourceKinds> | null;

  @Column('integer', { description: 'Its place among the others', nullable: true })
  ordem!: number | null;

  @Link(() => Sistema, { description: 'System it is part of' })
  sistema!: Sistema;

  @SituacaoColumn()
  situacao!: Situacao;
}
