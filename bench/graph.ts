import type { BenchRequest, Scenario } from './scenario.ts';

const SIZE = 10;

/** What a tenth of the titles contain. */
const TITLE = 'acido';

const LINK = `query ($titulo: String!, $size: Int!) {
  estoques(filter: { lote: { material: { titulo: { contains: $titulo } } } }, orderBy: [{ quantidade: desc }], itemsPerPage: $size) {
    data { id quantidade lote { codLote material { id titulo } } localFim { id sigla } }
  }
}`;

const NESTED = `query ($size: Int!) {
  materiais(orderBy: [{ id: asc }], itemsPerPage: $size) {
    data { id titulo
      lotes(itemsPerPage: $size) {
        data { id codLote
          movimentacoes(itemsPerPage: $size) { data { id quantidade tipoMovimentacao { descricao } } }
        }
      }
    }
  }
}`;

const GROUPS = `query ($size: Int!) {
  movimentacoesEstoque {
    groups(by: [{ lote: { material: { id: true, titulo: true } } }], orderBy: [{ sum: { quantidade: desc } }], first: $size) {
      key { lote { material { id titulo } } } count sum { quantidade }
    }
  }
}`;

const AFTER = `query ($after: Cursor!, $size: Int!) {
  materiais(orderBy: [{ titulo: asc }], itemsPerPage: $size, after: $after) {
    nextCursor data { id titulo numeroCas unidadeMedida { id sigla } }
  }
}`;

const BEFORE = `query ($page: Int!, $size: Int!) {
  materiais(orderBy: [{ titulo: asc }], itemsPerPage: $size, page: $page) { nextCursor data { id titulo } }
}`;

/** Where a page begins: the service's cursor, and the title and key of the material before it, which is the baseline's. */
interface Start {
  cursor: string;
  after: [titulo: string, id: number];
}

interface Page {
  nextCursor: string;
  data: { id: number; titulo: string }[];
}

/** Page 2 of the materials, and a page far down the list: the last one of 100,000. */
export interface Starts {
  second: Start;
  deep: Start;
}

const DEEP_PAGE = 10_000;

export const startsIn = async (url: string, token: string, rows: number): Promise<Starts> => ({
  second: await startOf(url, token, 2),
  deep: await startOf(url, token, Math.min(DEEP_PAGE, Math.floor(rows / SIZE))),
});

/** Where the page with this number begins, in the order of titles. */
async function startOf(url: string, token: string, page: number): Promise<Start> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify({ query: BEFORE, variables: { page: page - 1, size: SIZE } }),
  });
  const { data } = (await response.json()) as { data: { materiais: Page } };
  const { nextCursor, data: materials } = data.materiais;
  const last = materials.at(-1)!;
  return { cursor: nextCursor, after: [last.titulo, last.id] };
}

/** Each server has cursors of its own. */
const withoutCursor = (answer: unknown): unknown => {
  const { nextCursor, data } = (answer as { data: { materiais: Page } }).data.materiais;
  return { isLast: nextCursor === null, data };
};

type Post = (path: string, body: object) => BenchRequest;

/** Lists with their neighbourhood. */
export function graphScenarios(post: Post, { second, deep }: Starts) {
  const scenario = (query: string, variables: object, path: string): Scenario => ({
    service: [post('/graphql', { query, variables: { ...variables, size: SIZE } })],
    baseline: [post(path, { ...variables, size: SIZE })],
  });
  const page = ({ cursor, after }: Start): Scenario => ({
    service: [post('/graphql', { query: AFTER, variables: { after: cursor, size: SIZE } })],
    baseline: [post('/graph/cursor', { after, size: SIZE })],
    comparable: withoutCursor,
  });
  return {
    'graph.link': scenario(LINK, { titulo: TITLE }, '/graph/link'),
    'graph.nested': scenario(NESTED, {}, '/graph/nested'),
    'graph.groups': scenario(GROUPS, {}, '/graph/groups'),
    'graph.second': page(second),
    'graph.cursor': page(deep),
  };
}
