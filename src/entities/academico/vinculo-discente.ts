import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, flags, Link, type Flag } from '../column.ts';
import { Pessoa } from '../permissoes/pessoa.ts';
import { Registro } from '../registro.ts';

@Entity()
@Check({ name: 'vinculo_discente_numero_matricula_check', expression: `"numero_matricula" ~ '^[0-9]+$'` })
@ObjectType({ description: 'That a student is, or was, enrolled in a course.', simpleResolvers: true })
export class VinculoDiscente extends Registro {
  @Link(() => Pessoa, { description: 'The student' })
  pessoa!: Pessoa;

  @Column('text', {
    description: 'Registration number of the student, its digits as the academic system writes them',
    sort: true,
    column: 'numero_matricula',
  })
  matricula!: string;

  /** The number in the format of the previous version, while that still serves. A trigger keeps both columns equal. */
  @Property({ type: 'integer', nullable: true, fieldName: 'matricula' })
  matriculaInteira!: Opt<number | null>;

  @Column('integer', { description: "Which of the student's enrolments it is, from 1", sort: true })
  vinculo!: number;

  @Column('integer', {
    description: 'Level of the course: 1 undergraduate, 2 specialization, 3 master, 4 doctorate',
    sort: true,
  })
  nivelCurso!: number;

  @Column('integer', { description: 'Year of admission', sort: true })
  anoIngresso!: number;

  @Column('text', { description: 'Name of the course', max: 200 })
  curso!: string;

  @Column('text', { description: 'State of the enrolment, such as Ativo or Formado', max: 60, sort: true })
  situacao!: string;

  @Column('text', {
    description: 'Whether the student may enrol in activities now',
    max: 1,
    oneOf: flags,
    default: 'N',
    sort: true,
  })
  habilitado!: Flag;
}
