import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Int, ObjectType } from 'type-graphql';
import { Column, Via } from '../entities/column.ts';

/** A row of a report: an entity made by the expression of its class, in no table of its own. */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class ReportRow {
  @Column('integer', { description: 'Identifier of the row within the report' })
  id!: number;
}

/**
 * A row whose figures depend on the filters (`within`). It has no `id` in GraphQL: clients keep what has one, and would
 * show the figures of one question as the answer to another. REST, where nobody does that, shows it as ever.
 */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class ReckonedRow {
  @Property({ type: 'integer' })
  id!: number;

  @Via(() => Int, 'id', 'Which row it is. Its figures depend on the filters, so this is no identity')
  @Extensions({ legacyName: 'id' })
  linha!: number;
}
