import { describe, expect, it } from 'vitest';
import { makeChemical } from './support/controlled.ts';
import { makeMaterial } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch } from './support/stock.ts';

/** Level 2 on materials does not take a chemical that has moved out of the register and the map of the Federal Police. */

const service = useService();
const as = (user: string) => service().as(user);
const MATERIALS = '/almoxarifadoquimicos/materiais';

describe('a material that has movements', () => {
  const put = async (user: string, id: number, given: object) => {
    const { body } = await (await as(user)).get(`${MATERIALS}/${id}`);
    // The specification demands the author.
    return (await as(user)).put(`${MATERIALS}/${id}`, { ...body, alterado_por: 1, ...given });
  };
  const identity = { ncm: '3824.99.89', concentracao: 99.5, densidade: 0.79 };

  it.each([
    { lista_pf: 'VII' },
    { ncm: '2807.00.10' },
    { concentracao: 50 },
    { concentracao: null },
    { densidade: 1.84 },
    { densidade: null },
  ])('gets %o only with level 3', async given => {
    const { id } = await makeChemical(service(), identity);
    const refused = await put('tecnico', id, given);
    expectProblem(refused, 403, 'FORBIDDEN');
    expect(refused.body.detail).toMatch(/nível 3 em materiais/);
    expect((await put('almoxarife', id, given)).body).toMatchObject(given);
  });

  it('is kept by GraphQL, too', async () => {
    const { id } = await makeChemical(service(), identity);
    const { body } = await (await as('admin')).get(`${MATERIALS}/${id}`);
    const { titulo, descricao, id_unidade_medida } = body;
    const given = { titulo, descricao, idUnidadeMedida: id_unidade_medida, estadoFisico: 'LIQUIDO' };
    const change = async (user: string) => {
      const mutation =
        'mutation ($id: Int!, $input: MaterialInput!) { atualizarMaterial(id: $id, input: $input) { id } }';
      const variables = { id, input: { ...given, listaPf: 'VII' } };
      return (await (await as(user)).graphql(mutation, variables)).errors?.[0]?.extensions.code;
    };
    expect(await change('tecnico')).toBe('FORBIDDEN');
    expect(await change('almoxarife')).toBeUndefined();
  });

  it('gets with level 2 what it lacked, and what says nothing else than before', async () => {
    const { id } = await makeChemical(service(), { concentracao: null, densidade: null });
    expect((await put('tecnico', id, { ...identity, lista_pf: 'II' })).body).toMatchObject(identity);
    expect((await put('tecnico', id, { descricao: 'Outra' })).status).toBe(200);
  });
});

describe('the unit of a material', () => {
  const change = async (user: string, id: number, fator: number, unidade = 'L') => {
    const mutation = `mutation { atualizarUnidadeMedida(id: ${id}, input: { unidadeControle: ${unidade}, fatorControle: ${fator} }) { fatorControle } }`;
    const { data, errors } = await (await as(user)).graphql(mutation);
    return errors?.[0]?.extensions.code ?? data.atualizarUnidadeMedida.fatorControle;
  };
  const unitOf = async (id: number): Promise<number> =>
    (await (await as('admin')).get(`${MATERIALS}/${id}`)).body.id_unidade_medida;

  it('is reported otherwise only with level 3, once a material that is counted in it has movements', async () => {
    const { id } = await makeChemical(service());
    const unit = await unitOf(id);
    const fator = 0.5;
    await service().sql('update unidade_medida set fator_controle = $2 where id = $1', [unit, fator]);
    expect(await change('tecnico', unit, fator)).toBe(fator);
    expect(await change('tecnico', unit, fator * 1000)).toBe('FORBIDDEN');
    expect(await change('tecnico', unit, fator, 'KG')).toBe('FORBIDDEN');
    expect(await change('almoxarife', unit, fator * 1000)).toBe(fator * 1000);
  });

  it('gets with level 2 what it lacked, and anything while nothing has moved', async () => {
    const lacking = await unitOf((await makeBatch(service())).id_material);
    expect(await change('tecnico', lacking, 0.001)).toBe(0.001);
    const unused = await unitOf((await makeMaterial(service())).id);
    for (const factor of [0.001, 1]) expect(await change('tecnico', unused, factor)).toBe(factor);
  });
});

describe('the substances of a mixture', () => {
  const write = async (user: string, mutation: string) => {
    const { data, errors } = await (await as(user)).graphql(`mutation { ${mutation} }`);
    return errors?.[0]?.extensions.code ?? Object.values<any>(data)[0].id;
  };
  const input = (material: number, codigo = 'TPN40000001', concentracao = 20): string =>
    `input: { idMaterial: ${material}, codigoPf: "${codigo}", concentracao: ${concentracao} }`;
  const add = (user: string, ...given: Parameters<typeof input>) =>
    write(user, `criarSubstanciaControlada(${input(...given)}) { id }`);
  const change = (user: string, id: number, ...given: Parameters<typeof input>) =>
    write(user, `atualizarSubstanciaControlada(id: ${id}, ${input(...given)}) { id }`);
  const remove = (user: string, id: number) => write(user, `excluirSubstanciaControlada(id: ${id}) { id }`);
  const plain = async (): Promise<number> => (await makeMaterial(service())).id;
  const used = async (): Promise<number> => (await makeBatch(service())).id_material;

  it('are added with level 2, because that only adds a control', async () => {
    const id = await used();
    expect(await add('tecnico', id)).toBeTypeOf('number');
    expect(await add('tecnico', id, 'TPN40000002')).toBeTypeOf('number');
  });

  it('are changed and removed only with level 3, once a material concerned has movements', async () => {
    const [id, unused] = [await used(), await plain()];
    const substance = await add('tecnico', id);
    const elsewhere = await add('tecnico', unused, 'TPN40000003');
    expect(await change('tecnico', substance, id, 'TPN40000002')).toBe('FORBIDDEN');
    expect(await change('tecnico', substance, id, 'TPN40000001', 1)).toBe('FORBIDDEN');
    expect(await change('tecnico', substance, unused)).toBe('FORBIDDEN');
    expect(await change('tecnico', elsewhere, id, 'TPN40000003')).toBe('FORBIDDEN');
    expect(await remove('tecnico', substance)).toBe('FORBIDDEN');
    expect(await change('tecnico', substance, id)).toBe(substance);
    expect(await change('almoxarife', substance, unused, 'TPN40000002', 1)).toBe(substance);
    expect(await change('almoxarife', substance, id)).toBe(substance);
    expect(await remove('almoxarife', substance)).toBe(substance);
  });

  it('make a mixture of a material with a code of its own only with level 3', async () => {
    const { id } = await makeChemical(service());
    expect(await add('tecnico', id)).toBe('FORBIDDEN');
    expect(await add('almoxarife', id)).toBeTypeOf('number');
  });

  it('are left to level 2 while nothing has moved', async () => {
    const id = await plain();
    await service().sql(`update material set codigo_pf = 'TPN40000009' where id = $1`, [id]);
    const substance = await add('tecnico', id);
    expect(await change('tecnico', substance, id, 'TPN40000001', 1)).toBe(substance);
    expect(await remove('tecnico', substance)).toBe(substance);
  });
});
