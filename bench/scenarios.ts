import { parse } from 'csv-parse/sync';
import type { BenchRequest, Scenario } from './scenario.ts';
import { graphScenarios } from './graph.ts';
import type { Ground } from './ground.ts';
import { grades, packages } from './fill.ts';
import { systemHeaders } from './login.ts';
import { movementScenarios } from './movements.ts';
import { PASSWORD } from './people.ts';
import { rowsOfWorkbook } from './workbook.ts';
import { pagesOf } from '../test/support/pdf.ts';

export const scenarioNames = [
  'rest.list',
  'graphql.list',
  'rest.filtered',
  'graphql.filtered',
  'list.search',
  'rest.deep',
  'rest.single',
  'graphql.single',
  'graph.link',
  'graph.nested',
  'graph.groups',
  'graph.second',
  'graph.cursor',
  'rest.login',
  'login.hashless',
  'rest.movement',
  'movement.hot',
  'movement.pending',
  'rest.export',
  'rest.xlsx',
  'rest.pdf',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

const MATERIALS = '/almoxarifadoquimicos/materiais';
const STOCK_REPORT = '/relatorios/almoxarifado-quimicos/materiais-estocados';
const FIRST_PAGE = `${MATERIALS}?pagination=true&itemsPerPage=10&orderByTitulo=asc`;
/** What a tenth of the titles contain. */
const TITLE = 'acido';

const LIST_QUERY = `query ($titulo: String) {
  materiais(titulo: $titulo, pagination: true, itemsPerPage: 10, orderByTitulo: asc) {
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

/** What a 144th of the titles contain, each. */
const searches = (): string[] => grades.flatMap(grade => packages.map(wrapping => `${grade}, ${wrapping}`));

/** The same text in random upper and lower case, so that most likely nobody has searched for it before. */
const inAnyCase = (text: string): string =>
  text.replaceAll(/./gu, letter => (Math.random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase()));

/** Materials that the single reads take turns with. */
const IDS = 500;

/** Values that differ for each session: its token, and when it ends. */
const withoutSession = (answer: unknown): unknown => ({ ...(answer as object), token: '', expira_em: '' });

/** The CAS numbers that stand in a document, in order. */
const casNumbers = async (answer: unknown): Promise<string[]> =>
  (await pagesOf(answer as Uint8Array)).flatMap(text => text.match(/\b\d{2,7}-\d\d-\d\b/g) ?? []);

/** The cells of a csv, which servers may quote differently, without the mark that keeps text from being a date. */
const cells = (answer: unknown): string[][] =>
  parse(String(answer), { delimiter: ';', bom: true }).map(row => row.map(cell => cell.replace(/^'/, '')));

const rowCount = (answer: unknown): number | Promise<number> =>
  typeof answer === 'string' ? cells(answer).length : rowsOfWorkbook(answer as Uint8Array);

/** Every scenario on a database. */
export function scenariosFor({ token, rows, stock, users, starts }: Ground): Record<ScenarioName, Scenario> {
  const headers = { token };
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers });
  const post = (path: string, body: object, more: Record<string, string> = headers): BenchRequest => ({
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: { ...more, 'content-type': 'application/json' },
  });
  const same = (requests: BenchRequest[]): Scenario => ({ service: requests, baseline: requests });
  const logins = (usernames: string[]): Scenario => ({
    ...same(usernames.map(username => post('/auth/login', { username, password: PASSWORD }, systemHeaders))),
    comparable: withoutSession,
  });
  const ids = Array.from({ length: IDS }, (_, i) => 1 + Math.floor((i * rows) / IDS));
  const list = { page: 1, itemsPerPage: 10, orderByTitulo: 'asc' };
  return {
    'rest.list': same([get(FIRST_PAGE)]),
    'graphql.list': {
      service: [post('/graphql', { query: LIST_QUERY })],
      baseline: [post('/materiais', list)],
    },
    'rest.filtered': same([get(`${FIRST_PAGE}&titulo=${TITLE}`)]),
    'graphql.filtered': {
      service: [post('/graphql', { query: LIST_QUERY, variables: { titulo: TITLE } })],
      baseline: [post('/materiais', { ...list, titulo: TITLE })],
    },
    'list.search': same(
      searches().map(text => {
        const path = (titulo: string): string => `${FIRST_PAGE}&titulo=${encodeURIComponent(titulo)}`;
        return { ...get(path(text)), anew: () => path(inAnyCase(text)) };
      }),
    ),
    'rest.deep': same([get(`${FIRST_PAGE}&page=${Math.floor(rows / 20)}`)]),
    'rest.single': same(ids.map(id => get(`${MATERIALS}/${id}`))),
    'graphql.single': {
      service: ids.map(id => post('/graphql', { query: SINGLE_QUERY, variables: { id } })),
      baseline: ids.map(id => post('/material', { id })),
    },
    ...graphScenarios(post, starts),
    'rest.login': logins(users.usual),
    'login.hashless': logins(users.cheap),
    ...movementScenarios(token, stock),
    'rest.export': {
      ...same([get(`${MATERIALS}?export=true&formatoPlanilha=csv`)]),
      comparable: cells,
      few: { connections: 2, requests: 6 },
    },
    'rest.xlsx': {
      service: [get(`${MATERIALS}?export=true&formatoPlanilha=xlsx`)],
      baseline: [get(`${MATERIALS}?export=true&formatoPlanilha=csv`)],
      comparable: rowCount,
      few: { connections: 2, requests: 4 },
    },
    'rest.pdf': {
      ...same([get(`${STOCK_REPORT}?pdf=true&material=${TITLE}`)]),
      comparable: casNumbers,
      few: { connections: 2, requests: 10 },
    },
  };
}

/** Requests of the service from all scenarios, one of each in turn. */
export const mixed = (scenarios: Record<ScenarioName, Scenario>): BenchRequest[] =>
  Array.from({ length: 100 }, (_, i) =>
    Object.values(scenarios)
      .filter(({ few }) => !few)
      .map(({ service }) => service[i % service.length]!),
  ).flat();
