import type { TemplateName } from '../reports/pdf/templates.ts';
import type { Response } from 'express';
import type { Table } from '../reports/table.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the specification, and the GraphQL field that answers it. */
export interface Route {
  method: Method;
  /** As specified: `/almoxarifadoquimicos/materiais/{id}`. */
  path: string;
  /** The query or mutation. */
  field: string;
  /** Arguments that the specification spells otherwise: `{ orderByUnidadeMedida: 'OrderByUnidadeMedida' }`. */
  spelled?: Readonly<Record<string, string>>;
  /** Body fields that the specification requires though GraphQL does not, by their GraphQL names. */
  required?: readonly string[];
  /** Fields that only show when a parameter asks for them, by their GraphQL names: `{ lote: 'comLote' }`. */
  shownOn?: Readonly<Record<string, string>>;
  /** Fields of its records that it never shows, by their GraphQL names. */
  omits?: readonly string[];
  /** What it leaves out instead when a parameter is true; of several that are, the first counts. */
  omitsOn?: Readonly<Record<string, readonly string[]>>;
  /** Body field that is a file in base64, larger than other bodies may be. */
  receives?: string;
  /** Answers a client that prefers `application/octet-stream`, given the arguments. */
  streams?: (res: Response, args: Record<string, unknown>) => Promise<void>;
  /** Fields that answer instead when a parameter is true: `{ rejeitar: 'rejeitarMovimentacao' }`. */
  turns?: Readonly<Record<string, string>>;
  /** Arguments that count only when this parameter is true: `{ idResponsavel: 'trazerTecnicos' }`. */
  onlyWith?: Readonly<Record<string, string>>;
  /** Arguments that stand in the query though the method takes a body, by their GraphQL names. */
  query?: readonly string[];
  /** Whether it looks at a password or code, of which only so many may be tried. */
  throttled?: boolean;
  /** Body fields that must be given, though they may be null. */
  present?: readonly string[];
  /** What `export=true` sends of the list. */
  exports?: Table;
  /** What `pdf=true` and `planilha=true` send of the list, which is a report. */
  report?: Table;
  /** Whether a query parameter that it does not know is an error. */
  strict?: boolean;
  /** The document that it sends of its record, instead of JSON. */
  document?: TemplateName;
  /** Headers that it takes beside those of every operation, with what they are for. */
  headers?: Readonly<Record<string, string>>;
  /** Status of success when it is neither 201 for a creation nor 200. */
  status?: number;
}

type Options = Omit<Route, 'method' | 'path' | 'field'>;

/** The routes of one area, whose paths share a prefix. */
export function area(prefix: string, routes: readonly Route[]): Route[] {
  return routes.map(route => ({ ...route, path: prefix + route.path }));
}

const of =
  (method: Method) =>
  (path: string, field: string, options: Options = {}): Route => ({ method, path, field, ...options });
export const get = of('GET');
export const post = of('POST');
export const put = of('PUT');
export const del = of('DELETE');

/** Status of the route's success: a POST creates, unless the route says otherwise (contract 5). */
export const successStatus = (route: Route): number => route.status ?? (route.method === 'POST' ? 201 : 200);
