import { getNamedType, isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { type Parameter } from '../src/rest/parameter.ts';
import type { Operation } from '../src/rest/operation.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders } from './support/client.ts';
import { compare, everything, ListModel } from './support/list-model.ts';
import { ask, listsOf, literal, valueAt, type TestedList } from './support/lists.ts';
import { useService } from './support/service.ts';
import { statementsDuring } from './support/statements.ts';

const service = useService();
const schema = await createSchema();
// The audit trail is longer than any page; test/audit-reading.test.ts is about it. Of one person, three lists show what
// others show; test/alerts.test.ts and test/academic.test.ts are about them. The demo has no codes of the Federal Police,
// because no source verifies them; test/controlled-data.test.ts is about them. Without codes no month can be closed;
// test/map-closing.test.ts closes some. Nobody has withdrawn news, or imported anything by request; test/news.test.ts and
// test/importing.test.ts are about them. Nor has the demo webhooks; test/webhook-delivery.test.ts is about them.
const elsewhere = new Set([
  'trilhaAuditoria',
  'meusAlertas',
  'minhasMovimentacoes',
  'meusPlanos',
  'codigosPf',
  'substanciasControladas',
  'fechamentosMapa',
  'noticiasRetiradas',
  'importacoes',
  'webhooks',
  'entregasWebhook',
]);
const lists = listsOf(schema).filter(list => !elsewhere.has(list.field));
const admin = async () => (await service().as('admin')).with(systemHeaders);

const cases = <T>(of: (list: TestedList) => readonly T[]) =>
  lists.flatMap(list => of(list).map(one => [list.field, one, list] as const));

/** Lists beyond the specification. */
const graphqlOnly = ['planosEnsino', 'alertas', 'estoquesMinimos', 'meusLocais', 'chavesApi'];

it('there are lists, and REST serves each of them', () => {
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.map(list => list.field).filter(field => !routes.some(route => route.field === field))).toEqual(
    graphqlOnly,
  );
});

/** How many counts a statement, or an expression of an entity, has. */
const countsIn = (sql: unknown): number => (typeof sql === 'string' ? sql : '').split('count(').length - 1;

describe.each(lists.map(list => [list.field, list] as const))('%s', (_field, list) => {
  it('comes in pages, and whole if it may', async () => {
    const page = await ask(await admin(), list, {});
    const whole = await ask(await admin(), list, everything(list));
    expect(whole.total).toBe(whole.data.length);
    expect(whole.total).toBeGreaterThan(0);
    expect(page).toMatchObject({ page: 1, total: whole.total, itemsPerPage: 10 });
  });

  it('counts only on request', async () => {
    const client = await admin();
    const keys = list.required.map(name => `${name}: 1`).join(', ');
    const field = list.record.getFields()['id'] ? 'id' : 'linha';
    const { statements } = await statementsDuring(service(), () =>
      client.graphql(`{ ${list.field}${keys && `(${keys})`} { data { ${field} } } }`),
    );
    expect(statements.length).toBeGreaterThan(0);
    // The expression of a report may have counts of its own, and stand in a statement twice. Its filters change it.
    const { expression } = service().services.orm.getMetadata().get(list.declaration.entity());
    const asks = (text: string): boolean =>
      typeof expression === 'string' && text.includes(expression)
        ? countsIn(text.replaceAll(expression, '')) > 0
        : countsIn(text) > countsIn(expression);
    expect(statements.filter(asks)).toEqual([]);
  });
});

describe.each(lists.map(list => [list.field, list] as const))('%s, in pages,', (_field, list) => {
  it('has pages that do not overlap and together are the whole list', async () => {
    const client = await admin();
    const whole = await ask(client, list, everything(list));
    const size = Math.max(1, Math.ceil(whole.total / 3));
    const paged = {
      ...(list.declaration.paging !== 'always' && { pagination: 'true' }),
      itemsPerPage: String(size),
    };
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => ask(client, list, { ...paged, page: String(page) })),
    );
    expect(pages.flatMap(page => page.data)).toEqual(whole.data);
    expect(
      pages.every(page => page.total === whole.total && page.totalPages === Math.ceil(whole.total / size)),
    ).toBe(true);
  });

  it('refuses a page out of range, and names the parameter', async () => {
    for (const [argument, value] of [
      ['page', 0],
      ['page', -1],
      ['itemsPerPage', 0],
      ['itemsPerPage', 1001],
    ] as const) {
      const keys = list.required.map(name => `${name}: 1, `).join('');
      const { errors } = await (
        await admin()
      ).graphql(`{ ${list.field}(${keys}${argument}: ${value}) { total } }`);
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', errors: [{ field: argument }] });
    }
  });
});

describe('an ordering', () => {
  it.each(cases(list => list.declaration.orders.map(order => order.argument)))(
    'of %s, %s, orders both ways',
    async (_field, argument, list) => {
      const { path } = list.declaration.orders.find(order => order.argument === argument)!;
      const up = (await ask(await admin(), list, { ...everything(list), [argument]: 'asc' }, [path])).data;
      const down = (await ask(await admin(), list, { ...everything(list), [argument]: 'DESC' }, [path])).data;
      const values = up.map(record => valueAt(record, path));
      expect(values).toEqual(values.toSorted(compare));
      expect(down.map(record => valueAt(record, path))).toEqual(values.toSorted((a, b) => compare(b, a)));
      for (const ordered of [up, down]) expectTiesById(ordered, path);
    },
  );

  it.each(
    cases(list =>
      list.declaration.orders
        .slice(1)
        .map((order, i) => [list.declaration.orders[i]!.argument, order.argument] as const),
    ),
  )(
    'of %s, %s, applies after the orderings that the specification lists before it',
    async (_field, [first, second], list) => {
      const [a, b] = [first, second].map(
        argument => list.declaration.orders.find(order => order.argument === argument)!.path,
      ) as [string, string];
      const { data } = await ask(
        await admin(),
        list,
        { ...everything(list), [second]: 'asc', [first]: 'desc' },
        [a, b],
      );
      const pairs = data.map(record => [valueAt(record, a), valueAt(record, b)] as const);
      expect(pairs).toEqual(pairs.toSorted((x, y) => compare(y[0], x[0]) || compare(x[1], y[1])));
    },
  );
});

const routeOf = (field: string) => routes.find(route => route.field === field);

/** Records with the same value are ordered by id. */
function expectTiesById(ordered: Record<string, unknown>[], path: string): void {
  const broken = ordered
    .slice(1)
    .filter(
      (record, i) =>
        compare(valueAt(record, path), valueAt(ordered[i]!, path)) === 0 &&
        Number(record['id']) < Number(ordered[i]!['id']),
    );
  expect(broken).toEqual([]);
}

describe('a filter', () => {
  // Their additional rows are tested in reports.test.ts and alerts.test.ts.
  const showingMore = new Set(['retornarVazio', 'comReconhecidos']);
  // Their rows are numbered within the months that are asked for; test/controlled-register.property.test.ts is about them.
  const monthly: Record<string, string[]> = {
    livroControlados: ['ano', 'mes', 'codigo'],
    pendenciasMapa: ['ano', 'mes'],
    linhasMapa: ['ano', 'mes', 'codigo'],
  };
  const filters = cases(list =>
    list.declaration.filters
      .map(filter => filter.argument)
      .filter(name => !showingMore.has(name) && !monthly[list.field]?.includes(name)),
  );
  const ofText = cases(list =>
    list.declaration.filters.filter(filter => filter.match === 'text').map(filter => filter.argument),
  );
  const ids = (rows: Record<string, unknown>[]): unknown[] => rows.map(row => row['id']);
  const models = new Map<TestedList, Promise<ListModel>>();
  const modelOf = (list: TestedList): Promise<ListModel> => {
    const model = models.get(list) ?? ListModel.load(service(), list);
    models.set(list, model);
    return model;
  };

  it.each(filters)(
    'of %s, %s, finds every record that matches and no other',
    async (_field, argument, list) => {
      const model = await modelOf(list);
      const given = model.sample(argument);
      const expected = await model.matching(argument, given);
      expect(expected.length, 'the demo data has a value to look for').toBeGreaterThan(0);
      const wanted =
        typeof given === 'string' && model.filter(argument).match === 'text' ? given.toUpperCase() : given;
      const found = await ask(await admin(), list, { ...everything(list), [argument]: literal(wanted) });
      expect(ids(found.data)).toEqual(ids(expected));
      expect(found.total).toBe(found.data.length);
    },
  );

  it.each(ofText)('of %s, %s, takes wildcards, quotes and SQL literally', async (_field, argument, list) => {
    const model = await modelOf(list);
    for (const text of ['%', '_', '\\', '％', "'", '" or 1=1 --', "') or true --", '$1']) {
      const { data } = await ask(await admin(), list, { ...everything(list), [argument]: literal(text) });
      expect(ids(data), text).toEqual(ids(await model.matching(argument, text)));
    }
  });

  it.each(filters)('of %s, %s, refuses text that no record can hold', async (_field, argument, list) => {
    const keys = list.required.map(name => `${name}: 1, `).join('');
    const query = `query ($v: String) { ${list.field}(${keys}${argument}: $v) { total } }`;
    const { errors } = await (await admin()).graphql(query, { v: 'a\0b' });
    expect(errors![0]!.extensions.code).toBe('BAD_REQUEST');
  });

  /** Reports are not tables: they filter indexed columns of tables, or are small. */
  const ofTables = ofText.filter(([field]) => !routeOf(field)?.path.startsWith('/relatorios/'));

  it.each(ofTables)('of %s, %s, has its index', async (_field, argument, list) => {
    const root = service().services.orm.getMetadata().get(list.declaration.entity());
    for (const path of list.declaration.filters.find(filter => filter.argument === argument)!.paths) {
      const links = path.split('.');
      const name = links.pop()!;
      const entity = links.reduce((at, link) => at.properties[link as never]!['targetMeta']!, root);
      // An expression reads the columns of a table, and uses its indexes.
      const rows = await service().sql('select indexdef from pg_indexes where tablename = $1 or $2', [
        entity.tableName,
        entity.expression !== undefined,
      ]);
      expect(rows.flat().join('\n')).toContain(
        `${entity.properties[name as never]!['fieldNames'][0]}_busca gin_trgm_ops`,
      );
    }
  });
});

/**
 * The other query parameters that an operation requires, each with the first key; and a page of one where it has pages.
 */
function beside(one: Parameter, { parameters }: Operation): string {
  const small: Readonly<Record<string, string>> = { pagination: 'true', itemsPerPage: '1' };
  return parameters
    .filter(p => p !== one && p.place === 'query')
    .filter(p => p.name in small || (isNonNullType(p.type) && p.defaultValue === undefined))
    .map(p => `${p.name}=${small[p.name] ?? '1'}&`)
    .join('');
}

describe('over REST', () => {
  const view = legacyView(schema, routes);
  const operations = view.operations.filter(operation =>
    lists.some(list => list.field === operation.field.name),
  );
  const given = operations.flatMap(operation =>
    operation.parameters
      .filter(p => p.place === 'query')
      .map(p => [operation.route.path.replace(/\{\w+\}/, '1'), p.name, p, beside(p, operation)] as const),
  );

  it.each(given)(
    '%s accepts %s as it is spelled, and names it so in its errors',
    async (path, name, { type, rules }, others) => {
      const bad: Readonly<Record<string, string>> = {
        Boolean: 'maybe',
        Int: 'ten',
        Ordem: 'sideways',
        FormatoPlanilha: 'pdf',
        Orientacao: 'upright',
        Date: '2026-02-30',
        Situacao: 'X',
      };
      const good: Readonly<Record<string, string>> = {
        Boolean: 'TRUE',
        Int: String(rules?.['minimum'] ?? 1),
        Ordem: 'Desc',
        FormatoPlanilha: 'XLSX',
        Orientacao: 'Landscape',
        Date: '2026/02/28',
        Situacao: 'a',
        String: 'a',
      };
      const kind = getNamedType(type).name;
      const client = await admin();
      expect((await client.get(`${path}?${others}${name}=${good[kind]!}`)).status).toBe(200);
      if (kind === 'String') return;
      const refused = await client.get(`${path}?${others}${name}=${bad[kind]!}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        code: 'BAD_REQUEST',
        errors: [{ field: expect.stringMatching(new RegExp(`^${name}(\\[0\\])?$`)) }],
      });
    },
  );
});
