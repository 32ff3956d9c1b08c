import type { Opt } from '@mikro-orm/core';
import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { choices, type ValueOf } from '../choices.ts';
import { Column } from '../column.ts';
import { Derived } from '../computed.ts';
import { Registro } from '../registro.ts';
import { DateTimeScalar } from '../scalars.ts';

/** Encodings of text files. Excel writes all three. */
export const importEncodings = choices('CodificacaoImportacao', 'Encoding of a csv file', {
  UTF_8: ['utf-8', '"CSV UTF-8" of Excel'],
  WINDOWS_1252: ['windows-1252', '"CSV" of Excel in Brazil'],
  UTF_16LE: ['utf-16le', '"Unicode text" of Excel'],
});

export const importStates = choices('SituacaoImportacao', 'State of an import', {
  EM_ANDAMENTO: ['em_andamento', 'It waits for its turn or runs'],
  CONCLUIDA: ['concluida', 'All is imported; or, if it only checked, all could be'],
  RECUSADA: ['recusada', 'The file has problems, and nothing was imported'],
  INTERROMPIDA: ['interrompida', 'It broke off, and nothing was imported'],
});
export type ImportState = ValueOf<typeof importStates>;

@ObjectType({ description: 'What is wrong in a cell of an imported file.', simpleResolvers: true })
export class ProblemaImportacao {
  @Field(() => Int, { description: 'Number of the row, as spreadsheet programs show it' })
  linha!: number;

  @Field(() => String, { description: 'Header of the column' })
  coluna!: string;

  @Field(() => String, { description: 'What stands there; empty when nothing does' })
  valor!: string;

  @Field(() => String, { description: 'What is wrong' })
  problema!: string;

  @Field(() => String, { description: 'What would be right' })
  esperado!: string;
}

@ObjectType({ description: 'A row that repeats an earlier one and was skipped.', simpleResolvers: true })
export class LinhaRepetida {
  @Field(() => Int, { description: 'Number of the row' })
  linha!: number;

  @Field(() => Int, { description: 'Number of the earlier row' })
  primeira!: number;
}

/**
 * The table `andamento_importacao` contains its progress and its report, and `recusadas_importacao` its refused rows. They
 * are deleted after some time.
 */
@Entity()
@Index({ properties: ['criadoPor'] })
@ObjectType({
  description: 'An import of a file, with its progress and its report. Its creator made it.',
  simpleResolvers: true,
})
export class Importacao extends Registro {
  @Column('text', { description: 'What was imported, such as `pessoas`', max: 60 })
  registros!: string;

  @Column('text', { description: 'Name of the file', max: 255 })
  nomeArquivo!: string;

  @Column('boolean', { description: 'Whether it only checks the file', default: false })
  simulacao!: Opt<boolean>;

  @Column('boolean', {
    description: 'Whether rows without problems are imported although others have some',
    default: false,
  })
  aceitarValidas!: Opt<boolean>;

  @Column('text', {
    description: importStates.description,
    max: 20,
    oneOf: importStates,
    default: 'em_andamento',
  })
  situacao!: Opt<ImportState>;

  @Column('timestamp', { description: 'When it ended', nullable: true })
  terminadaEm!: Date | null;

  @Column('text', {
    description: 'Why the file as a whole was refused, or why it broke off',
    max: 4000,
    nullable: true,
  })
  detalhe!: string | null;

  @Column('integer', {
    description: 'Rows of the file without its headers; null until it ends',
    nullable: true,
  })
  linhas!: number | null;

  @Column('integer', {
    description: 'Records that are new; null if nothing was or could be imported',
    nullable: true,
  })
  criadas!: number | null;

  @Column('integer', { description: 'Records that changed', nullable: true })
  alteradas!: number | null;

  @Column('integer', { description: 'Records that were so already', nullable: true })
  iguais!: number | null;

  @Column('integer', { description: 'Rows that repeat an earlier one and were skipped', nullable: true })
  repetidas!: number | null;

  @Column('integer', { description: 'Rows with problems', nullable: true })
  recusadas!: number | null;

  @Column('integer', { description: 'Problems, of which `problemas` has the first', nullable: true })
  totalProblemas!: number | null;

  @Derived(() => DateTimeScalar, ['id'], 'When its turn came; null while it waits')
  iniciadaEm?: string | null;

  @Derived(() => Int, ['id'], 'Rows that it has read so far')
  lidas?: number | null;

  @Derived(() => Int, ['id'], 'Rows that it has written so far')
  gravadas?: number | null;

  @Derived(
    () => [ProblemaImportacao],
    ['id'],
    'The first 1,000 problems, by row; null until it ends, 30 days later, and for who may not list these records',
  )
  problemas?: ProblemaImportacao[] | null;

  @Derived(() => [LinhaRepetida], ['id'], 'The first 1,000 rows that repeat an earlier one; null likewise')
  repeticoes?: LinhaRepetida[] | null;
}
