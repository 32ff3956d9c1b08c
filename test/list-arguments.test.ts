import { getNamedType, GraphQLInt } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService();
const { operations } = legacyView(await createSchema(), routes);
const register = '/relatorios/almoxarifado-quimicos/livro-controlados';

const admin = async () => (await service().as('admin')).with(systemHeaders);

/** Arguments without which a list does not answer. */
const needed: Readonly<Record<string, readonly [rest: string, graphql: string]>> = {
  atividadesCurriculoDiscente: ['idVinculo=1&', 'idVinculo: 1, '],
  permissoesDaPessoa: ['', 'idPessoa: 1, '],
  parametrosRelatorio: ['id_relatorio=1&', 'idRelatorio: 1, '],
};

const lists = operations.filter(({ parameters }) =>
  parameters.some(({ property }) => property === 'itemsPerPage'),
);

/** The bounds that OpenAPI publishes for arguments of lists: the last number that is allowed, and the next one. */
const bounds = lists.flatMap(({ route: { path }, field, parameters }) =>
  parameters
    .filter(({ place }) => place === 'query')
    .flatMap(({ name, property, rules: { minimum, maximum } = {} }) =>
      [
        { bound: minimum as number | undefined, step: -1 },
        { bound: maximum as number | undefined, step: 1 },
      ]
        .filter(({ bound }) => bound !== undefined)
        .map(({ bound, step }) => ({
          path: path.replace(/\{\w+\}/, '1'),
          field: field.name,
          name,
          property,
          last: bound!,
          beyond: bound! + step,
        })),
    ),
);

describe('a number that OpenAPI publishes as the least or the greatest of an argument of a list', () => {
  it('is there for pages, months and years', () => {
    expect([...new Set(bounds.map(({ property }) => property))]).toEqual(
      expect.arrayContaining(['page', 'itemsPerPage', 'ano', 'mes', 'dias', 'diasParado']),
    );
  });

  it.each(bounds)(
    'is the last one allowed on $path, $name $last',
    async ({ path, field, name, property, last, beyond }) => {
      const client = await admin();
      const [rest = '', graphql = ''] = needed[field] ?? [];
      expect((await client.get(`${path}?${rest}${name}=${last}`)).status).toBe(200);
      const { status, body } = await client.get(`${path}?${rest}${name}=${beyond}`);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', errors: [{ field: name }] },
      });
      const { errors } = await client.graphql(
        `{ ${field}(${graphql}${property}: ${beyond}) { __typename } }`,
      );
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'BAD_REQUEST',
        errors: [{ field: property }],
      });
    },
  );
});

describe('a month that is none', () => {
  it('makes no document and no spreadsheet', async () => {
    const client = await service().as('almoxarife');
    for (const form of ['pdf', 'planilha']) {
      const { status, body } = await client.get(`${register}?ano=2026&mes=13&${form}=true`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ field: 'mes' }]);
    }
  });

  it('is reported together with an argument of another type', async () => {
    const client = await service().as('almoxarife');
    const { status, body } = await client.get(`${register}?ano=x&mes=13&page=0`);
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      'ano',
      'mes',
      'page',
    ]);
  });

  it('may be left empty, as forms send it', async () => {
    const client = await service().as('almoxarife');
    expect((await client.get(`${register}?ano=&mes=`)).status).toBe(200);
    const { errors } = await client.graphql('{ livroControlados(ano: null, mes: null) { total } }');
    expect(errors).toBeUndefined();
  });
});

/** The whole numbers that a list takes, one by one. */
const numbers = lists.flatMap(({ route: { path }, field, parameters }) =>
  parameters
    .filter(({ place, type }) => place === 'query' && getNamedType(type) === GraphQLInt)
    .map(({ name }) => ({ path: path.replace(/\{\w+\}/, '1'), name, rest: needed[field.name]?.[0] ?? '' })),
);

describe('the greatest and the least whole number', () => {
  it.each(numbers)(
    'is answered, or refused by what is wrong with it, on $path as $name',
    async ({ path, name, rest }) => {
      const client = await admin();
      for (const number of [2_147_483_647, 2_147_483_646, -2_147_483_648]) {
        const { status, body } = await client.get(`${path}?${rest}${name}=${number}`);
        // A record by this identifier does not exist.
        if (status === 200 || status === 404) continue;
        expect({ number, status, body }).toMatchObject({
          status: 400,
          body: { errors: [{ field: expect.stringContaining(name) }] },
        });
      }
    },
  );

  it('of a page is answered with the greatest size of a page, also below a record', async () => {
    const client = await admin();
    const pages = `page: 2147483647, itemsPerPage: ${service().services.listing.limits.itemsPerPage}`;
    const { data, errors } = await client.graphql(
      `{ materiais(${pages}) { page data { id } } material(id: 1) { lotes(${pages}) { page data { id } } } }`,
    );
    expect(errors).toBeUndefined();
    const nothing = { page: 2_147_483_647, data: [] };
    expect(data).toEqual({ materiais: nothing, material: { lotes: nothing } });
  });

  it('of days selects no plan that stood for longer', async () => {
    const client = await admin();
    const { data } = await client.graphql('{ planosSituacaoTempo(diasParado: 2147483647) { total } }');
    expect(data).toEqual({ planosSituacaoTempo: { total: 0 } });
  });
});
