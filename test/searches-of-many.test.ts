import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { statementsOn } from './support/statements.ts';
import { makeMaterial } from './support/make.ts';
import { useService } from './support/service.ts';

const service = useService();
const sql = (text: string, values?: unknown[]) => service().sql(text, values);

/** Materials of which half are called acids, a tenth rare and a 41st unique, in no order. Triggers would only take time. */
const FILL = [
  'alter table material disable trigger user',
  `insert into material (titulo, titulo_busca, descricao, estado_fisico, id_unidade_medida, id_tipo_controle)
  select initcap(name), name, 'Lote ' || n % 100, 'L', 1 + n % 3, 1 from generate_series(1, 41000) n cross join lateral (
    select case n % 2 when 0 then 'acido ' else 'base ' end || md5(n::text)
      || case n % 10 when 0 then ' raro' else '' end || case n % 41 when 0 then ' unico' else '' end name) m`,
  'alter table material enable trigger user',
];

/** The page of a search, after its matches were counted. */
async function pageOf(
  list: string,
  way = 'auditoria_escrita_desde',
): Promise<{ statement: string; data: any }> {
  const search = /titulo: "\w+"|filter: {.*} }/.exec(list)![0];
  await statementsOn(service(), `{ materiais(${search}, pagination: true) { total } }`);
  const { statements, data } = await statementsOn(
    service(),
    `{ materiais(${list}) { total nextCursor data { id titulo } } }`,
  );
  expect(statements).toEqual([expect.stringContaining(way)]);
  return { statement: statements[0]!, data: data.materiais };
}

const expected = (order: string, limit: number, offset: number, where = `titulo_busca like '%acido%'`) =>
  sql(`select id, titulo from material where ${where} order by ${order}, id limit $1 offset $2`, [
    limit,
    offset,
  ]);

const shown = (data: any) => data.data.map(({ id, titulo }: any) => [id, titulo]);

beforeAll(async () => {
  for (const statement of FILL) await sql(statement);
  await sql('vacuum analyze material');
});

describe('a page of a search that thousands of rows match', () => {
  it.each([
    ['asc', 1],
    ['desc', 1],
    ['asc', 5],
    ['desc', 5],
  ])('is the same as in a sorted search, %s, page %i', async (direction, page) => {
    const { data } = await pageOf(
      `titulo: "raro", pagination: true, itemsPerPage: 20, page: ${page}, orderByTitulo: ${direction}`,
    );
    const where = "titulo_busca like '%raro%'";
    expect(shown(data)).toEqual(
      await expected(`titulo collate pt_br ${direction}`, 20, 20 * (page - 1), where),
    );
    expect([data.total]).toEqual((await sql(`select count(*)::int from material where ${where}`))[0]);
  });

  it('is found in an index, without the rows', async () => {
    const { statement } = await pageOf('titulo: "acido", pagination: true, orderByTitulo: asc');
    const keys = /\((select t\."id" from .* limit 11)\) k /s.exec(statement)![1]!;
    const client = new Client(service().databaseUrl);
    await client.connect();
    try {
      await client.query('set plan_cache_mode = force_generic_plan');
      await client.query(`prepare page(text) as ${keys}`);
      const { rows } = await client.query(`explain execute page('acido')`);
      expect(JSON.stringify(rows)).toContain('Index Only Scan using material_titulo_sort');
    } finally {
      await client.end();
    }
  });

  it('is gathered if fewer match, because all of them may come late in the order', async () => {
    const where = "titulo_busca like '%unico%'";
    const list = 'titulo: "unico", pagination: true, orderByTitulo: desc';
    const { data } = await pageOf(list, 'k.total');
    expect(shown(data)).toEqual(await expected('titulo collate pt_br desc', 10, 0, where));
    // Without the index for this order, more matches are gathered.
    await pageOf('titulo: "raro", pagination: true, orderByCas: asc', 'k.total');
  });

  it('continues after its cursor', async () => {
    const first = await pageOf('titulo: "acido", pagination: true, itemsPerPage: 10, orderByTitulo: asc');
    const after = JSON.stringify(first.data.nextCursor);
    const { data } = await pageOf(
      `titulo: "acido", pagination: true, itemsPerPage: 10, orderByTitulo: asc, after: ${after}`,
    );
    expect(shown(data)).toEqual(await expected('titulo collate pt_br', 10, 10));
  });

  it('is right with a composed filter, and with an order by another column', async () => {
    const filtered = await pageOf(
      'filter: { titulo: { contains: "acido" }, descricao: { ne: "Lote 4" } }, pagination: true, orderByTitulo: asc',
    );
    expect(shown(filtered.data)).toEqual(
      await expected('titulo collate pt_br', 10, 0, `titulo_busca like '%acido%' and descricao <> 'Lote 4'`),
    );
    const byUnit = await pageOf('titulo: "acido", pagination: true, orderByUnidadeMedida: desc');
    expect(shown(byUnit.data)).toEqual(
      await expected(
        '(select u.descricao from unidade_medida u where u.id = id_unidade_medida) collate pt_br desc',
        10,
        0,
      ),
    );
    const ordered = await pageOf('titulo: "acido", pagination: true, orderBy: [{ descricao: ASC }]');
    expect(shown(ordered.data)).toEqual(await expected('descricao collate pt_br', 10, 0));
  });

  it.each(['asc', 'desc'])(
    'begins where it began before, until something is written, %s',
    async direction => {
      const list = (page = 1) =>
        `titulo: "raro", pagination: true, itemsPerPage: 20, page: ${page}, orderByTitulo: ${direction}`;
      const read = async (page = 1) => {
        const query = `{ materiais(${list(page)}) { total data { id titulo } } }`;
        const { statements, data } = await statementsOn(service(), query);
        const begins = `t."titulo" collate "pt_br" ${direction === 'asc' ? '>=' : '<='} $2`;
        const isBegun = statements.map(statement => statement.includes(begins));
        return { isBegun, total: data.materiais.total, rows: shown(data.materiais) };
      };
      const sorted = (page = 1) =>
        expected(`titulo collate pt_br ${direction}`, 20, 20 * (page - 1), "titulo_busca like '%raro%'");
      const { total } = (await pageOf(list())).data;
      for (const page of [1, 3])
        expect(await read(page)).toEqual({ isBegun: [true], total, rows: await sorted(page) });

      const [before, after] = direction === 'asc' ? ['A raro', 'Z raro'] : ['Z raro', 'A raro'];
      const { id } = await makeMaterial(service(), { titulo: before });
      expect(await read()).toEqual({ isBegun: [true, false], total: total + 1, rows: await sorted() });
      expect((await sorted())[0]![0]).toBe(id);

      expect((await read()).isBegun).toEqual([false]);
      expect((await read()).isBegun).toEqual([true]);
      await sql('update material set titulo = $2 where id = $1', [id, after]);
      expect(await read()).toEqual({ isBegun: [true, false], total: total + 1, rows: await sorted() });
      expect((await sorted())[0]![0]).not.toBe(id);
      expect((await read()).isBegun).toEqual([false]);
      expect(await read(1000)).toEqual({ isBegun: [true, false, false], total: total + 1, rows: [] });
      await sql('delete from material where id = $1', [id]);
    },
  );

  it('begins elsewhere when a record changes by which it is ordered, and on which its total does not depend', async () => {
    const order = '(select u.descricao from unidade_medida u where u.id = id_unidade_medida) collate pt_br';
    const list = 'titulo: "acido", pagination: true, orderByUnidadeMedida: asc';
    const { data } = await pageOf(list);
    const read = async () =>
      shown(
        (await statementsOn(service(), `{ materiais(${list}) { total data { id titulo } } }`)).data.materiais,
      );
    expect(await read()).toEqual(shown(data));
    // The materials that were entered have the units 1 to 3 in turn.
    await sql(
      `update unidade_medida set descricao = '!' || descricao
      where id = (select 1 + id_unidade_medida % 3 from material where id = $1)`,
      [data.data[0].id],
    );
    expect(await read()).toEqual(await expected(order, 10, 0));
    expect(await read()).not.toEqual(shown(data));
  });

  it('shows a row that was added after the matches were counted, and counts it', async () => {
    const before = await pageOf('titulo: "acido", pagination: true, orderByTitulo: asc');
    const { id } = await makeMaterial(service(), { titulo: 'A acido, o primeiro' });
    const { statements, data } = await statementsOn(
      service(),
      '{ materiais(titulo: "acido", pagination: true, orderByTitulo: asc) { total data { id } } }',
    );
    expect(statements.at(-1)).toContain('auditoria_escrita_desde');
    expect(data.materiais.total).toBe(before.data.total + 1);
    expect(data.materiais.data[0].id).toBe(id);
  });
});
