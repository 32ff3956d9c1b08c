import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { foldedOf, isUnaudited, linkKey } from '../entities/column.ts';
import { sourcesOf, viaOf } from '../entities/computed.ts';
import { manyDeclared } from '../entities/many.ts';
import { BRACES, converterOf, type Node } from './node.ts';
import { hasPages, shownAs, type Selection } from './selection.ts';

/** A selected to-many field: the records whose link `mappedBy` points at the record at the end of `path`. */
export interface ManyField {
  path: readonly string[];
  property: string;
  entity: EntityMetadata;
  mappedBy: string;
  selection: Selection;
  /** SQL condition on the children. */
  only: string | undefined;
  /** If given, the field shows the target of this link instead of the child itself. */
  through: string | undefined;
  /** Columns of the parent: if all of them are 0 or `N`, it has no children. */
  unless: readonly string[];
  /** How often the field appears in the answer. */
  times: number;
}

/** A joined table. `path` lists the links that lead to it, each followed by a dot. */
export interface Position {
  alias: string;
  entity: EntityMetadata;
  path: string;
}

/** A selected field, and how often it appears in the answer. */
interface Field {
  name: string;
  below: Selection;
  times: number;
}

/** Text is compared under the Portuguese collation of its index. Equality does not depend on the collation. */
export const collated = (sql: string, property: EntityProperty): string =>
  property.type === 'string' ? `${sql} collate "pt_br"` : sql;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Collects joins and columns while fields are walked. A link is joined once, when it is first needed. */
export class Builder {
  readonly columns: string[] = [];
  readonly many: ManyField[] = [];
  /** Paths to the records for which pages of linked records are selected. */
  readonly parents: (readonly string[])[] = [];
  readonly #columns = new Map<string, number>();
  readonly #joins = new Map<string, { alias: string; sql: string; entity: EntityMetadata }>();
  readonly #inner: Builder[] = [];
  readonly #untracked = new Set<string>();

  constructor(
    readonly root: EntityMetadata,
    /** Alias of the entity's table. The aliases of joined tables begin with it. */
    readonly alias = 't',
  ) {}

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
    const inner = new Builder(entity, `${this.alias}_${this.#inner.length}_`);
    this.#inner.push(inner);
    return inner;
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

  /** The column at the end of a path such as `tipoControle.descricao`, and its folded text. */
  at(path: string): { sql: string; folded: string; property: EntityProperty } {
    const links = path.split('.');
    const last = links.pop()!;
    const at = this.along(this.start, links);
    const property = own(at.entity, last);
    if (isUnaudited(at.entity.class, last)) this.untracked(`${at.entity.tableName}.${last}`);
    const sql = `${at.alias}.${quote(property.fieldNames[0]!)}`;
    const stored = propertyNamed(at.entity, foldedOf(last));
    const folded = stored ? `${at.alias}.${quote(stored.fieldNames[0]!)}` : `fold(${sql})`;
    return { sql, folded, property };
  }

  /** The column at the end of a path, as an order compares it, and whether it may be null. */
  ordered(path: string): { sql: string; isNullable: boolean } {
    const { sql, property } = this.at(path);
    return { sql: collated(sql, property), isNullable: path.includes('.') || property.nullable === true };
  }

  join(from: Position, link: string): Position {
    const path = `${from.path}${link}.`;
    const property = own(from.entity, link);
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

  /** Selects the fields of the record at `at` in the answer. Returns the node that builds it. */
  select(from: Position, selection: Selection, at: readonly string[] = []): Node {
    const node: Node = { scalars: [], links: [], bytes: BRACES };
    if (hasPages(selection)) this.parents.push(at);
    for (const [name, below] of Object.entries(selection)) {
      const { times, bytes } = shownAs(selection, name);
      node.bytes += bytes;
      const via = viaOf(from.entity.class, name);
      const property = propertyNamed(from.entity, name);
      if (via) this.selectVia(from, via.split('.'), { name, below, times }, node, at);
      else if (property?.kind === ReferenceKind.ONE_TO_MANY)
        this.selectMany(from, property, { below, times }, node, at);
      else if (property?.kind === ReferenceKind.SCALAR || (property && name !== property.name))
        this.selectColumn(from, property, { name, times }, node);
      else if (property) this.selectLink(this.join(from, name), { name, below, times }, node, at);
      // A resolver computes the remaining fields from these columns.
      else
        for (const column of sourcesOf(from.entity.class, name))
          this.selectColumn(from, own(from.entity, column), { name: column, times }, node);
    }
    return node;
  }

  private selectVia(from: Position, path: string[], field: Field, node: Node, at: readonly string[]): void {
    const last = path.pop()!;
    const owner = this.along(from, path);
    const property = own(owner.entity, last);
    const isKey = last !== property.name;
    if (property.kind === ReferenceKind.SCALAR || isKey) this.selectColumn(owner, property, field, node);
    else this.selectLink(this.join(owner, last), field, node, at);
  }

  private selectColumn(
    from: Position,
    property: EntityProperty,
    { name, times }: Pick<Field, 'name' | 'times'>,
    node: Node,
  ): void {
    const [column] = property.fieldNames;
    const index = this.column(`${from.alias}.${quote(column!)}`);
    const convert = converterOf(property);
    node.scalars.push({ property: name, index, times, ...(convert && { convert }) });
  }

  private selectLink(to: Position, { name, below, times }: Field, node: Node, at: readonly string[]): void {
    const keyIndex = this.column(`${to.alias}."id"`);
    node.links.push({ property: name, keyIndex, times, node: this.select(to, below, [...at, name]) });
  }

  /** A later statement reads the children of all rows, by the parent's key. */
  private selectMany(
    from: Position,
    property: EntityProperty,
    { below, times }: Pick<Field, 'below' | 'times'>,
    node: Node,
    at: readonly string[],
  ): void {
    node.scalars.push({ property: 'id', index: this.column(`${from.alias}."id"`), times: 0 });
    const { only, through: [through] = [], unless } = manyDeclared(from.entity.class, property.name)!;
    for (const name of unless) this.selectColumn(from, own(from.entity, name), { name, times: 0 }, node);
    this.many.push({
      path: at,
      property: property.name,
      entity: property.targetMeta!,
      mappedBy: property.mappedBy,
      selection: through ? { [through]: below } : below,
      only,
      through,
      unless,
      times,
    });
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

function own(entity: EntityMetadata, name: string): EntityProperty {
  const property = propertyNamed(entity, name);
  if (!property) throw new Error(`${entity.className} has no column ${name}`);
  return property;
}
