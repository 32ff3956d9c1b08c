import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column } from '../entities/column.ts';

/** A row of a report: an entity made by the expression of its class, in no table of its own. */
@Entity({ abstract: true })
@ObjectType({ simpleResolvers: true })
export abstract class ReportRow {
  @Column('integer', { description: 'Identifier of the row within the report' })
  id!: number;
}
