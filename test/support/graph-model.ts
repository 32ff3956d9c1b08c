import { isEnumType } from 'graphql';
import { ReferenceKind, type EntityMetadata } from '@mikro-orm/core';
import type { EntityClass } from '../../src/graph/member.ts';
import type { Shape, ShapeColumn, ShapeMany, Shapes } from '../../src/graph/shape.ts';
import { propertyNamed } from '../../src/listing/builder.ts';
import type { TestService } from './service.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Filter = Readonly<Record<string, unknown>>;

/** One column of an ordering: property names along links, as clients send them. */
export interface OrderBy {
  path: readonly string[];
  direction: 'asc' | 'desc';
}

const portuguese = new Intl.Collator('pt-BR');

/** All tables in memory. It computes the right answer to any filter and ordering in the simplest way. */
export class GraphModel {
  readonly #rows = new Map<EntityClass, Row[]>();
  readonly #byId = new Map<EntityClass, Map<unknown, Row>>();
  readonly #only = new Map<string, Set<unknown>>();
  readonly #children = new Map<string, Map<unknown, Row[]>>();
  readonly #folded = new Map<string, string>();

  private constructor(
    private readonly service: TestService,
    readonly shapes: Shapes,
  ) {}

  static async load(service: TestService, shapes: Shapes): Promise<GraphModel> {
    const model = new GraphModel(service, shapes);
    const texts = new Set<string>();
    for (const [record, { columns }] of shapes.all) {
      const rows = await service.sql(`select to_jsonb(t) from ${model.source(record)} t order by "id"`);
      const found = rows.map(([row]) => row as Row);
      model.#rows.set(record, found);
      model.#byId.set(record, new Map(found.map(row => [row['id'], row])));
      for (const { path, type } of columns)
        if (type.name === 'String' && !path.includes('.'))
          for (const row of found) texts.add(String(row[model.columnOf(record, path)] ?? ''));
    }
    for (const { own } of shapes.all.values()) for (const many of own) await model.#loadOnly(many);
    await model.fold([...texts]);
    return model;
  }

  async #loadOnly({ reverse: { of, only } }: ShapeMany): Promise<void> {
    const rows = await this.service.sql(`select to_jsonb(t) from ${this.source(of)} t`);
    const found = rows.map(([row]) => row as Row);
    // Records that link two others have no shape.
    this.#rows.set(of, this.#rows.get(of) ?? found);
    if (!only) return;
    const ids = await this.service.sql(`select id from ${this.source(of)} t where ${only}`);
    this.#only.set(only, new Set(ids.flat()));
  }

  private metadata = (record: EntityClass): EntityMetadata =>
    this.service.services.listing.metadata.get(record);

  private source(record: EntityClass): string {
    const { expression, tableName } = this.metadata(record);
    if (!expression) return `"${tableName}"`;
    return `(${typeof expression === 'string' ? expression : (expression as () => string)()})`;
  }

  /** The database's column of a property. */
  columnOf(record: EntityClass, property: string): string {
    return propertyNamed(this.metadata(record), property)!.fieldNames[0]!;
  }

  shape = (record: EntityClass): Shape => this.shapes.all.get(record)!;
  rows = (record: EntityClass): Row[] => this.#rows.get(record)!;

  /** The value of a column, in the form for comparison. */
  valueOf(record: EntityClass, row: Row | undefined, { path, type }: ShapeColumn): unknown {
    const links = path.split('.');
    const last = links.pop()!;
    const { record: of, row: at } = this.along(record, row, links);
    const value = at?.[this.columnOf(of, last)] ?? null;
    return type.name === 'DateTime' && value !== null ? Date.parse(value as string) : value;
  }

  /** Folds texts with the database: its dictionary has more characters than JavaScript. */
  async fold(texts: readonly string[]): Promise<void> {
    const unknown = texts.filter(text => !this.#folded.has(text));
    if (unknown.length === 0) return;
    const rows = await this.service.sql(
      'select fold(t) from unnest($1::text[]) with ordinality as u(t, i) order by i',
      [unknown],
    );
    for (const [i, text] of unknown.entries()) this.#folded.set(text, rows[i]![0] as string);
  }

  /** Whether a row matches a filter. All values of an absent row are null. */
  matches(record: EntityClass, row: Row | undefined, filter: Filter, far = 0): boolean {
    const { columns, links, own, pages } = this.shape(record);
    return Object.entries(filter).every(([name, given]): boolean => {
      if (given === null) return true;
      const inside = (part: unknown): boolean => this.matches(record, row, part as Filter, far);
      if (name === 'and') return (given as unknown[]).every(inside);
      if (name === 'or') return (given as unknown[]).some(inside);
      if (name === 'not') return !inside(given);
      const column = columns.find(one => one.name === name);
      if (column) return this.#compares(column, this.valueOf(record, row, column), given as Filter);
      const link = links.find(one => one.name === name);
      if (link)
        return this.matches(link.to, this.along(record, row, link.links).row, given as Filter, far + 1);
      const many = [...own, ...pages].find(one => one.name === name)!;
      return this.#quantified(many, row, given as Filter, far);
    });
  }

  /** The record at the end of a path of links, and its class. */
  private along(
    record: EntityClass,
    row: Row | undefined,
    links: readonly string[],
  ): { record: EntityClass; row: Row | undefined } {
    const [link, ...rest] = links;
    if (link === undefined) return { record, row };
    return this.along(this.#leadsTo(record, link), this.follow(record, row, link), rest);
  }

  #leadsTo(record: EntityClass, link: string): EntityClass {
    return propertyNamed(this.metadata(record), link)!.targetMeta!.class as EntityClass;
  }

  /** The record behind a link. */
  follow(record: EntityClass, row: Row | undefined, property: string): Row | undefined {
    const to = this.#leadsTo(record, property);
    return this.#byId.get(to)?.get(row?.[this.columnOf(record, property)]);
  }

  #compares({ type, isFlag }: ShapeColumn, value: unknown, given: Filter): boolean {
    const stored = (one: unknown): unknown => {
      if (isFlag) return one === true ? 'S' : 'N';
      if (isEnumType(type)) return type.getValue(one as string)!.value;
      return type.name === 'DateTime' ? Date.parse(one as string) : one;
    };
    return Object.entries(given).every(([is, wanted]): boolean => {
      if (is === 'isNull') return (value === null) === wanted;
      if (value === null) return false;
      if (is === 'in') return (wanted as unknown[]).map(stored).includes(value);
      if (is === 'notIn') return !(wanted as unknown[]).map(stored).includes(value);
      if (is === 'contains') return this.#folds(value).includes(this.#folds(wanted));
      if (is === 'startsWith') return this.#folds(value).startsWith(this.#folds(wanted));
      const [a, b] = [value as number, stored(wanted) as number];
      return { eq: a === b, ne: a !== b, lt: a < b, lte: a <= b, gt: a > b, gte: a >= b }[is]!;
    });
  }

  #folds = (text: unknown): string => this.#folded.get(text as string)!;

  /** Records behind a reverse link, as an administrator sees them. */
  #quantified({ to, reverse }: ShapeMany, row: Row | undefined, given: Filter, far: number): boolean {
    const { of, mappedBy, only, through, isShown } = reverse;
    const always = (!(isShown && far === 0) && this.shapes.lists.get(of)?.always) || {};
    const children = (this.#childrenOf(of, mappedBy).get(row?.['id']) ?? [])
      .filter(child => !only || this.#only.get(only)!.has(child['id']))
      .filter(child =>
        Object.entries(always).every(([path, value]) => child[this.columnOf(of, path)] === value),
      )
      .map(child => (through ? this.follow(of, child, through) : child));
    return Object.entries(given).every(([quantifier, filter]): boolean => {
      if (filter === null) return true;
      const holds = (child: Row | undefined): boolean =>
        this.matches(to, child, filter as Filter, through ? 1 : 0);
      if (quantifier === 'every') return children.every(holds);
      return children.some(holds) === (quantifier === 'some');
    });
  }

  #childrenOf(of: EntityClass, mappedBy: string): Map<unknown, Row[]> {
    const key = `${of.name}.${mappedBy}`;
    let found = this.#children.get(key);
    if (found) return found;
    this.#children.set(key, (found = new Map()));
    for (const row of this.rows(of))
      for (const id of this.#targets(of, row, mappedBy.split('.')))
        found.set(id, [...(found.get(id) ?? []), row]);
    return found;
  }

  /** Keys of the records at the end of a path. The path may begin with a to-many field. */
  #targets(of: EntityClass, row: Row, path: readonly string[]): ReadonlySet<unknown> {
    const [field, link] = path;
    const { targetMeta, mappedBy, kind } = propertyNamed(this.metadata(of), field!)!;
    if (kind !== ReferenceKind.ONE_TO_MANY) {
      const last = this.along(of, row, path.slice(0, -1));
      const key = last.row?.[this.columnOf(last.record, path.at(-1)!)] ?? null;
      return new Set([key].filter(id => id !== null));
    }
    const child = targetMeta!.class as EntityClass;
    const back = this.columnOf(child, mappedBy);
    const own = this.rows(child).filter(one => one[back] === row['id']);
    return new Set(own.map(one => one[this.columnOf(child, link!)]));
  }

  /** The rows in order. The key breaks ties. Nulls are last in ascending and first in descending order. */
  sorted(record: EntityClass, rows: readonly Row[], orders: readonly OrderBy[]): Row[] {
    const keyed = rows.map(row => ({ row, keys: orders.map(({ path }) => this.#at(record, row, path)) }));
    keyed.sort((a, b) => {
      for (const [i, { direction }] of orders.entries()) {
        const so = compare(a.keys[i], b.keys[i]);
        if (so !== 0) return direction === 'asc' ? so : -so;
      }
      return Number(a.row['id']) - Number(b.row['id']);
    });
    return keyed.map(({ row }) => row);
  }

  #at(record: EntityClass, row: Row | undefined, [name, ...rest]: readonly string[]): unknown {
    const { columns, links } = this.shape(record);
    if (rest.length === 0)
      return this.valueOf(
        record,
        row,
        columns.find(one => one.name === name)!,
      );
    const { links: path, to } = links.find(one => one.name === name)!;
    return this.#at(to, this.along(record, row, path).row, rest);
  }
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a !== 'string') return Number(a) - Number(b);
  return portuguese.compare(a, b as string) || Buffer.compare(Buffer.from(a), Buffer.from(b as string));
}
