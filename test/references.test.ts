import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

/** Bodies of the specification, with one level of lists. */
type Body = Record<string, unknown>;

const service = useService();
const area = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };
const NOWHERE = 2_147_483_647;
let client: Client;
/** A valid body for each path, created again for each request. */
let bodies: Record<string, Body>;

beforeAll(async () => {
  client = await service().as('admin');
  const made = await Promise.all([makeMaterial(service()), makeCompany(service()), makePlace(service())]);
  const [material, company, place] = made.map(({ id }) => id);
  const batch = {
    id_material: material,
    id_fabricante: company,
    quantidade: 5,
    id_local: place,
    id_local_destino: place,
    ...authors,
  };
  const { id: lote } = (await client.post(`${area}/lotes`, batch)).body as { id: number };
  const movement = {
    id_lote: lote,
    id_tipo_movimentacao: 3,
    quantidade: 1,
    id_local_origem_fim: place,
    id_local_origem_arm: place,
    id_local_destino_fim: (await makePlace(service())).id,
    id_local_destino_arm: place,
    id_nota_fiscal: null,
    fl_estorno: 'N',
  };
  bodies = {
    [`${area}/lotes`]: batch,
    [`${area}/estoques`]: { id_lote: lote, id_local_fim: place, id_local_armazenado: place, quantidade: 1 },
    [`${area}/movimentacoes-estoque`]: { movimentacoes: [movement] },
    [`${area}/materiais`]: {
      titulo: 'Material de referências',
      descricao: 'D',
      estado_fisico: 'L',
      id_unidade_medida: 1,
      id_tipo_controle: null,
      riscos: [{ id_classificacao_risco: 1 }],
      ...authors,
    },
  };
});

/** Each reference in a body, with its path and a body in which only this one does not exist. */
function astray(body: Body, path = ''): { field: string; body: Body }[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = path + name;
    if (Array.isArray(value))
      return astray(value[0] as Body, `${field}[0].`).map(found => ({
        ...found,
        body: { ...body, [name]: [found.body] },
      }));
    return name.startsWith('id_') ? [{ field, body: { ...body, [name]: NOWHERE } }] : [];
  });
}

const countEverything = (): Promise<unknown[][]> =>
  service().sql(
    'select (select count(*) from lote), (select count(*) from movimentacao), (select count(*) from material), (select sum(quantidade) from estoque)',
  );

describe('an id that no record has', () => {
  it.each(['lotes', 'estoques', 'movimentacoes-estoque', 'materiais'])(
    'is named by its path anywhere in a body of %s, and nothing is written',
    async path => {
      const before = await countEverything();
      for (const { field, body } of astray(bodies[`${area}/${path}`]!)) {
        const answer = await client.post(`${area}/${path}`, body);
        expectProblem(answer, 422, 'VALIDATION_FAILED');
        expect(fieldsOf(answer)).toEqual([field]);
      }
      expect(await countEverything()).toEqual(before);
      expect((await client.post(`${area}/${path}`, bodies[`${area}/${path}`]!)).status).toBe(201);
    },
  );

  it('is reported with all others', async () => {
    const [movement] = (bodies[`${area}/movimentacoes-estoque`] as { movimentacoes: Body[] }).movimentacoes;
    const lost = {
      ...movement,
      id_lote: NOWHERE,
      id_local_origem_fim: NOWHERE,
      id_local_destino_arm: NOWHERE,
    };
    const answer = await client.post(`${area}/movimentacoes-estoque`, {
      movimentacoes: [movement, lost, lost],
    });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    const fields = ['id_lote', 'id_local_origem_fim', 'id_local_destino_arm'];
    expect(fieldsOf(answer).toSorted()).toEqual(
      [1, 2].flatMap(i => fields.map(field => `movimentacoes[${i}].${field}`)).toSorted(),
    );
  });

  it('is reported with a rule that is broken', async () => {
    const answer = await client.post(`${area}/lotes`, {
      ...bodies[`${area}/lotes`],
      id_material: NOWHERE,
      quantidade: 0,
    });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer).toSorted()).toEqual(['id_material', 'quantidade']);
  });
});
