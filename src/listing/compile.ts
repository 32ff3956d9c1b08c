import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { linkKey, onlyOf, viaOf } from '../entities/column.ts';
import type { Match } from './args.ts';
import type { Selection } from './selection.ts';

/** Which part of a list a statement reads: only what changes its SQL text, never a value. */
export interface Query {
  filters: readonly { paths: readonly string[]; match: Match; array?: boolean }[];
  orders: readonly { path: string; direction: 'asc' | 'desc' }[];
  /** A further condition, in SQL of the entity's own. */
  only?: string | undefined;
  /** Most rows: as written, or a parameter after the filter values. */
  limit?: number | 'parameter';
  /** Whether rows are skipped, as many as the last parameter says. */
  offset?: boolean;
}

/** A to-many field asked for: the children whose link `mappedBy` points at the record found along `path`. */
export interface ManyField {
  path: readonly string[];
  property: string;
  entity: EntityMetadata;
  mappedBy: string;
  selection: Selection;
  /** SQL condition on the children. */
  only: string | undefined;
}

/** A compiled read: SQL text, and how a row of it (an array of column values) becomes a record. */
export interface Plan {
  text: string;
  /** Text of the count of the same rows, over the same filter values. */
  countText: string;
  toRecord: (row: readonly unknown[]) => Record<string, unknown>;
  many: readonly ManyField[];
}

/** A table in the statement; `path` names the links that lead to it, each followed by a dot. */
interface Position {
  alias: string;
  entity: EntityMetadata;
  path: string;
}

type Convert = (value: unknown) => unknown;

interface Node {
  scalars: { property: string; index: number; convert?: Convert }[];
  links: { property: string; keyIndex: number; node: Node }[];
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** `2026-11-20T13:45:00.123Z` of the text PostgreSQL sends for a timestamptz. */
const toIso: Convert = value => (value === null ? null : new Date(value as string).toISOString());

/** Joins and columns gathered while paths and fields are walked; a link is joined once, when first needed. */
class Builder {
  readonly columns: string[] = [];
  readonly many: ManyField[] = [];
  readonly #joins = new Map<string, { alias: string; sql: string; entity: EntityMetadata }>();

  constructor(readonly root: EntityMetadata) {}

  get joins(): string {
    return [...this.#joins.values()].map(join => join.sql).join('');
  }

  column(sql: string): number {
    return this.columns.push(`${sql} c${this.columns.length}`) - 1;
  }

  /** The column at the end of a path such as `tipoControle.descricao`. */
  at(path: string): { sql: string; property: EntityProperty } {
    const links = path.split('.');
    const last = links.pop()!;
    const at = this.along({ alias: 't', entity: this.root, path: '' }, links);
    const property = own(at.entity, last);
    return { sql: `${at.alias}.${quote(property.fieldNames[0]!)}`, property };
  }

  join(from: Position, link: string): Position {
    const path = `${from.path}${link}.`;
    const property = own(from.entity, link);
    let joined = this.#joins.get(path);
    if (!joined) {
      const alias = `t${this.#joins.size + 1}`;
      const entity = property.targetMeta!;
      const on = `${alias}."id" = ${from.alias}.${quote(property.fieldNames[0]!)}`;
      joined = { alias, entity, sql: ` left join ${quote(entity.tableName)} ${alias} on ${on}` };
      this.#joins.set(path, joined);
    }
    return { alias: joined.alias, entity: joined.entity, path };
  }

  /** The table at the end of a path of links. */
  along(from: Position, links: readonly string[]): Position {
    return links.reduce((at, link) => this.join(at, link), from);
  }

  /** Columns of the fields asked for in the record `at` this place of the answer, and the node that builds it from them. */
  select(from: Position, selection: Selection, at: readonly string[] = []): Node {
    const node: Node = { scalars: [], links: [] };
    for (const [name, below] of Object.entries(selection)) {
      const via = viaOf(from.entity.class, name);
      const property = propertyNamed(from.entity, name);
      if (via) this.selectVia(from, via.split('.'), name, below, node, at);
      else if (property?.kind === ReferenceKind.ONE_TO_MANY) this.selectMany(from, property, below, node, at);
      else if (property?.kind === ReferenceKind.SCALAR || (property && name !== property.name))
        this.selectColumn(from, property, name, node);
      else if (property) this.selectLink(this.join(from, name), name, below, node, at);
      // What is left has a resolver of its own.
    }
    return node;
  }

  private selectVia(
    from: Position,
    path: string[],
    name: string,
    below: Selection,
    node: Node,
    at: readonly string[],
  ): void {
    const last = path.pop()!;
    const owner = this.along(from, path);
    const property = own(owner.entity, last);
    if (property.kind === ReferenceKind.SCALAR) this.selectColumn(owner, property, name, node);
    else this.selectLink(this.join(owner, last), name, below, node, at);
  }

  private selectColumn(from: Position, property: EntityProperty, name: string, node: Node): void {
    const index = this.column(`${from.alias}.${quote(property.fieldNames[0]!)}`);
    node.scalars.push({ property: name, index, ...(property.type === 'datetime' && { convert: toIso }) });
  }

  private selectLink(
    to: Position,
    name: string,
    selection: Selection,
    node: Node,
    at: readonly string[],
  ): void {
    const keyIndex = this.column(`${to.alias}."id"`);
    node.links.push({ property: name, keyIndex, node: this.select(to, selection, [...at, name]) });
  }

  /** Children are read later, in one batch for all rows, by the key of the record they hang on. */
  private selectMany(
    from: Position,
    property: EntityProperty,
    selection: Selection,
    node: Node,
    at: readonly string[],
  ): void {
    node.scalars.push({ property: 'id', index: this.column(`${from.alias}."id"`) });
    this.many.push({
      path: at,
      property: property.name,
      entity: property.targetMeta!,
      mappedBy: property.mappedBy,
      selection,
      only: onlyOf(from.entity.class, property.name),
    });
  }
}

/** The property behind a field's name: itself, or the link whose key it is (`idUnidadeMedida`). */
function propertyNamed(entity: EntityMetadata, name: string): EntityProperty | undefined {
  return (
    (entity.properties[name as never] as EntityProperty | undefined) ??
    entity.relations.find(link => linkKey(link.name) === name)
  );
}

function own(entity: EntityMetadata, name: string): EntityProperty {
  const property = propertyNamed(entity, name);
  if (!property) throw new Error(`${entity.className} has no column ${name}`);
  return property;
}

function build(node: Node, row: readonly unknown[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { property, index, convert } of node.scalars)
    record[property] = convert ? convert(row[index]) : row[index];
  for (const { property, keyIndex, node: linked } of node.links)
    record[property] = row[keyIndex] === null ? null : build(linked, row);
  return record;
}

function condition(
  builder: Builder,
  { paths, match, array }: Query['filters'][number],
  parameter: number,
): string {
  const compared = paths.map(path => {
    const { sql, property } = builder.at(path);
    if (array) return `${sql} = any($${parameter})`;
    if (match === 'text') return `fold(${sql}) like contains_pattern($${parameter})`;
    // From the first moment of the day to that of the next, in the session's time zone: a range that an index serves.
    if (match === 'day') return `(${sql} >= $${parameter}::date and ${sql} < $${parameter}::date + 1)`;
    return `${collated(sql, property)} = $${parameter}`;
  });
  return compared.length > 1 ? `(${compared.join(' or ')})` : compared[0]!;
}

/** Text is compared under the collation of its index, Portuguese; equality is the same under any. */
const collated = (sql: string, property: EntityProperty): string =>
  property.type === 'string' ? `${sql} collate "pt_br"` : sql;

function ordering(builder: Builder, orders: Query['orders']): string {
  const terms = orders.map(({ path, direction }) => {
    const { sql, property } = builder.at(path);
    return `${collated(sql, property)} ${direction}`;
  });
  return ` order by ${[...terms, 't."id"'].join(', ')}`;
}

/** Compiles the read of `selection` from the rows of an entity that a query picks. */
export function compile(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  const counted = new Builder(entity);
  const where = whereOf(counted, query);
  const builder = new Builder(entity);
  whereOf(builder, query);
  const node = builder.select({ alias: 't', entity, path: '' }, selection);
  const order = ordering(builder, query.orders);
  const table = `${quote(entity.tableName)} t`;
  return {
    text: `select ${builder.columns.join(', ') || 'null'} from ${table}${builder.joins}${where}${order}${windowOf(query)}`,
    countText: `select count(*) from ${table}${counted.joins}${where}`,
    toRecord: row => build(node, row),
    many: builder.many,
  };
}

function windowOf({ filters, limit, offset }: Query): string {
  if (limit === undefined) return '';
  const next = filters.length + 1;
  const skip = limit === 'parameter' ? next + 1 : next;
  return ` limit ${limit === 'parameter' ? `$${next}` : limit}${offset ? ` offset $${skip}` : ''}`;
}

function whereOf(builder: Builder, query: Query): string {
  const conditions = query.filters.map((filter, i) => condition(builder, filter, i + 1));
  if (query.only) conditions.push(`(${query.only})`);
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}
