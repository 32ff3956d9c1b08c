import { ReferenceKind, type EntityMetadata, type MetadataStorage } from '@mikro-orm/core';
import { declaredOf } from '../entities/column.ts';
import { formatOf, several, type Format, type Value } from './formats.ts';
import type { EnteredRecords, Importable, Rule } from './importable.ts';
import { said, unreadable, wrong } from './messages.ts';
import { endOf, fieldOf, headerOf, linksOf, listsOf, propertyOf } from './links.ts';
import type { ImportLink, ImportList } from './links.ts';
import { Unimportable } from './problems.ts';

/** One column of a file. */
export interface ImportColumn {
  header: string;
  format: Format;
  /** Whether every row must have a value. */
  required: boolean;
  /** Value of an empty cell. */
  empty: Value | null;
  /** Name and SQL type of its staging column. */
  staged: string;
  type: string;
}

/** How the rows of a file with these headers become records. */
export interface ImportPlan {
  table: string;
  /** In the order of the file. */
  columns: readonly ImportColumn[];
  /** Columns of the key, and columns outside the table, that the file omits. They count as empty in every row. */
  absent: readonly ImportColumn[];
  links: readonly ImportLink[];
  lists: readonly ImportList[];
  /** Columns of the table that are written. */
  written: readonly string[];
  /** The columns that identify a record, and those of them that may be empty. */
  key: readonly string[];
  mayBeEmpty: readonly string[];
  /** Further column sets that must be unique. */
  uniques: readonly (readonly string[])[];
  /** The rules that concern these columns. */
  rules: readonly Rule[];
  /** SQL conditions: whether columns outside the table change something. */
  changes: readonly string[];
  entered: EnteredRecords | undefined;
  prepare: string | undefined;
  settle: string | undefined;
}

/** All columns that a file of this kind may have. */
export function columnsOf(metadata: MetadataStorage, importable: Importable): ImportColumn[] {
  const entity = metadata.get(importable.entity);
  const beside = Object.entries(importable.beside).map(([header, { format }]) => ({
    header,
    format,
    required: false,
    empty: null,
    staged: header,
    type: 'text',
  }));
  return [...importable.columns.map(path => columnOf(entity, path, importable)), ...beside];
}

function columnOf(
  entity: EntityMetadata,
  path: string,
  { key, formats, headers, mayBeEmpty, entered }: Importable,
): ImportColumn {
  const [name = ''] = path.split('.');
  const own = propertyOf(entity, name);
  const { owner, property } = endOf(entity, path);
  const isList = own.kind === ReferenceKind.ONE_TO_MANY;
  const isOwn = property === own;
  const header = headers[path] ?? headerOf(entity, path);
  // Records that are not written as rows have no column defaults.
  const byDefault = isOwn && !entered ? (own.default as Value | undefined) : undefined;
  const choices = declaredOf(owner.class, property.name)?.oneOf;
  const one = formats[path] ?? formatOf(property, { choices, isKey: key.includes(path) });
  return {
    header,
    format: isList ? several(one) : one,
    required:
      !mayBeEmpty.includes(path) &&
      (key.includes(name) || (!isList && !own.nullable && byDefault === undefined)),
    empty: isList ? [] : own.nullable ? null : (byDefault ?? null),
    staged: isOwn ? property.fieldNames[0]! : header,
    type: property.columnTypes[0]! + (isList ? '[]' : ''),
  };
}

/**
 * The plan for a file with these headers.
 * @throws Unimportable that names every repeated or missing header, and the unknown ones by the number of their column:
 * in a file without headers these are values of its first record
 */
export function planImport(
  metadata: MetadataStorage,
  importable: Importable,
  headers: readonly string[],
): ImportPlan {
  const entity = metadata.get(importable.entity);
  const known = new Map(columnsOf(metadata, importable).map(column => [column.header, column]));
  checkHeaders(headers, known, importable);
  const { mayBeEmpty } = importable;
  const beside = Object.keys(importable.beside);
  const absent = [...mayBeEmpty.map(path => headerOf(entity, path)), ...beside].filter(
    header => !headers.includes(header),
  );
  const all = new Set([...headers, ...absent]);
  const paths = importable.columns.filter(path =>
    all.has(importable.headers[path] ?? headerOf(entity, path)),
  );
  const links = linksOf(entity, paths, mayBeEmpty);
  const plain = paths.filter(path => !path.includes('.')).map(path => fieldOf(entity, path));
  const written = [...plain, ...links.map(link => link.column)];
  const key = importable.key.map(name => fieldOf(entity, name));
  const lists = listsOf(entity, paths);
  const checked = new Set([...written, ...lists.map(({ values }) => values)]);
  const given = (columns: readonly string[]): boolean => columns.every(column => checked.has(column));
  return {
    table: entity.tableName,
    columns: headers.map(header => known.get(header)!),
    absent: absent.map(header => known.get(header)!),
    links,
    lists,
    written,
    key,
    mayBeEmpty: mayBeEmpty.filter(path => !path.includes('.')).map(path => fieldOf(entity, path)),
    uniques: uniquesOf(entity).filter(columns => columns.join() !== key.join() && given(columns)),
    rules: importable.rules.filter(({ columns }) =>
      given(columns.filter(column => !beside.includes(column) || !headers.includes(column))),
    ),
    changes: Object.values(importable.beside).map(({ changes }) => changes),
    entered: importable.entered,
    prepare: importable.prepare,
    settle: importable.settle,
  };
}

function checkHeaders(
  headers: readonly string[],
  known: ReadonlyMap<string, ImportColumn>,
  { name }: Importable,
): void {
  const unknown = headers.flatMap((header, i) => (known.has(header) ? [] : [{ header, column: i + 1 }]));
  const problems = [
    ...unknown.map(({ header, column }) =>
      header === '' ? unreadable.headless(column) : unreadable.unknownHeader(column),
    ),
    ...headers.filter((header, i) => known.has(header) && headers.indexOf(header) < i).map(unreadable.twice),
    ...[...known.values()]
      .filter(column => column.required && !headers.includes(column.header))
      .map(column => unreadable.missing(column.header)),
  ];
  if (problems.length > 0)
    throw new Unimportable(
      unreadable.headers(problems, name, describeColumns([...known.values()])),
      unknown.map(({ header, column }) => ({
        row: 1,
        field: `column ${column}`,
        found: header,
        wrong: header === '' ? wrong.headless : wrong.unknownColumn,
        expected: said.column(name),
      })),
    );
}

/** Headers in one line; required ones have a star. */
export const describeColumns = (columns: readonly ImportColumn[]): string =>
  columns.map(({ header, required }) => header + (required ? '*' : '')).join(', ');

/** The column sets that must be unique. */
function uniquesOf(entity: EntityMetadata): string[][] {
  const single = entity.props
    .filter(property => property.unique && property.kind !== ReferenceKind.ONE_TO_MANY)
    .map(property => [property.fieldNames[0]!]);
  const together = entity.uniques.map(({ properties }) =>
    [properties ?? []].flat().map(name => fieldOf(entity, name)),
  );
  return [...single, ...together];
}
