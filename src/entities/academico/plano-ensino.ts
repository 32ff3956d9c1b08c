import { Collection } from '@mikro-orm/core';
import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Lotacao } from '../almoxarifado/lotacao.ts';
import { Column, Link } from '../column.ts';
import { Many } from '../many.ts';
import { Registro } from '../registro.ts';
import { Curso } from './curso.ts';
import { DocentePlano } from './docente-plano.ts';
import { EtapaTramitacao } from './etapa-tramitacao.ts';
import { SituacaoPlanoEnsino } from './situacao-plano-ensino.ts';
import { TramitacaoPlano } from './tramitacao-plano.ts';

const text = (description: string) => Column('text', { description, nullable: true });

@Entity()
// Reports count all plans by these columns. The index avoids reading the long texts of the plans.
@Index({
  name: 'plano_ensino_contagem',
  expression:
    'create index "plano_ensino_contagem" on "plano_ensino" ("id") include ("id_curso", "id_departamento", "id_situacao", "id_tramitacao_atual", "ano", "semestre")',
})
@ObjectType({
  description: 'Teaching plan: what a discipline teaches in one semester, how, and by whom.',
  simpleResolvers: true,
})
export class PlanoEnsino extends Registro {
  @Link(() => Curso, { description: 'Course of studies' })
  curso!: Curso;

  @Link(() => Lotacao, { description: 'Department that offers the discipline' })
  departamento!: Lotacao;

  @Column('text', { description: 'Code of the discipline', max: 20 })
  codigoDisciplina!: string;

  @Column('text', { description: 'Name of the discipline', max: 200, search: true, sort: true })
  nomeDisciplina!: string;

  @Column('integer', { description: 'Workload in hours' })
  cargaHoraria!: number;

  @Column('integer', { description: 'Year', sort: true })
  ano!: number;

  @Column('integer', { description: 'Semester of the year, from 1' })
  semestre!: number;

  @text('Syllabus')
  ementa!: string | null;

  @text('Objectives')
  objetivos!: string | null;

  @text('Programme, unit by unit')
  programa!: string | null;

  @text('Teaching method')
  metodologia!: string | null;

  @text('How students are assessed')
  avaliacao!: string | null;

  @text('Basic bibliography, one work a line')
  bibliografiaBasica!: string | null;

  @text('Complementary bibliography, one work a line')
  bibliografiaComplementar!: string | null;

  @Link(() => SituacaoPlanoEnsino, { description: 'How it stands' })
  situacao!: SituacaoPlanoEnsino;

  @Link(() => EtapaTramitacao, {
    description: 'Step of its way where it is: that of its latest `tramitacoes`',
  })
  tramitacaoAtual!: EtapaTramitacao;

  @Many(() => DocentePlano, 'planoEnsino', 'Who teaches', { seenFrom: 'pessoa' })
  docentes = new Collection<DocentePlano>(this);

  @Many(() => TramitacaoPlano, 'planoEnsino', 'The way that it took, in the order in which it was written')
  tramitacoes = new Collection<TramitacaoPlano>(this);
}
