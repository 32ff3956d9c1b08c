import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { Column } from './column.ts';

/** The fields of every row: its key, its times and authors (contract 4). */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class Autoria {
  @Field(() => Int, { description: 'Identifier' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Column('timestamp', { description: 'When it was created', stamp: 'created' })
  criadoEm!: Opt<Date>;

  @Column('timestamp', { description: 'When it was last changed', stamp: 'changed' })
  alteradoEm!: Opt<Date>;

  @Column('integer', {
    description: 'Person who created it, as the client says or else the caller',
    nullable: true,
  })
  criadoPor!: number | null;

  @Column('integer', {
    description: 'Person who last changed it, as the client says or else the caller',
    nullable: true,
  })
  alteradoPor!: number | null;
}

/** The columns of every table. */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class Registro extends Autoria {
  /** A trigger increments it on every change of the row. REST clients see it as part of the `ETag`. */
  @Extensions({ graphqlOnly: true })
  @Field(() => Int, { description: 'Version, which every change raises' })
  @Property({ type: 'integer', default: 1 })
  versao!: Opt<number>;
}
