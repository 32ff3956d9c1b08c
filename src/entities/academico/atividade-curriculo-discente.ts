import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { SituacaoAtividadeCurriculo } from './situacao-atividade-curriculo.ts';
import { VinculoDiscente } from './vinculo-discente.ts';

@Entity()
@ObjectType({
  description: 'An activity of the curriculum, such as a course unit, that a student took or takes.',
  simpleResolvers: true,
})
export class AtividadeCurriculoDiscente extends Registro {
  @Link(() => VinculoDiscente, { description: 'Enrolment of the student' })
  vinculo!: VinculoDiscente;

  @Column('text', { description: 'Code of the activity', max: 20 })
  codigoAtividade!: string;

  @Column('text', { description: 'Name of the activity', max: 200, search: true })
  nomeAtividade!: string;

  @Column('text', {
    description: 'Part of the curriculum that it counts for, such as the mandatory units',
    max: 100,
    search: true,
  })
  estrutura!: string;

  @Column('integer', { description: 'Year' })
  ano!: number;

  @Column('integer', { description: 'Period of the year, from 1' })
  periodo!: number;

  @Column('integer', { description: 'Workload in hours' })
  chTotal!: number;

  @Link(() => SituacaoAtividadeCurriculo, { description: 'How it stands' })
  situacao!: SituacaoAtividadeCurriculo;
}
