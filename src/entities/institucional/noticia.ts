import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { newsLengths } from './noticia-lengths.ts';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@ObjectType({ description: 'A news item of the institution.', simpleResolvers: true })
export class Noticia extends Registro {
  @Column('text', { description: 'Headline, plain text', max: newsLengths.titulo })
  titulo!: string;

  @Column('text', { description: 'Summary, plain text', max: newsLengths.resumo, nullable: true })
  resumo!: string | null;

  @Column('text', { description: 'Where the whole of it is read', max: newsLengths.link, unique: true })
  link!: string;

  @Column('timestamp', { description: 'When it was published', sort: true })
  publicadaEm!: Date;
}
