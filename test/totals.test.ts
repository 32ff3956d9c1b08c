import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMaterial } from './support/make.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { statementsOn } from './support/statements.ts';

const service = useService();
const ACIDS = '{ materiais(titulo: "acido", pagination: true, itemsPerPage: 1) { total data { id } } }';

/** The total of a list, and how many statements it took. */
async function total(on: TestService, query = ACIDS): Promise<{ total: number; statements: number }> {
  const { data, statements } = await statementsOn(on, query);
  return { total: data.materiais.total, statements: statements.length };
}

const counted = async (): Promise<number> =>
  Number(
    (await service().sql("select count(*) as c0 from material where fold(titulo) like '%acido%'"))[0]![0],
  );

describe('the total of a list', () => {
  it('is counted once, and reused while nothing was written', async () => {
    const all = ACIDS.replace('titulo: "acido", ', '');
    const first = await total(service(), all);
    expect(first.statements).toBe(2);
    expect(await total(service(), all)).toEqual({ total: first.total, statements: 1 });
    expect(await total(service(), all.replace('itemsPerPage: 1', 'itemsPerPage: 1, page: 2'))).toEqual({
      total: first.total,
      statements: 1,
    });
  });

  it('comes with the page if text is searched', async () => {
    const first = await total(service());
    expect(first).toEqual({ total: await counted(), statements: 1 });
    expect(await total(service(), ACIDS.replace('itemsPerPage: 1', 'itemsPerPage: 1, page: 2'))).toEqual({
      total: first.total,
      statements: 1,
    });
  });

  it('is counted once for all clients that ask at once', async () => {
    const admin = await service().as('admin');
    const { listing } = service().services;
    const { reader } = listing;
    let counts = 0;
    listing.reader = {
      rows: (text, values) => (
        (counts += text.startsWith('select (select count(*)') ? 1 : 0),
        reader.rows(text, values)
      ),
    };
    try {
      for (const titulo of ['Um', 'Outro']) await makeMaterial(service(), { titulo, catmat: 'CONTADO' });
      const query = ACIDS.replace('titulo: "acido"', 'catmat: "CONTADO"');
      const pages = [query, query.replace('data { id }', 'data { titulo }')];
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => admin.graphql(pages[i % 2]!)));
      const totals = new Set(answers.map(({ data }) => data.materiais.total as number));
      expect([...totals]).toEqual([2]);
      expect([1, 2]).toContain(counts);
    } finally {
      listing.reader = reader;
    }
  });

  it('is counted for each filter and value', async () => {
    await total(service());
    const others = await total(service(), ACIDS.replace('"acido"', '"etanol"'));
    expect(others.total).not.toBe((await total(service())).total);
  });

  it('is counted anew after a record was created, changed or deleted', async () => {
    const before = (await total(service())).total;
    const { id } = await makeMaterial(service(), { titulo: 'Ácido contado' });
    expect(await total(service())).toEqual({ total: before + 1, statements: 2 });
    await service().sql('update material set titulo = $1 where id = $2', ['Base contada', id]);
    expect(await total(service())).toEqual({ total: before, statements: 2 });
    await service().sql('update material set titulo = $1 where id = $2', ['Ácido contado', id]);
    expect((await total(service())).total).toBe(before + 1);
    await service().sql('delete from material where id = $1', [id]);
    expect(await total(service())).toEqual({ total: before, statements: 2 });
  });

  it('is counted anew after a change of a linked record that the filter uses', async () => {
    const query =
      '{ materiais(tipoControle: "federal", pagination: true, itemsPerPage: 1) { total data { id } } }';
    const before = await total(service(), query);
    expect(before.total).toBeGreaterThan(1);
    expect((await total(service(), query)).statements).toBe(1);
    await service().sql("update tipo_controle set descricao = 'Nenhum ' || id");
    expect(await total(service(), query)).toMatchObject({ total: 0 });
  });

  it('is not reused after the commit of a write that was open when it was counted', async () => {
    const writer = new Client(service().databaseUrl);
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query(
        "update material set titulo = 'Ácido tardio' where id = (select max(id) from material where fold(titulo) not like '%acido%')",
      );
      // A later transaction that committed earlier: seeing the newest does not mean seeing all.
      await makeMaterial(service(), { titulo: 'Outro' });
      const before = await total(service());
      expect(await total(service())).toEqual({ total: before.total, statements: 1 });
      await writer.query('commit');
      expect(await total(service())).toEqual({ total: before.total + 1, statements: 2 });
    } finally {
      await writer.end();
    }
  });

  describe('with another process on the same database', () => {
    let other: TestService;
    beforeAll(async () => {
      other = await startService({}, service());
    });
    afterAll(() => other.stop());

    it('is correct on both, whatever either writes, commits or rolls back meanwhile', async () => {
      const step = fc.oneof(
        fc.record({ does: fc.constant('make' as const), titulo: fc.constantFrom('Ácido a', 'Base a') }),
        fc.record({ does: fc.constantFrom('rename' as const, 'remove' as const, 'rollBack' as const) }),
        fc.record({ does: fc.constant('read' as const) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
          for (const taken of steps) {
            if (taken.does === 'make') await makeMaterial(other, { titulo: taken.titulo });
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
  rename: `update material set titulo = case when fold(titulo) like '%acido%' then 'Base a' else 'Ácido a' end
    where id = (select max(id) from material)`,
  remove: `delete from material where id = (select max(id) from material where titulo in ('Ácido a', 'Base a'))`,
  rollBack: `do $$ begin insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
    select 'Ácido a', 'x', 'L', min(id) from unidade_medida; raise exception 'no'; exception when raise_exception then null; end $$`,
};
