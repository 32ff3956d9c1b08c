import { beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders, type Client, type GraphQLAnswer } from './support/client.ts';
import { makeCompany, makeMaterial } from './support/make.ts';
import { useService, type TestService } from './support/service.ts';
import { readThrough, statementsOn } from './support/statements.ts';

const service = useService();
const small = useService({ MAX_ROWS_PER_REQUEST: '1000' });
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);
let admin: Client;
let one: Record<'material' | 'company' | 'batch', number>;

beforeAll(async () => {
  admin = (await service().as('admin')).with(systemHeaders);
  one = await makeBatch(service());
});

/** A batch of a separate material. */
async function makeBatch(on: TestService, quantidade = 5) {
  const [{ id: material }, { id: company }] = [await makeMaterial(on), await makeCompany(on)];
  const [[batch]] = (await on.sql(
    'insert into lote (id_material, id_fabricante, quantidade) values ($1, $2, $3) returning id',
    [material, company, quantidade],
  )) as [[number]];
  return { material, company, batch };
}

/** An effective movement of a batch. Returns its id. */
async function makeMovement(on: TestService, batch: number, data: string, quantidade = 1): Promise<number> {
  const [[id]] = (await on.sql(
    `insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, quantidade, data)
     values ($1, 1, 2, $2, $3) returning id`,
    [batch, quantidade, data],
  )) as [[number]];
  return id;
}

async function answered(query: string, variables?: Record<string, unknown>): Promise<any> {
  const { data, errors } = await admin.graphql(query, variables);
  expect(errors, query).toBeUndefined();
  return data;
}

/** The broken fields of an answer. */
const broken = ({ errors = [] }: GraphQLAnswer): string[] =>
  errors.flatMap(({ extensions }) => extensions.errors?.map(({ field }) => field) ?? [extensions.code]);

const latest = (days: (string | null)[]): string | null =>
  days.reduce((last, day) => (day !== null && (last === null || day > last) ? day : last), null);

const ids = (page: { data: { id: number }[] }): number[] => page.data.map(({ id }) => id);

describe('the pages of linked records', () => {
  const query = (size: number) => `{ materiais(itemsPerPage: ${size}) { data { id
    lotes(filter: { quantidade: { gt: 2 } }, orderBy: [{ quantidade: desc }], itemsPerPage: 2) {
      total totalPages nextCursor data { id } summary { count sum { quantidade } max { dataVenc } }
      groups(by: [{ fabricante: { id: true } }]) { key { fabricante { id } } count sum { quantidade } } } } } }`;

  it('belong to each record, with its own total, sums, groups and cursor', async () => {
    const { materiais } = await answered(query(100));
    const rows = (await sql(
      'select id_material, id, quantidade, id_fabricante, data_venc::text from lote where quantidade > 2 order by quantidade desc, id',
    )) as [number, number, number, number, string | null][];
    expect(materiais.data.length).toBeGreaterThan(50);
    for (const { id, lotes } of materiais.data) {
      const own = rows.filter(([material]) => material === id);
      const sum = (some: typeof own) => some.reduce((all, row) => all + row[2], 0);
      expect(ids(lotes)).toEqual(own.slice(0, 2).map(row => row[1]));
      expect(lotes).toMatchObject({
        total: own.length,
        totalPages: Math.ceil(own.length / 2),
        nextCursor: own.length > 2 ? expect.any(String) : null,
        summary: {
          count: own.length,
          sum: { quantidade: own.length > 0 ? sum(own) : null },
          max: { dataVenc: latest(own.map(row => row[4])) },
        },
      });
      const makers = [...new Set(own.map(row => row[3]))].map(maker => {
        const its = own.filter(row => row[3] === maker);
        return { key: { fabricante: { id: maker } }, count: its.length, sum: { quantidade: sum(its) } };
      });
      expect(lotes.groups).toEqual(
        makers.toSorted((a, b) => b.count - a.count || a.key.fabricante.id - b.key.fabricante.id),
      );
    }
  });

  it('are read in one statement each, whatever the number of records', async () => {
    for (const size of [1, 10, 60])
      expect((await statementsOn(service(), query(size))).statements, `${size}`).toHaveLength(4);
  });

  it('are read in one statement a level', async () => {
    const levels = `{ materiais { data { id lotes { data { id movimentacoes { data { id } } } } } } }`;
    const { statements, data } = await statementsOn(service(), levels);
    expect(statements.length).toBeLessThanOrEqual(4);
    const batches = data.materiais.data.flatMap(({ lotes }: any) => lotes.data);
    expect(batches.flatMap(({ movimentacoes }: any) => movimentacoes.data).length).toBeGreaterThan(20);
  });

  it('are the same for a record that appears twice', async () => {
    const [[batch]] = (await sql(
      'select id_lote from estoque group by 1 having count(*) > 1 order by 1 limit 1',
    )) as [[number]];
    const { estoques } = await answered(
      `{ estoques(filter: { lote: { id: { eq: ${batch} } } }) { data { lote { id movimentacoes { total data { id } } } } } }`,
    );
    const moves = await sql('select id from movimentacao where id_lote = $1 order by id', [batch]);
    expect(estoques.data.length).toBeGreaterThan(1);
    for (const { lote } of estoques.data) {
      expect(lote.movimentacoes.total).toBe(moves.length);
      expect(ids(lote.movimentacoes)).toEqual(moves.flat().slice(0, 10));
    }
  });

  it('take other arguments under other names', async () => {
    const { materiais } = await answered(
      `{ materiais { data { id a: lotes(itemsPerPage: 1) { total data { id } }
         b: lotes(orderBy: [{ id: desc }], itemsPerPage: 2, page: 2) { page data { id } } c: lotes(pagination: false) { itemsPerPage totalPages data { id } } } } }`,
    );
    for (const { a, b, c } of materiais.data) {
      const all = ids(c);
      expect(a).toEqual({ total: all.length, data: all.slice(0, 1).map(id => ({ id })) });
      expect({ page: b.page, ids: ids(b) }).toEqual({ page: 2, ids: all.toReversed().slice(2, 4) });
      expect(c).toMatchObject({ itemsPerPage: all.length, totalPages: 1 });
    }
  });

  it('stand below to-many fields and one record', async () => {
    const { notasFiscais } = await answered(
      '{ notasFiscais { data { lotes { id estoques(itemsPerPage: 1) { total data { lote { id } } } } } } }',
    );
    const batches = notasFiscais.data.flatMap(({ lotes }: any) => lotes);
    const totals = new Map(
      (await sql('select id_lote, count(*)::int from estoque group by 1')) as [number, number][],
    );
    expect(batches.length).toBeGreaterThan(5);
    for (const { id, estoques } of batches) {
      expect(estoques.total).toBe(totals.get(id) ?? 0);
      for (const { lote } of estoques.data) expect(lote.id).toBe(id);
    }
    const { lote } = await answered(`{ lote(id: ${batches[0].id}) { estoques { total } } }`);
    expect(lote.estoques.total).toBe(totals.get(batches[0].id) ?? 0);
  });

  it('stand in the answer of a mutation, and show what it wrote', async () => {
    const { criarIconeRisco } = await answered(
      'mutation { criarIconeRisco(input: { nome: "Novo" }) { id classificacoesRisco { total data { id } } } }',
    );
    expect(criarIconeRisco.classificacoesRisco).toEqual({ total: 0, data: [] });
    const { criarClassificacaoRisco } = await answered(
      `mutation { criarClassificacaoRisco(input: { risco: "Novo", idIconeRisco: ${criarIconeRisco.id} }) {
         id iconeRisco { classificacoesRisco { total data { id } } } } }`,
    );
    const { id, iconeRisco } = criarClassificacaoRisco;
    expect(iconeRisco.classificacoesRisco).toEqual({ total: 1, data: [{ id }] });
  });

  it('refuse a size that no list has', async () => {
    const errors = async (args: string, fields = 'total') =>
      broken(await admin.graphql(`{ material(id: ${one.material}) { lotes${args} { ${fields} } } }`));
    expect(await errors('(itemsPerPage: 1000)')).toEqual([]);
    expect(await errors('(itemsPerPage: 0)')).toEqual(['itemsPerPage']);
    expect(await errors('(itemsPerPage: 1001)')).toEqual(['itemsPerPage']);
    expect(await errors('(page: 0)')).toEqual(['page']);
    expect(await errors('', 'groups(by: [{ id: true }], first: 0) { count }')).toEqual(['first']);
    expect(await errors('', 'groups(by: [{ id: true }], first: 1001) { count }')).toEqual(['first']);
    expect(await errors('', 'groups(by: []) { count }')).toEqual(['by']);
    expect(await errors('', 'groups(by: [{ id: true }]) { key { quantidade } }')).toEqual(['by']);
  });
});

interface CursorPage {
  nextCursor: string | null;
  data: { id: number }[];
}

/** All records of a list, page by page. `between` runs after each page. */
async function walk(
  pageAfter: (after: string | null) => Promise<CursorPage>,
  between: () => Promise<unknown> = async () => {},
): Promise<number[]> {
  const found: number[] = [];
  let after: string | null = null;
  for (let page = 0; page < 1_000; page++) {
    const { nextCursor, data }: CursorPage = await pageAfter(after);
    found.push(...data.map(({ id }) => id));
    if (nextCursor === null) return found;
    after = nextCursor;
    await between();
  }
  throw new Error('it has no end');
}

const pageOf =
  (orderBy: string, size: number, filter = '{}') =>
  async (after: string | null): Promise<CursorPage> =>
    (
      await answered(
        `query ($after: Cursor) { movimentacoesEstoque(orderBy: ${orderBy}, filter: ${filter}, itemsPerPage: ${size}, after: $after) {
           nextCursor data { id } } }`,
        { after },
      )
    ).movimentacoesEstoque;

describe('a cursor', () => {
  beforeAll(async () => {
    await sql(`update lote set data_venc = null where id % 4 = 0`);
  });

  it.each([
    '[]',
    '[{ id: desc }]',
    '[{ observacao: asc }]',
    '[{ observacao: desc }]',
    '[{ quantidade: asc }, { data: desc }]',
    '[{ data: asc }]',
    '[{ flEstorno: desc }, { observacao: desc }]',
    '[{ lote: { dataVenc: asc } }]',
    '[{ lote: { dataVenc: desc } }, { observacao: asc }]',
    '[{ localDestinoFim: { nome: desc } }, { lote: { material: { titulo: asc } } }]',
    '[{ notaFiscal: { numeroNf: asc } }]',
  ])('walks the whole list once, in its order: %s', async orderBy => {
    const { movimentacoesEstoque } = await answered(
      `{ movimentacoesEstoque(orderBy: ${orderBy}, pagination: false) { data { id } } }`,
    );
    const all = ids(movimentacoesEstoque);
    expect(all.length).toBeGreaterThan(1_000);
    expect(await walk(pageOf(orderBy, 137))).toEqual(all);
  });

  it('is of a page of any size, also where a filter looks for empty values', async () => {
    const filter = 'filter: { or: [{ catmat: { isNull: true } }, { catmat: { isNull: false } }] }';
    const first = await answered(`{ materiais(${filter}, itemsPerPage: 7) { nextCursor data { id } } }`);
    const { nextCursor, data } = first.materiais;
    const next = await answered(
      `query($after: Cursor) { materiais(${filter}, after: $after, itemsPerPage: 7) { data { id } } }`,
      { after: nextCursor },
    );
    const both = await answered(`{ materiais(itemsPerPage: 14) { data { id } } }`);
    expect([...data, ...next.materiais.data]).toEqual(both.materiais.data);
  });

  it('neither repeats nor hides records while others are written', async () => {
    const filter = `{ lote: { material: { id: { eq: ${one.material} } } } }`;
    const there: number[] = [];
    for (let day = 10; day < 30; day++)
      there.push(await makeMovement(service(), one.batch, `2026-05-${day}T12:00:00Z`));
    let written = 0;
    const between = async () => {
      written++;
      await makeMovement(service(), one.batch, `2026-05-0${(written % 9) + 1}T12:00:00Z`);
      await makeMovement(service(), one.batch, `2026-06-0${(written % 9) + 1}T12:00:00Z`);
    };
    const found = await walk(pageOf('[{ data: asc }]', 4, filter), async () =>
      written < 5 ? between() : undefined,
    );
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter(id => there.includes(id))).toEqual(there);
    expect(written).toBe(5);
  });

  it('walks the linked records of one record, and begins on a page of many', async () => {
    const { materiais } = await answered(
      `{ materiais(pagination: false) { data { id lotes(orderBy: [{ dataVenc: desc }], itemsPerPage: 1) { nextCursor data { id } } } } }`,
    );
    const many = materiais.data.filter(({ lotes }: any) => lotes.nextCursor !== null);
    expect(many.length).toBeGreaterThan(1);
    const { id, lotes } = many[0] as { id: number; lotes: CursorPage };
    const pageAfter = async (after: string | null): Promise<CursorPage> =>
      (
        await answered(
          `query ($after: Cursor) { material(id: ${id}) { lotes(orderBy: [{ dataVenc: desc }], itemsPerPage: 1, after: $after) { nextCursor data { id } } } }`,
          { after },
        )
      ).material.lotes;
    const all = await sql('select id from lote where id_material = $1 order by data_venc desc, id', [id]);
    expect(await walk(pageAfter)).toEqual(all.flat());
    expect(await walk(async after => (after === null ? lotes : pageAfter(after)))).toEqual(all.flat());
  });

  it('is reported as a broken field on another list, order or filter, together with a page, and if it is invalid', async () => {
    const { nextCursor } = await pageOf('[{ data: asc }]', 5)(null);
    const ask = async (list: string, args: string, after: unknown = nextCursor) =>
      broken(
        await admin.graphql(`query ($after: Cursor) { ${list}(after: $after, ${args}) { data { id } } }`, {
          after,
        }),
      );
    const same = 'filter: {}, orderBy: [{ data: asc }]';
    expect(await ask('movimentacoesEstoque', same)).toEqual([]);
    expect(await ask('movimentacoesEstoque', `${same}, page: 1, itemsPerPage: 9`)).toEqual([]);
    expect(await ask('movimentacoesEstoque', `${same}, page: 2`)).toEqual(['after']);
    expect(await ask('movimentacoesEstoque', `${same}, pagination: false`)).toEqual(['after']);
    expect(await ask('movimentacoesEstoque', 'filter: {}, orderBy: [{ data: desc }]')).toEqual(['after']);
    expect(await ask('movimentacoesEstoque', 'filter: {}, orderBy: [{ id: asc }]')).toEqual(['after']);
    expect(await ask('movimentacoesEstoque', `filter: { id: { gt: 0 } }, orderBy: [{ data: asc }]`)).toEqual([
      'after',
    ]);
    expect(await ask('movimentacoesEstoque', `${same}, idLote: ${one.batch}`)).toEqual(['after']);
    expect(await ask('lotes', 'filter: {}, orderBy: [{ criadoEm: asc }]')).toEqual(['after']);
    const encoded = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const odd = ['x', { a: 1 }, null];
    const members = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as unknown[];
    const forged = [
      [members[0], 'não', 1],
      [members[0], members[1], 'x'],
      [members[0], members[1]],
      [members[0], 1, 1e99],
    ];
    const bad = ['', 'x', nextCursor!.slice(1), encoded(odd)];
    for (const cursor of bad)
      expect(await ask('movimentacoesEstoque', same, cursor), cursor).toEqual(['after']);
    // A forged cursor with values of other types is also refused.
    for (const place of forged)
      expect(['after', 'BAD_REQUEST']).toContain(
        (await ask('movimentacoesEstoque', same, encoded(place)))[0],
      );
  });

  it('of one record is reported as a broken field on the pages of several', async () => {
    const query = (args: string) =>
      `{ materiais(pagination: false) { data { id lotes(itemsPerPage: 1${args}) { nextCursor } } } }`;
    const { materiais } = await answered(query(''));
    const { nextCursor } = materiais.data
      .map(({ lotes }: any) => lotes)
      .find((lotes: any) => lotes.nextCursor);
    expect(new Set(broken(await admin.graphql(query(`, after: "${nextCursor}"`))))).toEqual(
      new Set(['after']),
    );
  });
});

describe('a broken filter or order', () => {
  const ask = async (filter: object, type = 'LoteFilter', list = 'lotes') =>
    admin.post('/graphql', {
      query: `query ($f: ${type}) { ${list}(filter: $f) { total } }`,
      variables: { f: filter },
    });
  const fieldsOf = async (filter: object) => broken((await ask(filter)).body);

  it('is reported for a comparison with null', async () => {
    expect(await fieldsOf({ dataVenc: { eq: null } })).toEqual(['filter.dataVenc.eq']);
    expect(await fieldsOf({ or: [{}, { material: { titulo: { contains: null } } }] })).toEqual([
      'filter.or[1].material.titulo.contains',
    ]);
    expect(await fieldsOf({ dataVenc: null, material: null, and: null, estoques: { some: null } })).toEqual(
      [],
    );
  });

  it('is reported with the limit if it is too deep, too wide, or has too many values', async () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });
    expect(await fieldsOf(deep(11))).toEqual([]);
    const { body } = await ask(deep(12));
    expect(body.errors[0].extensions.errors[0]).toMatchObject({ message: expect.stringContaining('12') });
    const wide = (parts: number): object => ({
      or: Array.from({ length: parts }, () => ({ id: { eq: 1 } })),
    });
    expect(await fieldsOf(wide(99))).toEqual([]);
    const { body: tooWide } = await ask(wide(100));
    expect(tooWide.errors[0].extensions.errors[0].message).toContain('100');
    const long = (values: number): object => ({ id: { in: Array.from({ length: values }, (_, i) => i) } });
    expect(await fieldsOf(long(1_000))).toEqual([]);
    const { body: tooLong } = await ask(long(1_001));
    expect(tooLong.errors[0].extensions.errors[0]).toMatchObject({
      field: 'filter.id.in',
      message: expect.stringMatching(/1[.,]?000/),
    });
    expect(await fieldsOf({ and: [long(600), { not: long(600) }] })).toEqual(['filter.and[1].not.id.in']);
  });

  it.each<[string, object, string]>([
    ['an unknown member', { and: [{ nada: {} }] }, 'filter.and[0].nada'],
    ['a comparison that the column lacks', { dataVenc: { contains: 'x' } }, 'filter.dataVenc.contains'],
    ['a value of another type', { quantidade: { eq: 'x' } }, 'filter.quantidade.eq'],
    [
      'a day that does not exist',
      { dataVenc: { in: ['2026-01-01', '2026-02-30'] } },
      'filter.dataVenc.in[1]',
    ],
    [
      'a number beyond 32 bits',
      { estoques: { some: { quantidade: { gt: 3_000_000_000 } } } },
      'filter.estoques.some.quantidade.gt',
    ],
  ])('has %s', async (_, filter, field) => {
    const { status, body } = await ask(filter);
    expect(status).toBe(400);
    expect(broken(body)).toContain(field);
  });

  it('is reported for an order by two columns at once, or by none', async () => {
    for (const one of [{}, { id: 'asc', quantidade: 'asc' }]) {
      const query = 'query ($o: [LoteOrderBy!]) { lotes(orderBy: $o) { total } }';
      const { status, body } = await admin.post('/graphql', { query, variables: { o: [one] } });
      expect(status).toBe(400);
      expect(broken(body)).toEqual(['orderBy[0]']);
    }
    expect(broken(await admin.graphql('{ lotes(orderBy: [{ material: {} }]) { total } }'))).not.toEqual([]);
  });
});

describe('sums', () => {
  it('are exact beyond 32 bits', async () => {
    const { batch } = await makeBatch(service());
    for (let i = 0; i < 3; i++) await makeMovement(service(), batch, '2026-02-01T12:00:00Z', 2_000_000_001);
    const { lote } = await answered(
      `{ lote(id: ${batch}) { movimentacoes { summary { count sum { quantidade } avg { quantidade } min { quantidade data } }
           groups(by: [{ lote: { id: true } }]) { sum { quantidade } } } } }`,
    );
    expect(lote.movimentacoes).toEqual({
      summary: {
        count: 3,
        sum: { quantidade: 6_000_000_003 },
        avg: { quantidade: 2_000_000_001 },
        min: { quantidade: 2_000_000_001, data: '2026-02-01T12:00:00.000Z' },
      },
      groups: [{ sum: { quantidade: 6_000_000_003 } }],
    });
  });

  it('are of all records of the list, whatever the page, and null without any', async () => {
    const { movimentacoesEstoque, lotes } = await answered(
      `{ movimentacoesEstoque(filter: { quantidade: { gt: 1 } }, itemsPerPage: 1, page: 2) { summary { count sum { quantidade } } }
         lotes(filter: { or: [] }) { summary { count sum { quantidade } max { criadoEm } } groups(by: [{ id: true }]) { count } } }`,
    );
    const [[count, sum]] = (await sql(
      'select count(*)::int, sum(quantidade)::float8 from movimentacao where quantidade > 1',
    )) as [[number, number]];
    expect(movimentacoesEstoque.summary).toEqual({ count, sum: { quantidade: sum } });
    expect(lotes).toEqual({
      summary: { count: 0, sum: { quantidade: null }, max: { criadoEm: null } },
      groups: [],
    });
  });

  it('are grouped by day, month and year where the institution is', async () => {
    const { batch } = await makeBatch(service());
    await makeMovement(service(), batch, '2025-12-31T23:59:59.999-03:00', 1);
    await makeMovement(service(), batch, '2026-01-31T23:30:00-03:00', 2);
    await makeMovement(service(), batch, '2026-02-01T00:00:00-03:00', 4);
    const groups = (by: string) =>
      `${by}: groups(by: [{ data: ${by} }], orderBy: [{ key: { data: asc } }]) { key { data } sum { quantidade } }`;
    const { lote } = await answered(
      `{ lote(id: ${batch}) { movimentacoes { ${['DAY', 'MONTH', 'YEAR'].map(groups).join(' ')} } } }`,
    );
    const shown = (by: string) =>
      lote.movimentacoes[by].map(({ key, sum }: any) => [key.data, sum.quantidade]);
    expect(shown('DAY')).toEqual([
      ['2025-12-31', 1],
      ['2026-01-31', 2],
      ['2026-02-01', 4],
    ]);
    expect(shown('MONTH')).toEqual([
      ['2025-12-01', 1],
      ['2026-01-01', 2],
      ['2026-02-01', 4],
    ]);
    expect(shown('YEAR')).toEqual([
      ['2025-01-01', 1],
      ['2026-01-01', 6],
    ]);
  });

  it('come in the order that was asked for, and the first of them', async () => {
    const { movimentacoesEstoque } = await answered(
      `{ movimentacoesEstoque { groups(by: [{ lote: { material: { id: true, titulo: true } } }, { flEstorno: true }], orderBy: [{ sum: { quantidade: desc } }], first: 3) {
           key { lote { material { id titulo } } flEstorno } count sum { quantidade } } } }`,
    );
    const rows = (await sql(
      `select a.id, a.titulo, m.fl_estorno = 'S', count(*)::int, sum(m.quantidade)::float8 from movimentacao m join lote l on l.id = m.id_lote
       join material a on a.id = l.id_material group by 1, 2, 3 order by 5 desc, 1 limit 3`,
    )) as [number, string, boolean, number, number][];
    expect(movimentacoesEstoque.groups).toEqual(
      rows.map(([id, titulo, flEstorno, count, quantidade]) => ({
        key: { lote: { material: { id, titulo } }, flEstorno },
        count,
        sum: { quantidade },
      })),
    );
  });
});

describe('a request for more than it may read', () => {
  const refused = async (query: string) => {
    const counts: number[] = [];
    const client = await small().as('admin');
    const restore = readThrough(small(), async (read, ...asked) => {
      const rows = await read(...asked);
      const [text] = asked;
      if (!text.includes('from sessao')) counts.push(rows.length);
      return rows;
    });
    try {
      const { errors } = await client.graphql(query);
      expect(errors?.map(({ extensions }) => extensions.code)).toContain('RESULT_TOO_LARGE');
      return counts;
    } finally {
      restore();
    }
  };

  it('is refused before it reads, for the size of its pages', async () => {
    const query = '{ materiais(itemsPerPage: 10) { data { lotes(itemsPerPage: 100) { data { id } } } } }';
    expect(await refused(query)).toEqual([]);
  });

  it('is refused while it reads whole lists of linked records, and reads little more', async () => {
    const counts = await refused(
      '{ materiais(pagination: false) { data { lotes(pagination: false) { data { id movimentacoes(pagination: false) { data { id } } } } } } }',
    );
    expect(counts.length).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_001);
  });

  it('is refused for its groups', async () => {
    const list = 'movimentacoesEstoque { groups(by: [{ id: true }], first: 600) { count } }';
    expect((await (await small().as('admin')).graphql(`{ a: ${list} }`)).errors).toBeUndefined();
    await refused(`{ a: ${list} b: ${list} }`);
    const counts = await refused(
      '{ materiais { data { id } } lotes(pagination: false) { data { movimentacoes { groups(by: [{ id: true }], first: 1000) { count } } } } }',
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_001);
  });
});

describe('a screen of one person with one record on each of five levels', () => {
  const levels = (size: string) => `{
    pessoas(usuario: "tecnico", ${size}) { data { id nome pessoa { permissoes(${size}) { data { id situacao perfil { id nome
      perfisRecurso(${size}) { data { id recurso { id nome }
        perfisRecursoItem(${size}) { data { id descricao nivel ordem situacao controller { id nome } itemMenu { id nome } } }
      } } } } } } } } }`;

  it('is answered', async () => {
    const { data, errors } = await admin.graphql(levels('itemsPerPage: 1'));
    expect(errors).toBeUndefined();
    expect(data.pessoas.data[0].pessoa.permissoes.data[0].perfil.perfisRecurso.data).toHaveLength(1);
  });

  it('is told what helps if it does not say that it is so small', async () => {
    const [error] = (await admin.graphql(levels('itemsPerPage: 10'))).errors!;
    expect(error).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
    expect(error!.message).toMatch(/exceeds the limit "cost".*itemsPerPage below 10/);
  });
});
