import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Answer, Client } from './client.ts';

/** A change as clients see it. It is the same on both faces. */
export interface FeedChange {
  cursor: string;
  id: string;
  tipo: string;
  registro: { tabela: string; id: number; versao: number | null };
  idPessoa: number | null;
  alteracoes: { campo: string; antes: string | null; depois: string | null }[];
}

export interface FeedPage {
  data: FeedChange[];
  cursor: string;
  mais: boolean;
  ultimo: string;
}

export interface FeedArguments {
  after?: string;
  tabelas?: string[];
  first?: number;
}

export const PAGE = `data { cursor id momento tipo registro { tabela id versao } idPessoa idSistema
  alteracoes { campo antes depois } } cursor mais ultimo`;

/** Requests a page of the feed. Returns the problem of REST, or the error of GraphQL in the same format. */
export type AskChanges = (
  client: Client,
  asked?: FeedArguments,
) => Promise<FeedPage | { status: number; code: string }>;

const rest: AskChanges = async (client, { tabelas = [], ...asked } = {}) => {
  const given = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams([...given, ...tabelas.map(table => ['tabelas', table])]);
  const { status, body }: Answer = await client.get(`/mudancas?${query}`);
  if (status !== 200) return { status, code: body.code as string };
  const data = body.data.map(
    ({ id_pessoa: idPessoa, id_sistema: idSistema, ...change }: Record<string, unknown>) => ({
      ...change,
      idPessoa,
      idSistema,
    }),
  ) as FeedChange[];
  return { ...body, data } as FeedPage;
};

const graphql: AskChanges = async (client, asked) => {
  const { data, errors } = await client.graphql(
    `query ($after: Cursor, $tabelas: [String!], $first: Int) {
      mudancas(after: $after, tabelas: $tabelas, first: $first) { ${PAGE} } }`,
    { ...asked },
  );
  const { code } = errors?.[0]?.extensions ?? {};
  const statuses: Record<string, number> = {
    GONE: 410,
    BAD_REQUEST: 400,
    FORBIDDEN: 403,
    UNAUTHENTICATED: 401,
  };
  return code ? { status: statuses[code] ?? 500, code } : (data.mudancas as FeedPage);
};

export const changeFaces: Readonly<Record<string, AskChanges>> = { REST: rest, GraphQL: graphql };

/** The page, from either face. @throws Error when the answer is an error */
export async function pageOf(ask: AskChanges, client: Client, asked: FeedArguments = {}): Promise<FeedPage> {
  const page = await ask(client, asked);
  if ('code' in page) throw new Error(JSON.stringify(page));
  return page;
}

/** Everything after a cursor, page by page. */
export async function allChanges(
  ask: AskChanges,
  client: Client,
  asked: FeedArguments,
): Promise<FeedChange[]> {
  const found: FeedChange[] = [];
  for (let after = asked.after; ;) {
    const page = await pageOf(ask, client, { ...asked, ...(after !== undefined && { after }) });
    found.push(...page.data);
    if (!page.mais) return found;
    after = page.cursor;
  }
}

/** A direct connection to the database, closed at the end of the test. */
export async function connection(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
