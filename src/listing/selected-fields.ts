import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { sourcesOf, viaOf } from '../entities/computed.ts';
import { manyDeclared } from '../entities/many.ts';
import { propertyNamed, quote, requiredProperty, type Builder, type Position } from './builder.ts';
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

/** A selected field, and how often it appears in the answer. */
interface Field {
  name: string;
  below: Selection;
  times: number;
}

/** Adds the columns and joins of selected fields to a statement. */
export class SelectedFields {
  readonly many: ManyField[] = [];
  /** Paths to the records for which pages of linked records are selected. */
  readonly parents: (readonly string[])[] = [];

  constructor(private readonly builder: Builder) {}

  /** Selects the fields of the record at `at` in the answer. Returns the node that builds the record from a row. */
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
      else if (property) this.selectLink(this.builder.join(from, name), { name, below, times }, node, at);
      // A resolver computes the remaining fields from these columns.
      else
        for (const column of sourcesOf(from.entity.class, name))
          this.selectColumn(from, requiredProperty(from.entity, column), { name: column, times }, node);
    }
    return node;
  }

  private selectVia(from: Position, path: string[], field: Field, node: Node, at: readonly string[]): void {
    const last = path.pop()!;
    const owner = this.builder.along(from, path);
    const property = requiredProperty(owner.entity, last);
    const isKey = last !== property.name;
    if (property.kind === ReferenceKind.SCALAR || isKey) this.selectColumn(owner, property, field, node);
    else this.selectLink(this.builder.join(owner, last), field, node, at);
  }

  private selectColumn(
    from: Position,
    property: EntityProperty,
    { name, times }: Pick<Field, 'name' | 'times'>,
    node: Node,
  ): void {
    const [column] = property.fieldNames;
    const index = this.builder.column(`${from.alias}.${quote(column!)}`);
    const convert = converterOf(property);
    node.scalars.push({ property: name, index, times, ...(convert && { convert }) });
  }

  private selectLink(to: Position, { name, below, times }: Field, node: Node, at: readonly string[]): void {
    const keyIndex = this.builder.column(`${to.alias}."id"`);
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
    node.scalars.push({ property: 'id', index: this.builder.column(`${from.alias}."id"`), times: 0 });
    const { only, through: [through] = [], unless } = manyDeclared(from.entity.class, property.name)!;
    for (const name of unless)
      this.selectColumn(from, requiredProperty(from.entity, name), { name, times: 0 }, node);
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
