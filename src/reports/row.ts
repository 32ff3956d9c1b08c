import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Int, ObjectType } from 'type-graphql';
import { Column } from '../entities/column.ts';
import { Via } from '../entities/computed.ts';

/** A row of a report: a virtual entity, computed by the expression of its class. */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class ReportRow {
  @Column('integer', { description: 'Identifier of the row within the report' })
  id!: number;
}

/**
 * A row whose values depend on the filters (`within`). It has no `id` in GraphQL, because client caches would mix up
 * rows of different filters under one `id`. REST clients have no such cache, so REST keeps it.
 */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class ReckonedRow {
  @Property({ type: 'integer' })
  id!: number;

  @Via(() => Int, 'id', 'Which row it is. Its figures depend on the filters, so this is not an identity')
  @Extensions({ legacyName: 'id' })
  linha!: number;
}
