import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { quote } from '../listing/builder.ts';
import { snakeCase } from '../text/names.ts';

/** How a linked record is identified: a staged column, and the SQL expression in `LinkTarget.from` that must equal it. */
interface LinkKey {
  staged: string;
  sought: string;
  /** Whether an empty cell finds the record with an empty value. */
  mayBeEmpty: boolean;
}

interface LinkTarget {
  /** The linked table. */
  table: string;
  /** The linked table with alias `f`, joined with the tables that identify its records. */
  from: string;
  by: readonly LinkKey[];
}

/** A link of the records, found by the values of one or several columns of the file. */
export interface ImportLink extends LinkTarget {
  /** Key column, in the records' table and in the staging table. */
  column: string;
}

/** A to-many link of the records. One cell names all linked records. */
export interface ImportList extends LinkTarget {
  /** Table of the children, with its columns for the record and for the linked record. */
  children: string;
  owner: string;
  column: string;
  /** Staged columns: the values of the cell, and the keys found for them. */
  values: string;
  keys: string;
}

export function propertyOf(entity: EntityMetadata, name: string): EntityProperty {
  const property = entity.properties[name as never] as EntityProperty | undefined;
  if (!property) throw new Error(`${entity.className} has no ${name}`);
  return property;
}

export const fieldOf = (entity: EntityMetadata, name: string): string =>
  propertyOf(entity, name).fieldNames[0]!;

const isList = (entity: EntityMetadata, path: string): boolean => {
  const { mappedBy } = propertyOf(entity, path.split('.')[0]!);
  return mappedBy !== undefined;
};

/** The property at the end of a path of links, and its entity. */
export function endOf(
  entity: EntityMetadata,
  path: string,
): { owner: EntityMetadata; property: EntityProperty } {
  const [name = '', ...further] = path.split('.');
  const property = propertyOf(entity, name);
  return further.length > 0 ? endOf(property.targetMeta!, further.join('.')) : { owner: entity, property };
}

/**
 * Header of a column: `plano_ensino_curso_codigo` for `planoEnsino.curso.codigo`; the link's name for a to-many link.
 */
export const headerOf = (entity: EntityMetadata, path: string): string =>
  (isList(entity, path) ? path.split('.').slice(0, 1) : path.split('.')).map(snakeCase).join('_');

/** How a path finds records of a table: joins from alias `f`, and the column to compare. */
function pathOf(
  linked: EntityMetadata,
  path: readonly string[],
  alias = 'f',
): { joins: string[]; sought: string } {
  const [name = '', ...further] = path;
  const column = `${alias}.${quote(fieldOf(linked, name))}`;
  if (further.length === 0) return { joins: [], sought: column };
  const { targetMeta } = propertyOf(linked, name);
  const next = `${alias}_${snakeCase(name)}`;
  const { joins, sought } = pathOf(targetMeta!, further, next);
  return {
    joins: [`join ${quote(targetMeta!.tableName)} ${next} on ${next}.id = ${column}`, ...joins],
    sought,
  };
}

function linkedBy(
  entity: EntityMetadata,
  linked: EntityMetadata,
  paths: readonly string[],
  depth: number,
  mayBeEmpty: readonly string[] = [],
): LinkTarget {
  const found = paths.map(path => ({ path, ...pathOf(linked, path.split('.').slice(depth)) }));
  const joins = new Set(found.flatMap(one => one.joins));
  return {
    table: linked.tableName,
    from: [`${quote(linked.tableName)} f`, ...joins].join(' '),
    by: found.map(({ path, sought }) => ({
      staged: headerOf(entity, path),
      sought,
      mayBeEmpty: mayBeEmpty.includes(path),
    })),
  };
}

/** The to-one links on these paths. */
export function linksOf(
  entity: EntityMetadata,
  paths: readonly string[],
  mayBeEmpty: readonly string[],
): ImportLink[] {
  const along = paths.filter(path => path.includes('.') && !isList(entity, path));
  return [...new Set(along.map(path => path.split('.')[0]!))].map(name => {
    const { fieldNames, targetMeta } = propertyOf(entity, name);
    const own = along.filter(path => path.startsWith(`${name}.`));
    return { column: fieldNames[0]!, ...linkedBy(entity, targetMeta!, own, 1, mayBeEmpty) };
  });
}

/** The to-many links on these paths. */
export const listsOf = (entity: EntityMetadata, paths: readonly string[]): ImportList[] =>
  paths
    .filter(path => isList(entity, path))
    .map(path => {
      const [name = '', link = ''] = path.split('.');
      const { mappedBy, targetMeta: children } = propertyOf(entity, name);
      const { targetMeta: linked, fieldNames } = propertyOf(children!, link);
      return {
        ...linkedBy(entity, linked!, [path], 2),
        children: children!.tableName,
        owner: fieldOf(children!, mappedBy),
        column: fieldNames[0]!,
        values: snakeCase(name),
        keys: `${snakeCase(name)}_ids`,
      };
    });
