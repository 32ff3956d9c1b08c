import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { foldedOf, isUnaudited, linkKey } from '../entities/column.ts';

/** A joined table. `path` lists the links that lead to it, each followed by a dot. */
export interface Position {
  alias: string;
  entity: EntityMetadata;
  path: string;
}

/** Text is compared under the Portuguese collation of its index. Equality does not depend on the collation. */
export const collated = (sql: string, property: EntityProperty): string =>
  property.type === 'string' ? `${sql} collate "pt_br"` : sql;

/** A column of an entity's rows or of a linked table. */
export interface Column {
  sql: string;
  /** Its folded text. */
  folded: string;
  /** Whether its folded text is stored, with an index. */
  isIndexed: boolean;
  property: EntityProperty;
  /** Whether the path to it follows a link. */
  isLinked: boolean;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * How a text search compares:
 * - `planned`: PostgreSQL plans for the text, and knows how many rows it matches. The statement wants only the first
 *   ones, and with few matches another plan finds them sooner.
 * - `all`: an index finds all rows that may match, and each of them is compared. Plans hardly differ then, and
 *   PostgreSQL soon plans without the text. It evaluates a subselect once, but a function for each row.
 * - `each`: each row is compared, without an index for texts.
 */
type Searching = 'planned' | 'all' | 'each';

/** Collects the joins and columns of a statement. A link is joined once, when it is first needed. */
export class Builder {
  readonly columns: string[] = [];
  readonly #columns = new Map<string, number>();
  readonly #joins = new Map<string, { alias: string; sql: string; entity: EntityMetadata }>();
  readonly #inner: Builder[] = [];
  readonly #untracked = new Set<string>();
  /** Whether it builds a subquery on linked records. */
  #isBelow = false;

  constructor(
    readonly root: EntityMetadata,
    /** Alias of the entity's table. The aliases of joined tables begin with it. */
    readonly alias = 't',
    private readonly searching: Searching = 'planned',
  ) {}

  /** A builder for a statement that finds all matching rows, and not only the first ones of an order. */
  static findingAll(entity: EntityMetadata): Builder {
    return new Builder(entity, undefined, 'all');
  }

  /** A builder for a statement that reads all rows in their order, and compares each. */
  static scanning(entity: EntityMetadata): Builder {
    return new Builder(entity, undefined, 'each');
  }

  /** The entity's table. */
  get start(): Position {
    return { alias: this.alias, entity: this.root, path: '' };
  }

  /** The table, or the expression of a virtual entity as a subquery. */
  get source(): string {
    const { expression, tableName } = this.root;
    return expression ? `(${textOf(expression)})` : quote(tableName);
  }

  /** Marks the result as dependent on data that the audit trail does not record, so that totals are not cached. */
  untracked(name: string): void {
    this.#untracked.add(name);
  }

  /** A builder for a subquery on another entity, whose aliases differ from all others. */
  below(entity: EntityMetadata): Builder {
    const within = this.searching === 'each' ? 'all' : this.searching;
    const inner = new Builder(entity, `${this.alias}_${this.#inner.length}_`, within);
    inner.#isBelow = true;
    this.#inner.push(inner);
    return inner;
  }

  /**
   * SQL condition: the folded text of a column contains the text in a parameter, or begins with it.
   *
   * PostgreSQL does not know the text, and expects one match in a small linked table. It would then compute the rows of a
   * virtual entity anew for each match. `coalesce` keeps the outer join, which begins with these rows.
   */
  searches(column: Column, parameter: string, at: 'anywhere' | 'start' = 'anywhere'): string {
    const found = this.#searches(column, parameter, at);
    return column.isLinked && this.root.expression ? `coalesce(${found}, false)` : found;
  }

  /**
   * SQL condition: a row does not meet a condition, whose result may be null. `not null` would be null, so that neither a
   * condition nor its complement would match.
   *
   * PostgreSQL estimates `is not true` by what it knows of the condition. If that is nothing, it may expect almost no rows, and
   * compare each record with all linked ones. So in a subquery the condition has a form of which it always expects half.
   */
  missing(condition: string): string {
    return this.#isBelow ? `not coalesce(${condition}, false)` : `(${condition}) is not true`;
  }

  #searches({ folded, isIndexed }: Column, parameter: string, at: 'anywhere' | 'start'): string {
    const place = `strpos(${folded}, (select fold(${parameter})))`;
    // PostgreSQL expects a third of the rows of `>`, and of `like` and `=` almost none: it would begin with a small table
    // within a report, and compute the report's rows anew for each match.
    const compared = at === 'start' ? `(${place} = 1)::int > 0` : `${place} > 0`;
    if (this.searching === 'each' || !isIndexed) return compared;
    const contains = `contains_pattern(${parameter})`;
    // The pattern without its first wildcard.
    const pattern = at === 'start' ? `substr(${contains}, 2)` : contains;
    if (this.searching === 'planned') return `${folded} like ${pattern}`;
    if (at === 'start') return `${folded} like (select ${pattern})`;
    return `(${folded} like (select indexed_pattern(${parameter})) and ${compared})`;
  }

  get joins(): string {
    return [...this.#joins.values()].map(join => join.sql).join('');
  }

  /**
   * All tables of the statement and its subqueries. Data that the audit trail does not record is listed under a name
   * that is not a table.
   */
  get tables(): string[] {
    const joined = [...this.#joins.values()].map(join => join.entity.tableName);
    const inner = this.#inner.flatMap(({ tables }) => tables);
    return [...new Set([this.root.tableName, ...joined, ...inner, ...this.#untracked])];
  }

  /** Index of a column in the row. The same column is selected only once. */
  column(sql: string): number {
    const known = this.#columns.get(sql);
    if (known !== undefined) return known;
    const index = this.columns.push(`${sql} c${this.columns.length}`) - 1;
    this.#columns.set(sql, index);
    return index;
  }

  /** The column at the end of a path such as `tipoControle.descricao`. */
  at(path: string): Column {
    const links = path.split('.');
    const last = links.pop()!;
    const at = this.along(this.start, links);
    const property = requiredProperty(at.entity, last);
    if (isUnaudited(at.entity.class, last)) this.untracked(`${at.entity.tableName}.${last}`);
    const sql = `${at.alias}.${quote(property.fieldNames[0]!)}`;
    const stored = propertyNamed(at.entity, foldedOf(last));
    const folded = stored ? `${at.alias}.${quote(stored.fieldNames[0]!)}` : `fold(${sql})`;
    return { sql, folded, isIndexed: stored !== undefined, property, isLinked: links.length > 0 };
  }

  /** The column at the end of a path, as an order compares it, and whether it may be null. */
  ordered(path: string): { sql: string; isNullable: boolean } {
    const { sql, property } = this.at(path);
    return { sql: collated(sql, property), isNullable: path.includes('.') || property.nullable === true };
  }

  join(from: Position, link: string): Position {
    const path = `${from.path}${link}.`;
    const property = requiredProperty(from.entity, link);
    let joined = this.#joins.get(path);
    if (!joined) {
      const alias = `${this.alias}${this.#joins.size + 1}`;
      const entity = property.targetMeta!;
      const on = `${alias}."id" = ${from.alias}.${quote(property.fieldNames[0]!)}`;
      joined = { alias, entity, sql: ` left join ${quote(entity.tableName)} ${alias} on ${on}` };
      this.#joins.set(path, joined);
    }
    return { alias: joined.alias, entity: joined.entity, path };
  }

  /** The table at the end of a path of links; joins the links. */
  along(from: Position, links: readonly string[]): Position {
    return links.reduce((at, link) => this.join(at, link), from);
  }
}

/** The SQL of a virtual entity. */
export const textOf = (expression: NonNullable<EntityMetadata['expression']>): string =>
  typeof expression === 'string' ? expression : (expression as () => string)();

/** The property of a field. The name may also be that of a link's key (`idUnidadeMedida`). */
export function propertyNamed(entity: EntityMetadata, name: string): EntityProperty | undefined {
  return (
    (entity.properties[name as never] as EntityProperty | undefined) ??
    entity.relations.find(link => linkKey(link.name) === name)
  );
}

/** The property of a name, like `propertyNamed`. @throws Error for an unknown name */
export function requiredProperty(entity: EntityMetadata, name: string): EntityProperty {
  const property = propertyNamed(entity, name);
  if (!property) throw new Error(`${entity.className} has no column ${name}`);
  return property;
}
