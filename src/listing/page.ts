import { Field, Int, ObjectType } from 'type-graphql';
import type { RecordList } from './list.ts';
import type { Listing } from './listing.ts';

/** One page of a list (contract 3). An unpaged list is page 1 of 1. */
export interface Page<T> {
  data: T[];
  total: number;
  page: number;
  itemsPerPage: number;
  totalPages: number;
  nextCursor?: string | null;
  /** `summary` and `groups` by response name, if they had to be computed together with the page. */
  figures?: Readonly<Record<string, unknown>>;
  [WHOLE]?: Whole;
}

/** The list from which a page was read. Totals and sums are computed from it. */
export interface Whole {
  list: RecordList;
  /** How the page was read: for a written one, in its transaction. */
  listing: Listing;
  /** Id of the parent to which the page belongs; 0 without parents. */
  parent: number;
  /** Results that all pages share that were read together. */
  memo: Map<string, unknown>;
}

const WHOLE = Symbol('whole');

/** The list of a page, as `ofWhole` stored it. */
export const wholeOf = (page: { [WHOLE]?: Whole }): Whole => page[WHOLE]!;

/** Stores the list of a page. */
export function ofWhole<P extends { [WHOLE]?: Whole }>(page: P, whole: Whole): P {
  page[WHOLE] = whole;
  return page;
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
