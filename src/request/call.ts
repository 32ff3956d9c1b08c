import { getNamedType, OperationTypeNode, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { type Access, accessOf } from '../access/access.ts';
import type { Context } from './context.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { toGraphQLError, type AppError } from '../errors.ts';
import type { Start } from '../graph/distance.ts';
import { withhold } from '../graph/withheld.ts';
import { refined, type RefiningArgs } from '../graph/refine.ts';
import { Rights } from '../graph/rights.ts';
import { shapesOf } from '../graph/shape.ts';
import { readOne } from '../listing/read.ts';
import type { Listing } from '../listing/listing.ts';
import { readPage, wholePage } from '../listing/read-page.ts';
import { cut, readInParts } from '../listing/read-parts.ts';
import { readPages } from '../listing/read-pages.ts';
import { transactionReader } from '../database/reader.ts';
import { alsoReading, NOTHING, selectionOf, selectionThrough, type Selection } from '../listing/selection.ts';
import type { Page } from '../listing/page.ts';
import { addFigures } from '../listing/page-figures.ts';
import type { RecordList, Scope } from '../listing/list.ts';
import type { Incoming } from '../storage/incoming.ts';
import { onceOnly, type OnceOnly } from './idempotency.ts';
import type { Seen } from './seen.ts';
import { sawPrimary } from './saw-primary.ts';

/** What a request contains besides the arguments of its operation. It is passed as GraphQL's root value. */
export interface Extras {
  /** The record to change must be in one of these states; undefined allows any. */
  seen?: readonly Seen[] | undefined;
  /** The file of the body, which was stored separately while the body was read. */
  received?: Incoming | undefined;
}

/** The call of one query or mutation: its caller and the selected fields. */
export class Call {
  constructor(
    readonly context: Context,
    private readonly info: GraphQLResolveInfo,
    readonly extras: Extras = {},
    /** Arguments, converted by GraphQL. */
    readonly given: RefiningArgs = {},
  ) {}

  /** Runs the mutation under its `Idempotency-Key`; undefined if the request has none. */
  get once(): OnceOnly | undefined {
    return onceOnly(this.access, this.context, this.info);
  }

  /** The permission that the query or mutation declares. */
  get access(): Access {
    return accessOf(this.info.parentType.getFields()[this.info.fieldName]!)!;
  }

  /** The fields selected in the answer. */
  get selection(): Selection {
    return selectionOf(this.info);
  }

  /** The schema of the call: GraphQL's, or the REST view. */
  get schema(): GraphQLSchema {
    return this.info.schema;
  }

  /**
   * The page of a list that the client asked for. @throws BAD_REQUEST, FORBIDDEN for the client's filter and ordering
   */
  async page<T extends object>(list: RecordList<T>): Promise<Page<T>> {
    const whole = await this.refined(list);
    return this.withheld(await readPage(this.listing, whole, this.selection), whole);
  }

  /**
   * The page as an answer. On the REST face a long unpaginated list comes in parts (`followingOf`). `finish` adds
   * further data to the records of each part.
   */
  async answer<T extends object>(
    list: RecordList<T>,
    finish?: (records: T[]) => Promise<void>,
  ): Promise<Page<T>> {
    if (!this.rights)
      return readInParts(this.listing, list, this.selection, { finish, exported: this.isExported });
    const page = await this.page(list);
    await finish?.(page.data);
    return page;
  }

  /** The page of a list whose records were all read already. The REST face answers it in parts, too. */
  whole<T extends object>(records: T[]): Page<T> {
    const page = wholePage(records);
    return this.rights ? page : cut(page, this.listing.limits.itemsPerPage);
  }

  /** Whether the operation of the REST face can also answer a file. */
  private get isExported(): boolean {
    const { extensions } = this.info.parentType.getFields()[this.info.fieldName]!;
    const parameters = (extensions['parameters'] ?? []) as readonly { property: string }[];
    return parameters.some(({ property }) => property === 'export');
  }

  /** The pages of several parents, by their ids. `times`: how often each parent is in the answer. */
  async pages(list: RecordList, times: ReadonlyMap<number, number>): Promise<Map<number, Page<object>>> {
    const whole = await this.refined(list);
    const pages = await readPages(this.listing, whole, this.selection, times);
    const records = [...pages.values()].flatMap(({ data }) => data);
    await this.withhold(records, this.selection['data'], whole.entity);
    return pages;
  }

  /**
   * The records of a to-many field of several parents, by the parents' ids. With `through`, the targets of this link of
   * the listed records. `record`: class of what is shown. `far`: how many links it is from a record that the caller may
   * list.
   */
  async children(
    list: RecordList,
    times: ReadonlyMap<number, number>,
    { through, far, record }: { through: string | undefined; far: number; record: new () => object },
  ): Promise<Map<number, object[]>> {
    const whole = await this.refined(list, { links: through ? [through] : [], far });
    const data = through ? selectionThrough(this.selection, through) : this.selection;
    const pages = await readPages(this.listing, whole, { data }, times);
    const children = new Map<number, object[]>();
    for (const [id, page] of pages)
      children.set(
        id,
        through ? page.data.map(child => (child as Record<string, object>)[through]!) : page.data,
      );
    await this.withhold([...children.values()].flat(), this.selection, record, far);
    return children;
  }

  /** Adds the client's filter, ordering and cursor to a list. The REST face does not have them. */
  private async refined<T extends object>(list: RecordList<T>, start?: Start): Promise<RecordList<T>> {
    const { args } = this.info.parentType.getFields()[this.info.fieldName]!;
    const { metadata } = this.listing;
    return this.rights ? refined(list, args, this.given, this.rights, metadata, start) : list;
  }

  /** What the caller may read beyond the called list; undefined on the REST face, which shows nothing beyond it. */
  get rights(): Rights | undefined {
    const shapes = shapesOf(this.info.schema);
    return shapes && new Rights(shapes.lists, this.context.caller);
  }

  private async withheld<T extends object>(page: Page<T>, { entity }: RecordList<T>): Promise<Page<T>> {
    await this.withhold(page.data, this.selection['data'], entity);
    return page;
  }

  /**
   * Replaces linked records that the caller may not read by errors. `far`: number of links from a listed record to
   * these.
   */
  private async withhold(
    records: readonly object[],
    selection: Selection | undefined,
    record: new () => object,
    far = 0,
  ): Promise<void> {
    const shapes = shapesOf(this.info.schema);
    const toError = (error: AppError): Error => toGraphQLError(error, this.context.language);
    if (shapes && selection)
      await withhold(records, { selection, record, far }, shapes, this.rights!, toError);
  }

  /** Withholds from an answer that was stored earlier what the caller may not read any more. */
  async replayed(answer: unknown): Promise<unknown> {
    const type = getNamedType(this.info.returnType).name;
    for (const [entity, { name }] of shapesOf(this.info.schema)?.all ?? []) {
      if (type === name) await this.withhold([answer as object], this.selection, entity);
      if (type === `${name}Page`)
        await this.withhold((answer as Page<object>).data, this.selection['data'], entity);
    }
    return answer;
  }

  /**
   * The record with these values (`{ id: 1 }`); null if it does not exist. A mutation reads it on the primary, maybe with more
   * than its own write has stored.
   */
  async one<T extends object>(entity: new () => T, key: Scope): Promise<T | null> {
    const found = await this.readOne(this.listing, entity, key);
    if (this.info.operation.operation === OperationTypeNode.MUTATION) await sawPrimary(this.context);
    return found;
  }

  /** The same of a record that a field of the answer shows, with `needed` properties even if the client selects none. */
  oneIn<T extends object>(
    field: string,
    entity: new () => T,
    key: Scope,
    needed: readonly (keyof T & string)[],
  ): Promise<T | null> {
    const selection = needed.reduce(alsoReading, this.selection[field] ?? NOTHING);
    return this.readOne(this.listing, entity, key, selection);
  }

  /** The same inside a transaction, which also sees its own writes. */
  written<T extends object>(em: EntityManager, entity: new () => T, key: Scope): Promise<T | null> {
    return this.readOne(this.inside(em), entity, key);
  }

  private async readOne<T extends object>(
    listing: Listing,
    entity: new () => T,
    key: Scope,
    selection = this.selection,
  ): Promise<T | null> {
    const record = await readOne<T>(listing, entity, key, selection);
    await this.withhold(record ? [record] : [], selection, entity);
    return record;
  }

  /** The page of a list and its figures inside a transaction, which also sees its own writes. */
  async writtenPage<T extends object>(em: EntityManager, list: RecordList<T>): Promise<Page<T>> {
    const page = await readPage(this.inside(em), list, this.selection);
    await addFigures(page, this.info, this.context);
    return this.withheld(page, list);
  }

  /** The listing with the request's budget. */
  get listing(): Listing {
    return this.context.listing;
  }

  private inside(em: EntityManager): Listing {
    return { ...this.listing, reader: transactionReader(em), totals: undefined };
  }
}
