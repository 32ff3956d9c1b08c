import { Column, type ColumnKind, type ColumnOptions } from '../entities/column.ts';
import type { ListArgs } from '../listing/args.ts';
import { listOf } from '../listing/declaration.ts';
import { list, resource } from '../resolvers/resource.ts';
import { snakeCase } from '../text/names.ts';
import type { Column as TableColumn, Table } from './table.ts';

/** The declaration of a field, and its column in documents. */
type CellOptions = ColumnOptions & Omit<TableColumn, 'path' | 'type'>;

const cells = new Map<object, TableColumn[]>();

function cellsOf(prototype: object): TableColumn[] {
  let known = cells.get(prototype);
  if (!known) cells.set(prototype, (known = []));
  return known;
}

/**
 * Declares a column of a report once: for its GraphQL field, the JSON page and its documents. The columns have the
 * order of their declarations. For a field that documents do not show, such as a key, use `@Column`.
 *
 *     @Cell('integer', { title: 'Quantidade', width: 12, total: true, description: 'Quantity in stock' })
 *     quantidade!: number;
 */
export function Cell(
  kind: Exclude<ColumnKind, 'uuid'>,
  { title, width, align, total, places, under, onlyIfOther, sheetOnly, ...options }: CellOptions,
) {
  return (target: object, property: string): void => {
    Column(kind, options)(target, property);
    const layout = { title, width, align, total, places, under, onlyIfOther, sheetOnly };
    cellsOf(target).push({ ...layout, path: property, type: kind === 'sum' ? 'integer' : kind });
  };
}

/** The columns of a class, after those of the classes that it extends. */
const columnsOf = (prototype: object | null): TableColumn[] =>
  prototype === null
    ? []
    : [...columnsOf(Object.getPrototypeOf(prototype) as object | null), ...(cells.get(prototype) ?? [])];

export interface ReportOptions extends Pick<
  Table,
  'orientation' | 'totalsBy' | 'totalsFromTo' | 'totalsTitle' | 'signedBy'
> {
  /** Identifies the report for clients. It is never reused. */
  id: number;
  /** Below `/relatorios/`. The last part names its files and, in camelCase, its query. */
  path: string;
  /** Portuguese. */
  title: string;
  description: string;
  /** REST names of filters and orderings where they differ, by GraphQL name. */
  spelled?: Readonly<Record<string, string>>;
  /** Whether the specification does not contain the report. */
  beyond?: boolean;
  /** Whether an unknown parameter is an error, because an authority relies on the report. */
  strict?: boolean;
}

export interface Report {
  id: number;
  /** REST path, with its slash. */
  path: string;
  /** Level 1 on this controller is required to run the report, in any format. */
  controller: string;
  /** GraphQL query. */
  field: string;
  spelled: Readonly<Record<string, string>>;
  strict: boolean;
  beyond: boolean;
  table: Table;
}

/** The reports declared so far, by id. */
export const declared = new Map<number, Report>();

/**
 * Declares a report from its row class and its filter class: its query, its path with JSON, PDF and spreadsheets, its
 * row in `relatorios`, and its parameters. Level 1 on the controller with the name of its path is required to run it.
 *
 *     export const SaidaMateriaisResolver = report(SaidaMaterial, SaidaMateriaisArgs, {
 *       id: 8,
 *       path: 'almoxarifado-quimicos/saida-materiais',
 *       title: 'Saída de materiais',
 *       description: 'What left stock for good: consumption and disposal, and their reversals',
 *     });
 *
 * @throws Error for an id that is already used
 */
export function report(
  row: new () => object,
  args: new () => ListArgs,
  {
    id,
    path,
    title,
    description,
    spelled = {},
    strict = false,
    beyond = false,
    orientation = 'portrait',
    ...layout
  }: ReportOptions,
): new () => object {
  const controller = `relatorios/${path}`;
  const name = path.split('/').at(-1)!;
  const field = name.replace(/-./g, ([, letter]) => letter!.toUpperCase());
  if (declared.has(id)) throw new Error(`${name}: the id ${id} belongs to another report`);
  const columns = columnsOf(row.prototype as object);
  const table = { name, title, orientation, columns, ...layout };
  declared.set(id, { id, path: `/${controller}`, controller, field, spelled, strict, beyond, table });
  return resource(row, controller, { [field]: list(args, description) });
}

/** The snake_case names of a report's filters in REST. */
export const snakeFilters = (args: new () => ListArgs): Record<string, string> =>
  Object.fromEntries(listOf(new args()).filters.map(({ argument }) => [argument, snakeCase(argument)]));
