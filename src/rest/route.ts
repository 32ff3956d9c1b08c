import type { TemplateName } from '../reports/pdf/templates.ts';
import type { Response } from 'express';
import type { Table } from '../reports/table.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A REST operation, with its GraphQL field. */
export interface Route {
  method: Method;
  /** `/almoxarifadoquimicos/materiais/{id}` */
  path: string;
  /** The query or mutation. */
  field: string;
  /** Names of arguments that differ: `{ orderByUnidadeMedida: 'OrderByUnidadeMedida' }`. */
  spelled?: Readonly<Record<string, string>>;
  /** Default values of arguments that differ from GraphQL, by GraphQL name. */
  usual?: Readonly<Record<string, unknown>>;
  /** Arguments that only GraphQL has. */
  without?: readonly string[];
  /** Body fields that are required here but not in GraphQL, by GraphQL name. */
  required?: readonly string[];
  /** Fields that are shown only if a parameter is true, by GraphQL name: `{ lote: 'comLote' }`. */
  shownOn?: Readonly<Record<string, string>>;
  /** Record fields that are never shown, by GraphQL name. */
  omits?: readonly string[];
  /** Fields to omit instead if a parameter is true. If several parameters are true, the first one counts. */
  omitsOn?: Readonly<Record<string, readonly string[]>>;
  /** Body field with a base64 file. It may exceed the usual body limit. */
  receives?: string;
  /** Sends a file instead of JSON, if the client prefers `application/octet-stream` or the type of the file. */
  streams?: (res: Response, args: Record<string, unknown>) => Promise<void>;
  /** Media type that `streams` sends, if it is always the same. */
  streamsAs?: string;
  /** Whether `inline=true` requests the same file for display in a browser. */
  shows?: boolean;
  /** Fields that answer instead if a parameter is true: `{ rejeitar: 'rejeitarMovimentacao' }`. */
  turns?: Readonly<Record<string, string>>;
  /** Arguments that are used only if this parameter is true: `{ idResponsavel: 'trazerTecnicos' }`. */
  onlyWith?: Readonly<Record<string, string>>;
  /** Arguments in the query although the method has a body, by GraphQL name. */
  query?: readonly string[];
  /** Body fields that must be present, but may be null. */
  present?: readonly string[];
  /** The table for `export=true`. */
  exports?: Table;
  /** The table for `pdf=true` and `planilha=true` of a report. */
  report?: Table;
  /** Whether an unknown query parameter is an error. */
  strict?: boolean;
  /** Template of the document to send instead of JSON. */
  document?: TemplateName;
  /** Additional headers, with their descriptions. */
  headers?: Readonly<Record<string, string>>;
  /** Status on success, if it is neither 201 for a creation nor 200. */
  status?: number;
}

type Options = Omit<Route, 'method' | 'path' | 'field'>;

/** The routes of an area with a common path prefix. */
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

/** Status on success: 201 for POST, unless the route sets another (contract 5). */
export const successStatus = (route: Route): number => route.status ?? (route.method === 'POST' ? 201 : 200);
