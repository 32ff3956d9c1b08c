import { getNullableType, isListType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService();
const schema = await createSchema();
const { operations } = legacyView(schema, routes);

/** Every list parameter of a query, with its path. */
const given = operations.flatMap(({ route: { method, path }, parameters }) =>
  method === 'GET'
    ? parameters
        .filter(({ place, type }) => place === 'query' && isListType(getNullableType(type)))
        .map(({ name }) => [path, name] as const)
    : [],
);

/** Two values of a parameter. */
const valuesOf = (name: string): [string, string] =>
  name === 'tabelas' ? ['tipo_empresa', 'unidade_medida'] : ['1', '2'];

/** The formats in which old clients and their libraries send two values. */
const spellings = (name: string, [a, b]: [string, string]): string[] => [
  `${name}=${a}&${name}=${b}`,
  `${name}[]=${a}&${name}[]=${b}`,
  `${name}[0]=${a}&${name}[1]=${b}`,
  `${name}%5B0%5D=${a}&${name}%5B1%5D=${b}`,
  `${name}=${a},${b}`,
];

// The feed of changes contains no demo data.
beforeAll(async () => {
  for (const table of valuesOf('tabelas'))
    await service().sql(`update ${table} set descricao = descricao || '.' where id = 1`);
});

describe('a list parameter', () => {
  it('is there', () => {
    expect(given.length).toBeGreaterThan(2);
  });

  it.each(given)('of %s, %s, means the same in every spelling', async (path, name) => {
    const admin = (await service().as('admin')).with(systemHeaders);
    const ask = async (query: string) => {
      const answer = await fetch(`${admin.url}${path}?${query}`, { headers: admin.headers });
      const text = await answer.text();
      return { status: answer.status, length: text.length, isPdf: text.startsWith('%PDF') };
    };
    const answers = [];
    for (const query of spellings(name, valuesOf(name))) answers.push(await ask(query));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200 });
    expect((await ask(`${name}=${valuesOf(name)[0]}`)).length).not.toBe(first!.length);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, isPdf: first!.isPdf });
      // The bytes of two PDFs differ, because they contain the time.
      expect(Math.abs(answer.length - first!.length)).toBeLessThan(first!.isPdf ? 40 : 1);
    }
    expect((await ask(`${name}=1,x`)).status).toBe(400);
  });
});

describe('a list', () => {
  const named = (operation: (typeof operations)[number], property: string): string | undefined =>
    operation.parameters.find(parameter => parameter.property === property)?.name;
  const isPaged = (operation: (typeof operations)[number]): boolean =>
    named(operation, 'itemsPerPage') !== undefined;
  const needed: Readonly<Record<string, string>> = {
    '/academico/atividade-curriculo-discente': 'idVinculo=1&',
    '/relatorios/relatorios-parametros': 'id_relatorio=1&',
  };

  it.each(
    operations
      .filter(isPaged)
      .map(operation => [operation.route.path.replace(/\{\w+\}/, '1'), operation] as const),
  )('%s comes in pages when asked', async (path, operation) => {
    const admin = (await service().as('admin')).with(systemHeaders);
    const asked = named(operation, 'pagination');
    const pages = `${needed[path] ?? ''}${named(operation, 'itemsPerPage')}=1${asked ? `&${asked}=true` : ''}`;
    const { status, body } = await admin.get(`${path}?${pages}`);
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(1);
    expect(body).toMatchObject({ itemsPerPage: 1, page: 1, totalPages: body.total });
  });

  it('is every operation that answers a page, but for the news, of which clients ask for a number', () => {
    const whole = operations.filter(
      operation =>
        operation.route.method === 'GET' &&
        String(operation.field.type).endsWith('Page') &&
        !isPaged(operation),
    );
    expect(whole.map(({ route }) => route.path)).toEqual(['/institucional/noticias']);
  });

  it('has the arguments of pages in GraphQL, every one', () => {
    const fields = Object.values(schema.getQueryType()!.getFields());
    const lists = fields.filter(({ type }) => String(type).replace('!', '').endsWith('Page'));
    expect(lists.length).toBeGreaterThan(50);
    for (const { name, args } of lists) {
      const names = args.map(argument => argument.name);
      expect(names, name).toEqual(expect.arrayContaining(['page', 'itemsPerPage']));
    }
  });
});
