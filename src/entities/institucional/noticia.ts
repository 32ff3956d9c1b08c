import type { Opt } from '@mikro-orm/core';
import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { newsLengths } from './noticia-lengths.ts';
import { Column } from '../column.ts';
import { Registro } from '../registro.ts';

@Entity()
@Index({
  name: 'noticia_primeiras',
  expression:
    'create index "noticia_primeiras" on "noticia" ("fixada", "publicada_em", "id") where not "retirada"',
})
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

  @Column('boolean', { description: 'Whether it stands above the others', default: false })
  fixada!: Opt<boolean>;

  @Column('boolean', { description: 'Whether it was withdrawn: `noticias` shows it no more', default: false })
  retirada!: Opt<boolean>;
}
