import { Field, Int, ObjectType } from 'type-graphql';

/** One page of a list (contract 3). An unpaged list is page 1 of 1. */
export interface Page<T> {
  data: T[];
  total: number;
  page: number;
  itemsPerPage: number;
  totalPages: number;
}

const pages = new Map<object, new () => Page<object>>();

/** The GraphQL type of a page of records; one for each type of record. */
export function Page<T extends object>(record: new () => T): new () => Page<T> {
  const known = pages.get(record) ?? pageOf(record);
  pages.set(record, known);
  return known as new () => Page<T>;
}

function pageOf<T extends object>(record: new () => T): new () => Page<T> {
  @ObjectType(`${record.name}Page`, {
    description: `A page of a list of ${record.name}.`,
    simpleResolvers: true,
  })
  class RecordPage implements Page<T> {
    @Field(() => [record], { description: 'Records on this page' })
    data!: T[];

    @Field(() => Int, {
      description:
        'Records in the whole list, as it is at the moment of the page; counted only when asked for',
    })
    total!: number;

    @Field(() => Int, { description: 'Number of this page, from 1' })
    page!: number;

    @Field(() => Int, { description: 'Most records on a page' })
    itemsPerPage!: number;

    @Field(() => Int, { description: 'Pages in the whole list; counted only when asked for' })
    totalPages!: number;
  }
  return RecordPage;
}
