import { Column, type ColumnKind, type ColumnOptions } from '../entities/column.ts';
import { listOf, type ListArgs } from '../listing/args.ts';
import { list, resource } from '../resolvers/resource.ts';
import { snakeCase } from '../text/names.ts';
import type { Align, Column as TableColumn, Orientation, Table } from './table.ts';

interface CellOptions extends ColumnOptions {
  /** Portuguese heading. */
  title: string;
  /** In characters. */
  width?: number;
  align?: Align;
  /** Whether documents end with its sum. */
  total?: true;
}

const cells = new Map<object, TableColumn[]>();

function cellsOf(prototype: object): TableColumn[] {
  let known = cells.get(prototype);
  if (!known) cells.set(prototype, (known = []));
  return known;
}

/**
 * A column of a report: one declaration for the GraphQL field, the JSON page and the column of its documents, which
 * stand there in the order of their declaration. What only JSON shows, such as a key, is a plain `@Column`.
 */
export function Cell(kind: ColumnKind, { title, width, align, total, ...options }: CellOptions) {
  return (target: object, property: string): void => {
    Column(kind, options)(target, property);
    cellsOf(target).push({
      title,
      path: property,
      type: kind === 'sum' ? 'integer' : kind,
      ...(width && { width }),
      ...(align && { align }),
      ...(total && { total }),
    });
  };
}

/** The columns that a class declares, after those of the classes that it extends. */
const columnsOf = (prototype: object | null): TableColumn[] =>
  prototype === null
    ? []
    : [...columnsOf(Object.getPrototypeOf(prototype) as object | null), ...(cells.get(prototype) ?? [])];

export interface ReportOptions {
  /** By which clients know it; never given to another. */
  id: number;
  /** Below `/relatorios/`: the last part names its files and, in camelCase, its query. */
  path: string;
  /** Portuguese. */
  title: string;
  description: string;
  orientation?: Orientation;
  /** Columns by whose values sums are told apart. */
  totalsBy?: readonly string[];
  /** Filters and orderings that REST spells otherwise, by their GraphQL names. */
  spelled?: Readonly<Record<string, string>>;
  /** Whether a parameter that it does not know is refused, since an authority reads what it says. */
  strict?: boolean;
}

export interface Report {
  id: number;
  /** REST path, with its slash. */
  path: string;
  /** The controller on which level 1 allows to run it, in any form. */
  controller: string;
  /** GraphQL query. */
  field: string;
  spelled: Readonly<Record<string, string>>;
  strict: boolean;
  table: Table;
}

/** The reports that were declared so far, by their ids. */
export const declared = new Map<number, Report>();

/**
 * A report, from the class of its rows and that of its filters: its query, its path with JSON, PDF and spreadsheets, its
 * row in `relatorios` and its parameters. Whoever may read on the controller named like its path may run it.
 * @throws Error for an id that is taken
 */
export function report(
  row: new () => object,
  args: new () => ListArgs,
  {
    id,
    path,
    title,
    description,
    orientation = 'portrait',
    totalsBy,
    spelled = {},
    strict = false,
  }: ReportOptions,
): new () => object {
  const controller = `relatorios/${path}`;
  const name = path.split('/').at(-1)!;
  const field = name.replace(/-./g, ([, letter]) => letter!.toUpperCase());
  if (declared.has(id)) throw new Error(`${name}: the id ${id} is another report's`);
  const columns = columnsOf(row.prototype as object);
  const table = { name, title, orientation, columns, ...(totalsBy && { totalsBy }) };
  declared.set(id, { id, path: `/${controller}`, controller, field, spelled, strict, table });
  return resource(row, controller, { [field]: list(args, description) });
}

/** The filters of a report, which REST spells in snake_case. */
export const snakeFilters = (args: new () => ListArgs): Record<string, string> =>
  Object.fromEntries(listOf(new args()).filters.map(({ argument }) => [argument, snakeCase(argument)]));
