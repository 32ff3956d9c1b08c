import { movementScenarios } from './movements.ts';
import type { Stock } from './stock.ts';

/** A request as autocannon sends it. */
export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers: Record<string, string>;
}

/** The requests of one scenario, sent in turn; the two servers answer each pair alike. */
export interface Scenario {
  service: BenchRequest[];
  baseline: BenchRequest[];
  /** What of an answer is the same on both; all of it when absent. */
  comparable?: (answer: unknown) => unknown;
}

export const scenarioNames = [
  'rest.list',
  'graphql.list',
  'rest.single',
  'graphql.single',
  'rest.movement',
  'movement.hot',
  'movement.pending',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

const MATERIALS = '/almoxarifadoquimicos/materiais';
const FIRST_PAGE = `${MATERIALS}?pagination=true&itemsPerPage=10&orderByTitulo=asc`;

const LIST_QUERY = `{
  materiais(pagination: true, itemsPerPage: 10, orderByTitulo: asc) {
    total
    data {
      id titulo numeroCas estadoFisico
      unidadeMedida { id sigla descricao }
      tipoControle { id descricao }
    }
  }
}`;

const SINGLE_QUERY = `query ($id: Int!) {
  material(id: $id) {
    id titulo numeroCas estadoFisico
    unidadeMedida { id sigla descricao }
    tipoControle { id descricao }
  }
}`;

/** Materials that the single reads take turns with. */
const IDS = 500;

/** Every scenario, for a caller's token and a database of so many materials with this stock. */
export function scenariosFor(token: string, rows: number, stock: Stock): Record<ScenarioName, Scenario> {
  const headers = { token };
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers });
  const post = (path: string, body: object): BenchRequest => ({
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const ids = Array.from({ length: IDS }, (_, i) => 1 + Math.floor((i * rows) / IDS));
  const single = ids.map(id => get(`${MATERIALS}/${id}`));
  return {
    'rest.list': { service: [get(FIRST_PAGE)], baseline: [get(FIRST_PAGE)] },
    'graphql.list': {
      service: [post('/graphql', { query: LIST_QUERY })],
      baseline: [post('/materiais', { page: 1, itemsPerPage: 10, orderByTitulo: 'asc' })],
    },
    'rest.single': { service: single, baseline: single },
    'graphql.single': {
      service: ids.map(id => post('/graphql', { query: SINGLE_QUERY, variables: { id } })),
      baseline: ids.map(id => post('/material', { id })),
    },
    ...movementScenarios(token, stock),
  };
}

/** Requests of the service from all scenarios, one of each in turn. */
export const mixed = (scenarios: Record<ScenarioName, Scenario>): BenchRequest[] =>
  Array.from({ length: 100 }, (_, i) =>
    scenarioNames.map(name => {
      const { service } = scenarios[name];
      return service[i % service.length]!;
    }),
  ).flat();
