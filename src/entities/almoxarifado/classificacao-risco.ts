import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column, Link } from '../column.ts';
import { Registro } from '../registro.ts';
import { IconeRisco } from './icone-risco.ts';

/** Signal words of the GHS. The Brazilian standard has the same two. */
export const signalWords = choices('PalavraAdvertencia', 'Signal word of a hazard class', {
  PERIGO: ['P', 'Danger'],
  ATENCAO: ['A', 'Warning'],
  NENHUMA: ['N', 'The class has none'],
});

@Entity()
@ObjectType({ description: 'A hazard class of the GHS, shown by a pictogram.', simpleResolvers: true })
export class ClassificacaoRisco extends Registro {
  @Link(() => IconeRisco, { description: 'Pictogram that shows it' })
  iconeRisco!: IconeRisco;

  @Column('text', { description: 'Name of the hazard', max: 200, sort: true })
  risco!: string;

  @Column('text', {
    description: 'What it means for whoever handles the material',
    max: 1000,
    nullable: true,
    sort: true,
  })
  descricao!: string | null;

  @Column('text', {
    description: signalWords.description,
    max: 1,
    oneOf: signalWords,
    nullable: true,
  })
  palavraAdvertencia!: ValueOf<typeof signalWords> | null;

  @Column('text', {
    description: 'Precautionary statements for labels, each on a line of its own',
    max: 2000,
    nullable: true,
  })
  precaucao!: string | null;
}
