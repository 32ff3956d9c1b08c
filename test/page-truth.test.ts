import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMaterial } from './support/make.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { statementsOn } from './support/statements.ts';

const service = useService();
const RARE = 'Raríssimo';
const page = `{
  materiais(titulo: "rarissimo", pagination: true, itemsPerPage: 2, orderByTitulo: asc) {
    total data { id titulo unidadeMedida { sigla } riscos { classificacaoRisco { risco } } }
  }
}`;

/** The page as a client sees it, in the format of `truth`. */
async function shown(on: TestService): Promise<unknown[]> {
  const { total, data } = (await statementsOn(on, page)).data.materiais;
  return data.map(({ titulo, unidadeMedida, riscos }: any) => ({
    titulo,
    sigla: unidadeMedida.sigla,
    total,
    riscos: riscos.map(({ classificacaoRisco: { risco } }: any) => risco as string),
  }));
}

const TRUTH = `select m.titulo, u.sigla, count(*) over ()::int,
  coalesce((select array_agg(c.risco order by r.id) from risco_material r
    join classificacao_risco c on c.id = r.id_classificacao_risco where r.id_material = m.id), '{}')
from material m join unidade_medida u on u.id = m.id_unidade_medida
where fold(m.titulo) like '%rarissimo%' order by m.titulo collate pt_br, m.id limit 2`;

const truth = async (): Promise<unknown[]> =>
  (await service().sql(TRUTH)).map(([titulo, sigla, total, riscos]) => ({ titulo, sigla, total, riscos }));

describe('a page of a list', () => {
  let other: TestService;
  beforeAll(async () => {
    other = await startService({}, service());
    for (const letter of ['a', 'b', 'c'])
      await makeMaterial(service(), { titulo: `${RARE} ${letter}`, riscos: 2 });
  });
  afterAll(() => other.stop());

  it('is true at the moment it is shown, on each of two processes, whatever is written meanwhile', async () => {
    const write = fc.constantFrom(...Object.values(WRITES));
    const step = fc.oneof(write, fc.constant(undefined));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
        for (const sql of steps) {
          if (sql) await service().sql(sql);
          const pages = await Promise.all([shown(service()), shown(other)]);
          const expected = await truth();
          expect(pages).toEqual([expected, expected]);
        }
      }),
      { numRuns: 15 },
    );
  });
});

const WRITES = {
  make: `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
    select '${RARE} ' || substr(md5(random()::text), 1, 3), 'x', 'L', min(id) from unidade_medida`,
  rename: `update material set titulo = '${RARE} ' || substr(md5(random()::text), 1, 3)
    where id = (select min(id) from material where titulo like '${RARE}%')`,
  remove: `delete from material where id = (select max(m.id) from material m where titulo like '${RARE}%'
    and not exists (select from risco_material r where r.id_material = m.id))`,
  link: `update material set id_unidade_medida = (select id from unidade_medida order by random() limit 1)
    where titulo like '${RARE}%'`,
  below: `insert into risco_material (id_material, id_classificacao_risco)
    select m.id, c.id from material m, classificacao_risco c where m.titulo like '${RARE}%' order by random() limit 1
    on conflict do nothing`,
  apart: `delete from risco_material where id in (select r.id from risco_material r join material m on m.id = r.id_material
    where m.titulo like '${RARE}%' order by random() limit 1)`,
};
