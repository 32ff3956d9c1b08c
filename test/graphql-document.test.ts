import { readFileSync } from 'node:fs';
import { buildSchema, getOperationAST, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { tabs } from '../src/pages/starter.ts';
import { useService } from './support/service.ts';

const service = useService();

const text = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const guide = text('docs/graphql.md');

/** The date at which the answers of the document were written. */
const [, written = ''] = /from the demo on (\d{4}-\d\d-\d\d)/.exec(guide) ?? [];

const block = /```graphql\n(?<query>.*?)```(?:\n\n```json\n(?<answer>.*?)```)?/gs;

/** Every query of a document, its sender (the last user named before it), and its answer. */
const queriesOf = (document: string) =>
  [...document.matchAll(block)].map(({ groups, index }) => {
    const { query = '', answer = '' } = groups!;
    const users = [...document.slice(0, index).matchAll(/\(`(tecnico|admin|docente|discente)`\)/g)];
    const name = getOperationAST(parse(query))!.name?.value ?? 'the example';
    return { name, query, answer, user: users.at(-1)?.[1] ?? 'tecnico' };
  });

const questions = queriesOf(guide);

/** The days from the date of the document to that of the demo, which is yesterday when a run goes past midnight. */
const DAYS = 'select max(ultima_alteracao)::date - $1::date from funcionario';

/** Shifts the dates in a text like those of the demo's records. */
async function moved(text: string): Promise<string> {
  const [[days]] = (await service().sql(DAYS, [written])) as [[number]];
  return text.replace(/"(\d{4}-\d\d-\d\d)"/g, (_, day: string) => {
    const then = new Date(day);
    then.setUTCDate(then.getUTCDate() + days);
    return `"${then.toISOString().slice(0, 10)}"`;
  });
}

const MORE = '…';

/** Reduces an answer to the form in the document: `…` is any value, or the rest of a list. */
function shortened(found: unknown, shown: unknown): unknown {
  if (shown === MORE) return found === null || found === undefined ? found : MORE;
  if (Array.isArray(found) && Array.isArray(shown)) {
    const isCut = shown.at(-1) === MORE && found.length >= shown.length;
    const kept = isCut ? found.slice(0, shown.length - 1) : found;
    return [...kept.map((one, i) => shortened(one, shown[i])), ...(isCut ? [MORE] : [])];
  }
  if (typeof found !== 'object' || found === null || typeof shown !== 'object' || shown === null)
    return found;
  const below = shown as Record<string, unknown>;
  return Object.fromEntries(Object.entries(found).map(([name, one]) => [name, shortened(one, below[name])]));
}

/** Sends a query of a document, and compares the answer with the document. */
async function expectAnswer({ query, answer, user }: ReturnType<typeof queriesOf>[number]): Promise<void> {
  const client = (await service().as(user)).with({ 'accept-language': 'en' });
  const shown: unknown = JSON.parse(await moved(answer));
  expect(shortened(await client.graphql(await moved(query)), shown)).toEqual(shown);
}

it('README.md has a query, with the answer that it shows', async () => {
  const [example, ...others] = queriesOf(text('README.md'));
  expect(others).toEqual([]);
  await expectAnswer(example!);
});

it('README.md has a record of REST, with all columns that the answer has', async () => {
  const [, path = '', shown = ''] =
    /curl -s "http:\/\/127\.0\.0\.1:4000(\S+)".*?```json\n(.*?)```/s.exec(text('README.md')) ?? [];
  const moments = { criado_em: expect.any(String), alterado_em: expect.any(String) };
  const { body } = await (await service().as('tecnico')).get(path);
  expect(body).toEqual({ ...JSON.parse(shown), ...moments });
});

describe('docs/events.md', () => {
  const examples = [...text('docs/events.md').matchAll(block)].map(({ groups }) => groups!);

  it('has only documents that the schema allows', async () => {
    const schema = buildSchema(text('schema.graphql'));
    const errors = examples.flatMap(({ query }) => validate(schema, parse(query!)));
    expect([examples.length, errors]).toEqual([3, []]);
  });

  it('has an answer in the form of the real one', async () => {
    const [{ query, answer } = {}] = examples;
    const { data, errors } = await (await service().as('admin')).graphql(query!);
    const members = (page: object) => Object.keys(page).toSorted();
    expect(errors).toBeUndefined();
    expect(members(JSON.parse(answer!).data.mudancas)).toEqual(members(data.mudancas));
  });
});

describe('docs/storeroom.md', () => {
  it.each(queriesOf(text('docs/storeroom.md')))('has the answer to $name that $user gets', expectAnswer);
});

describe('docs/graphql.md', () => {
  it('has twelve questions, what may not be read, and addresses of files', () => {
    expect(questions).toHaveLength(14);
  });

  it.each(questions)('$user gets the answer to $name that the document shows', expectAnswer);

  it('signs an address of a file that its sender may have', async () => {
    const { query, user } = questions.find(({ name }) => name === 'Arquivos')!;
    const client = await service().as(user);
    const { url } = (await client.graphql(query)).data.download;
    const answer = await fetch(new URL(url, client.url));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    await answer.body?.cancel();
  });

  it('has the queries of the tabs of GraphiQL', () => {
    const asked = questions.map(({ query }) => print(parse(query)));
    for (const { query } of tabs('pt')) {
      const list = parse(query).definitions.at(-1)!;
      expect(asked).toContain(print(list));
    }
  });

  it('goes on from a cursor to the last page', async () => {
    const { query, user } = questions.find(({ name }) => name === 'Historia')!;
    const client = await service().as(user);
    const seen: string[] = [];
    let depois: string | null = null;
    do {
      const { data } = await client.graphql(query, { depois });
      const page = data.lote.movimentacoes;
      seen.push(...page.data.map((one: { data: string }) => one.data));
      depois = page.nextCursor;
    } while (depois);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual([...new Set(seen)].toSorted());
  });
});
