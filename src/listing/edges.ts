import { ReferenceKind, type EntityMetadata } from '@mikro-orm/core';
import { manyDeclared } from '../entities/many.ts';
import { propertyNamed, type Builder, type Column, type Position } from './builder.ts';

/** The records of another table that point at a record. */
export interface Edge {
  entity: EntityMetadata;
  /** Path from them to the record. It may begin with a to-many field, such as `docentes.pessoa`. */
  mappedBy: string;
  /** SQL condition on these records, with alias `t`. */
  only?: string | undefined;
}

/**
 * A condition on the column at the end of a path. If the path begins with a to-many field, at least one of its records
 * must meet the condition.
 */
export function onColumn(builder: Builder, path: string, condition: (column: Column) => string): string {
  const [field = '', ...rest] = path.split('.');
  const { root } = builder;
  const many = propertyNamed(root, field);
  if (many?.kind !== ReferenceKind.ONE_TO_MANY) return condition(builder.at(path));
  const edge = {
    entity: many.targetMeta!,
    mappedBy: many.mappedBy,
    only: manyDeclared(root.class, field)!.only,
  };
  return existsBehind(builder, edge, builder.start, inner => onColumn(inner, rest.join('.'), condition));
}

/** The condition that at least one of the records that point at the record at `to` meets `where`. */
export function existsBehind(
  builder: Builder,
  { entity, mappedBy, only }: Edge,
  to: Position,
  condition: (inner: Builder) => string,
): string {
  // Such conditions depend on today's date.
  if (only) builder.untracked(`${entity.className}.${mappedBy} ${only}`);
  const inner = builder.below(entity);
  const meets = condition(inner);
  const belongs = onColumn(inner, mappedBy, ({ sql }) => `${sql} = ${to.alias}."id"`);
  const declared = only ? ` and (${only.replaceAll('t."', `${inner.alias}."`)})` : '';
  return `exists (select from ${inner.source} ${inner.alias}${inner.joins} where ${belongs}${declared} and ${meets})`;
}
