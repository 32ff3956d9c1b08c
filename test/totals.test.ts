import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Totals } from '../src/listing/totals.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { listsOf } from './support/lists.ts';
import { makeMaterial } from './support/make.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { statementsOn } from './support/statements.ts';

const service = useService();
/** A list whose total is cached: two of them are longer than the page. */
const COUNTED = '{ materiais(catmat: "CONTADO", pagination: true, itemsPerPage: 1) { total data { id } } }';
/** A search. Its total comes with its rows. */
const ACIDS = COUNTED.replace('catmat: "CONTADO"', 'titulo: "acido"');

/** The total of a list, and the number of statements for it. */
async function total(on: TestService, query = COUNTED): Promise<{ total: number; statements: number }> {
  const { data, statements } = await statementsOn(on, query);
  return { total: data.materiais.total, statements: statements.length };
}

/** Moves the clock of the cache. */
function laterBy(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}
afterEach(() => {
  vi.restoreAllMocks();
});

const counted = async (condition = "catmat = 'CONTADO'"): Promise<number> =>
  Number((await service().sql(`select count(*) as c0 from material where ${condition}`))[0]![0]);

const makeCounted = (on: TestService, catmat = 'CONTADO') =>
  makeMaterial(on, { titulo: 'Ácido contado', catmat });

describe('the total of a list', () => {
  beforeAll(async () => {
    for (const _ of [1, 2, 3]) await makeCounted(service());
  });

  it('is counted once, and reused while nothing was written', async () => {
    const first = await total(service());
    expect(first).toEqual({ total: await counted(), statements: 2 });
    const again = [COUNTED, COUNTED.replace('itemsPerPage: 1', 'itemsPerPage: 1, page: 2')];
    for (const query of again)
      expect(await total(service(), query)).toEqual({ total: first.total, statements: 1 });
  });

  it('comes with the page if text is searched', async () => {
    const truth = await counted("fold(titulo) like '%acido%'");
    for (const query of [ACIDS, ACIDS.replace('itemsPerPage: 1', 'itemsPerPage: 1, page: 2')])
      expect(await total(service(), query)).toEqual({ total: truth, statements: 1 });
  });

  it('is counted for each filter and value', async () => {
    await makeCounted(service(), 'OUTRO');
    const others = await total(service(), COUNTED.replace('CONTADO', 'OUTRO'));
    expect(others.total).toBe(1);
    expect((await total(service())).total).toBe(await counted());
  });

  it('is counted anew after a record was created, changed or deleted', async () => {
    const before = (await total(service())).total;
    const { id } = await makeCounted(service());
    expect((await total(service())).total).toBe(before + 1);
    await service().sql('update material set catmat = null where id = $1', [id]);
    expect((await total(service())).total).toBe(before);
    await service().sql(`update material set catmat = 'CONTADO' where id = $1`, [id]);
    expect((await total(service())).total).toBe(before + 1);
    await service().sql('delete from material where id = $1', [id]);
    expect((await total(service())).total).toBe(before);
  });

  it('is counted anew after a change of a linked record that the filter uses', async () => {
    const [[control]] = (await service().sql(`select max(m.id_tipo_controle) from material m
      join lote l on l.id_material = m.id join estoque e on e.id_lote = l.id`)) as [[number]];
    const query = `{ materiais: estoques(idTipoControle: ${control}, pagination: true, itemsPerPage: 1) {
      total data { idLote } } }`;
    expect((await total(service(), query)).total).toBeGreaterThan(1);
    expect((await total(service(), query)).statements).toBe(1);
    await service().sql('update material set id_tipo_controle = null');
    expect((await total(service(), query)).total).toBe(0);
  });

  it('is not reused after the commit of a write that was open when it was counted', async () => {
    const writer = new Client(service().databaseUrl);
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query(
        "update material set catmat = 'CONTADO' where id = (select max(id) from material where catmat is distinct from 'CONTADO')",
      );
      // A later transaction that committed earlier: even if the newest transaction is visible, older ones may not be.
      await makeMaterial(service(), { titulo: 'Outro' });
      const before = await total(service());
      expect(await total(service())).toEqual({ total: before.total, statements: 1 });
      await writer.query('commit');
      expect((await total(service())).total).toBe(before.total + 1);
    } finally {
      await writer.end();
    }
  });

  it('is counted anew after a minute, even if nobody wrote and it was shown meanwhile', async () => {
    await total(service());
    laterBy(40_000);
    expect((await total(service())).statements).toBe(1);
    vi.restoreAllMocks();
    laterBy(61_000);
    expect((await total(service())).statements).toBe(2);
  });

  describe('with another process on the same database', () => {
    let other: TestService;
    beforeAll(async () => {
      other = await startService({}, service());
    });
    afterAll(() => other.stop());

    it('is correct on both, whatever either writes, commits or rolls back meanwhile', async () => {
      const step = fc.oneof(
        fc.record({ does: fc.constant('make' as const), catmat: fc.constantFrom('CONTADO', 'OUTRO') }),
        fc.record({ does: fc.constantFrom('rename' as const, 'remove' as const, 'rollBack' as const) }),
        fc.record({ does: fc.constant('read' as const) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
          for (const taken of steps) {
            if (taken.does === 'make') await makeCounted(other, taken.catmat);
            else if (taken.does !== 'read') await service().sql(WRITES[taken.does]);
            const [here, there] = await Promise.all([total(service()), total(other)]);
            const truth = await counted();
            expect([here.total, there.total]).toEqual([truth, truth]);
          }
        }),
        { numRuns: 15 },
      );
    });
  });
});

const WRITES = {
  rename: `update material set catmat = case when catmat = 'CONTADO' then 'OUTRO' else 'CONTADO' end
    where id = (select max(id) from material)`,
  remove: `delete from material where id = (select max(id) from material where catmat = 'CONTADO')`,
  rollBack: `do $$ begin insert into material (titulo, descricao, catmat, estado_fisico, id_unidade_medida)
    select 'x', 'x', 'CONTADO', 'L', min(id) from unidade_medida; raise exception 'no';
    exception when raise_exception then null; end $$`,
};

describe('the cache of totals', () => {
  const audited = (): Totals => new Totals({ rows: () => Promise.resolve([['material', 30]]) });
  const three = { total: 3, snapshot: '1:1:' };

  it('has a limit, and evicts the oldest entry first', async () => {
    const totals = audited();
    for (let i = 0; i < 5_000; i++) await totals.keep(`${i}`, ['material'], three);
    await totals.keep('0', ['material'], three);
    await totals.keep('new', ['material'], three);
    expect(['0', '1', '2', 'new'].filter(key => totals.find(key))).toEqual(['0', '2', 'new']);
  });

  it('holds no totals of tables without an audit trail, and no keys of unlimited length', async () => {
    const totals = audited();
    const long = 'a'.repeat(2000);
    await totals.keep('a', ['material', 'fila'], three);
    await totals.keep(long, ['material'], three);
    expect([totals.find('a'), totals.find(long)]).toEqual([undefined, undefined]);
  });

  it('stores nothing while the list of audited tables cannot be read', async () => {
    let isLost = true;
    const totals = new Totals({
      rows: () =>
        isLost ? Promise.reject(new Error('connection lost')) : Promise.resolve([['material', 30]]),
    });
    await totals.keep('a', ['material'], three);
    isLost = false;
    await totals.keep('b', ['material'], three);
    expect([totals.find('a'), totals.find('b')]).toEqual([undefined, expect.objectContaining(three)]);
  });

  it('depends on no column that the audit trail leaves out', async () => {
    const paths = listsOf(await createSchema()).flatMap(({ declaration }) =>
      declaration.filters.flatMap(filter => filter.paths),
    );
    const columns = paths.map(path =>
      path
        .split('.')
        .at(-1)!
        .replace(/[A-Z]/g, c => `_${c.toLowerCase()}`),
    );
    expect(columns).toContain('titulo');
    const silent = await service().sql(
      `select c from unnest($1::text[]) c
       where auditoria_alteracoes(jsonb_build_object(c, 1), jsonb_build_object(c, 2)) = '{}'`,
      [columns],
    );
    expect(silent).toEqual([]);
  });
});
