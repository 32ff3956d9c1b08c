import { describe, expect, it } from 'vitest';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const companies = '/almoxarifadoquimicos/empresas';
const kinds = '/almoxarifadoquimicos/tipos-empresas';
const authors = { criado_por: 1, alterado_por: 1 };

async function kind(obriga_cnpj: string): Promise<number> {
  const { body } = await (
    await service().as('admin')
  ).post(kinds, { descricao: `Tipo ${obriga_cnpj}`, obriga_cnpj });
  return body.id as number;
}

describe('a company', () => {
  it('stores its CNPJ without punctuation, letters included, and is found with or without punctuation', async () => {
    const admin = await service().as('admin');
    const created = await admin.post(companies, {
      nome: 'Única Química',
      cnpj: '45.abc.678/0001-95',
      id_tipo_empresa: await kind('S'),
      ...authors,
    });
    expect(created.status).toBe(201);
    expect(created.body.cnpj).toBe('45ABC678000195');
    for (const given of ['45.ABC.678/0001-95', '45abc678000195']) {
      const found = await admin.get(`${companies}?cnpj=${encodeURIComponent(given)}`);
      expect(found.body.data.map((company: any) => company.id)).toEqual([created.body.id]);
    }
    const again = await admin.post(companies, {
      cnpj: '45ABC678000195',
      id_tipo_empresa: created.body.id_tipo_empresa,
      ...authors,
    });
    expectProblem(again, 409, 'DUPLICATE');
    expect(fieldsOf(again)).toEqual(['cnpj']);
  });

  it('must have a CNPJ only if its kind requires one', async () => {
    const admin = await service().as('admin');
    const [must, may] = [await kind('S'), await kind('N')];
    for (const cnpj of ['', null]) {
      const refused = await admin.post(companies, { cnpj, id_tipo_empresa: must, ...authors });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['cnpj']);
      const taken = await admin.post(companies, {
        nome: 'Sem número',
        cnpj,
        id_tipo_empresa: may,
        ...authors,
      });
      expect(taken.body).toMatchObject({ nome: 'Sem número', cnpj: null });
    }
    const absent = await admin.post(companies, { id_tipo_empresa: may, ...authors });
    expect(fieldsOf(absent)).toEqual(['cnpj']);
  });

  it('is refused with an invalid CNPJ, on both faces', async () => {
    const admin = await service().as('admin');
    const tipo = await kind('N');
    expect(fieldsOf(await admin.post(companies, { cnpj: '123', id_tipo_empresa: tipo, ...authors }))).toEqual(
      ['cnpj'],
    );
    const { errors } = await admin.graphql(
      `mutation { criarEmpresa(input: { cnpj: "123", idTipoEmpresa: ${tipo} }) { id } }`,
    );
    expect(errors![0]!.extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'cnpj' }] });
  });

  it('without a CNPJ cannot change to a kind that requires one, and nothing changes', async () => {
    const admin = await service().as('admin');
    const [must, may] = [await kind('S'), await kind('N')];
    const { body } = await admin.post(companies, { cnpj: null, id_tipo_empresa: may, ...authors });
    expectProblem(
      await admin.put(`${companies}/${body.id}`, { id_tipo_empresa: must, ...authors }),
      422,
      'VALIDATION_FAILED',
    );
    expect((await admin.get(`${companies}/${body.id}`)).body.id_tipo_empresa).toBe(may);
  });
});

describe('a type of company', () => {
  it('has S or N as obriga_cnpj, and N by default', async () => {
    const admin = await service().as('admin');
    expect((await admin.post(kinds, { descricao: 'Outra' })).body.obriga_cnpj).toBe('N');
    expect(fieldsOf(await admin.post(kinds, { obriga_cnpj: 'X' }))).toEqual(['obriga_cnpj']);
  });

  it('cannot be deleted while a company has it', async () => {
    const admin = await service().as('admin');
    const id = await kind('N');
    const { body } = await admin.post(companies, { cnpj: null, id_tipo_empresa: id, ...authors });
    const refused = await admin.delete(`${kinds}/${id}`);
    expectProblem(refused, 409, 'REFERENCED');
    expect(refused.body.detail).toBe('O registro é usado por uma empresa.');
    expect((await admin.delete(`${companies}/${body.id}`)).body.tipo_empresa.id).toBe(id);
    expect((await admin.delete(`${kinds}/${id}`)).status).toBe(200);
  });
});
