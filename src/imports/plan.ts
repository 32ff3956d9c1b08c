import {
  ReferenceKind,
  type EntityMetadata,
  type EntityProperty,
  type MetadataStorage,
} from '@mikro-orm/core';
import { choicesOf } from '../entities/column.ts';
import { OperatorError } from '../operator-error.ts';
import { snakeCase } from '../rest/names.ts';
import { formatOf, type Format, type Value } from './formats.ts';
import type { Importable } from './importable.ts';

/** One column of a file. */
export interface ImportColumn {
  header: string;
  format: Format;
  /** Whether every row must have a value. */
  required: boolean;
  /** What an empty cell stands for. */
  empty: Value | null;
  /** Name and SQL type of the column in which its values are staged. */
  staged: string;
  type: string;
}

/** A link of the records, found by the values of one or several columns of the file. */
interface ImportLink {
  /** Column of the key, in the records' table and in the staging table. */
  column: string;
  table: string;
  /** What is looked for: a staged column, and the column of the linked table that must equal it. */
  by: { staged: string; column: string }[];
}

/** How the rows of a file with these headers become records. */
export interface ImportPlan {
  table: string;
  /** In the order of the file. */
  columns: readonly ImportColumn[];
  links: readonly ImportLink[];
  /** Columns of the table that are written. */
  written: readonly string[];
  /** The columns by which a record is known. */
  key: readonly string[];
  /** Further columns whose values together no two records share. */
  uniques: readonly (readonly string[])[];
}

/** Every column that files of this kind may have. */
export function columnsOf(metadata: MetadataStorage, importable: Importable): ImportColumn[] {
  const entity = metadata.get(importable.entity);
  return importable.columns.map(path => columnOf(entity, path, importable));
}

function columnOf(entity: EntityMetadata, path: string, { key, formats }: Importable): ImportColumn {
  const [name = '', ofLink] = path.split('.');
  const own = propertyOf(entity, name);
  const owner = ofLink === undefined ? entity : own.targetMeta!;
  const property = ofLink === undefined ? own : propertyOf(owner, ofLink);
  const header = path.split('.').map(snakeCase).join('_');
  const byDefault = ofLink === undefined ? (own.default as Value | undefined) : undefined;
  return {
    header,
    format: formats[path] ?? formatOf(property, choicesOf(owner.class, property.name)),
    required: key.includes(name) || (!own.nullable && byDefault === undefined),
    empty: own.nullable ? null : (byDefault ?? null),
    staged: ofLink === undefined ? property.fieldNames[0]! : header,
    type: property.columnTypes[0]!,
  };
}

function propertyOf(entity: EntityMetadata, name: string): EntityProperty {
  const property = entity.properties[name as never] as EntityProperty | undefined;
  if (!property) throw new Error(`${entity.className} has no ${name}`);
  return property;
}

/**
 * The plan for a file with these headers.
 * @throws OperatorError that names every header which is unknown, repeated or missing
 */
export function planImport(
  metadata: MetadataStorage,
  importable: Importable,
  headers: readonly string[],
): ImportPlan {
  const entity = metadata.get(importable.entity);
  const known = new Map(columnsOf(metadata, importable).map(column => [column.header, column]));
  checkHeaders(headers, known, importable);
  const given = (path: string): boolean => headers.includes(columnOf(entity, path, importable).header);
  const paths = importable.columns.filter(given);
  const links = linksOf(entity, paths);
  const plain = paths
    .filter(path => !path.includes('.'))
    .map(path => propertyOf(entity, path).fieldNames[0]!);
  const written = [...plain, ...links.map(link => link.column)];
  const key = importable.key.map(name => propertyOf(entity, name).fieldNames[0]!);
  return {
    table: entity.tableName,
    columns: headers.map(header => known.get(header)!),
    links,
    written,
    key,
    uniques: uniquesOf(entity).filter(
      columns => columns.join() !== key.join() && columns.every(column => written.includes(column)),
    ),
  };
}

function checkHeaders(
  headers: readonly string[],
  known: ReadonlyMap<string, ImportColumn>,
  { name }: Importable,
): void {
  const problems = [
    ...headers.filter(header => !known.has(header)).map(header => `"${header}" cannot be imported`),
    ...headers.filter((header, i) => headers.indexOf(header) < i).map(header => `"${header}" stands twice`),
    ...[...known.values()]
      .filter(column => column.required && !headers.includes(column.header))
      .map(column => `"${column.header}" is missing`),
  ];
  if (problems.length > 0)
    throw new OperatorError(
      `Nothing was imported. The columns in row 1 of the file are wrong:\n${problems.map(problem => `  ${problem}\n`).join('')}` +
        `Columns of ${name}: ${describeColumns([...known.values()])}`,
    );
}

/** Headers in one line, those that must be there with a star. */
export const describeColumns = (columns: readonly ImportColumn[]): string =>
  columns.map(({ header, required }) => header + (required ? '*' : '')).join(', ');

function linksOf(entity: EntityMetadata, paths: readonly string[]): ImportLink[] {
  const links = new Map<string, ImportLink>();
  for (const [name, ofLink] of paths.map(path => path.split('.') as [string, string?])) {
    if (ofLink === undefined) continue;
    const property = propertyOf(entity, name);
    const linked = property.targetMeta!;
    const link = links.get(name) ?? { column: property.fieldNames[0]!, table: linked.tableName, by: [] };
    const staged = `${snakeCase(name)}_${snakeCase(ofLink)}`;
    link.by.push({ staged, column: propertyOf(linked, ofLink).fieldNames[0]! });
    links.set(name, link);
  }
  return [...links.values()];
}

/** What must be unique, as columns: by a property alone, or by several. */
function uniquesOf(entity: EntityMetadata): string[][] {
  const single = entity.props
    .filter(property => property.unique && property.kind !== ReferenceKind.ONE_TO_MANY)
    .map(property => [property.fieldNames[0]!]);
  const several = entity.uniques.map(({ properties }) =>
    [properties ?? []].flat().map(name => propertyOf(entity, name).fieldNames[0]!),
  );
  return [...single, ...several];
}
