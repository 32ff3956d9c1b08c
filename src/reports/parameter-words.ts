import { listOfQuery, type FilterDeclaration, type Match } from '../listing/declaration.ts';
import type { Report } from './report.ts';
import type { Table } from './table.ts';

/** The Portuguese title of a filter: its own, or that of the column. */
export const titleOf = ({ title, paths, argument }: FilterDeclaration, { columns }: Table): string =>
  title ?? columns.find(column => paths.includes(column.path))?.title ?? argument;

const MEANINGS: Readonly<Record<Match, string>> = {
  text: 'contém este texto, sem distinguir acentos e maiúsculas',
  exact: 'é exatamente este valor',
  member: 'tem este valor entre outros',
  day: 'cai neste dia',
  fromDay: 'cai neste dia ou depois',
  untilDay: 'cai neste dia ou antes',
  from: 'é este valor ou mais',
  until: 'é este valor ou menos',
  above: 'é mais do que este valor',
};

/** The descriptions of parameters that many lists and reports have. */
const COMMON: Readonly<Record<string, string>> = {
  pagination: 'Se a lista vem em páginas',
  page: 'Número da página, a partir de 1',
  itemsPerPage: 'Registros em uma página',
  pdf: 'Se o relatório inteiro vem em PDF',
  planilha: 'Se o relatório inteiro vem em planilha',
  formatoPlanilha: 'Tipo da planilha',
  orientacao: 'Posição das páginas do PDF',
};

/** The Portuguese descriptions of a report's parameters, by GraphQL name. */
export function inPortuguese({ field, table }: Report): ReadonlyMap<string, string> {
  const { filters, orders } = listOfQuery(field)!;
  const column = (path: string): string => table.columns.find(one => one.path === path)?.title ?? path;
  return new Map([
    ...Object.entries(COMMON),
    ...filters.map(filter => [filter.argument, filterWords(filter, table)] as const),
    ...orders.map(({ argument, path }) => [argument, `Ordena por “${column(path)}”`] as const),
  ]);
}

const filterWords = (filter: FilterDeclaration, table: Table): string =>
  filter.words ?? `Só onde “${titleOf(filter, table)}” ${MEANINGS[filter.match]}`;
