import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const area = '/almoxarifadoquimicos';
const authors = { criado_por: 1, alterado_por: 1 };

interface Resource {
  path: string;
  /** GraphQL name of the record, as in `criarX`. */
  name: string;
  written: Record<string, unknown>;
  changed: Record<string, unknown>;
  /** Whether bodies name the authors of the record. */
  hasAuthors: boolean;
}

const resources: Resource[] = [
  {
    path: `${area}/classificacoes-risco`,
    name: 'ClassificacaoRisco',
    written: { id_icone_risco: 2, risco: 'Pirofórico', descricao: 'Inflama-se ao ar' },
    changed: { id_icone_risco: 3, risco: 'Oxidante forte', descricao: null },
    hasAuthors: true,
  },
  {
    path: `${area}/icones-risco`,
    name: 'IconeRisco',
    written: { icone: 'data:image/svg+xml,%3Csvg/%3E', nome: 'Teste', descricao: 'Um ícone' },
    changed: { icone: 'https://example.org/i.png', nome: 'Outro', descricao: null },
    hasAuthors: false,
  },
  {
    path: `${area}/riscos-material`,
    name: 'RiscoMaterial',
    written: { id_material: 1, id_classificacao_risco: 11 },
    changed: { id_material: 2, id_classificacao_risco: 12 },
    hasAuthors: true,
  },
];

const camel = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

describe.each(resources)('$path', ({ path, name, written, changed, hasAuthors }) => {
  const signed = (fields: object) => (hasAuthors ? { ...fields, ...authors } : fields);

  it('creates, reads, changes and deletes on REST', async () => {
    const admin = await service().as('admin');
    await service().sql('delete from risco_material where id_material < 3');
    const created = await admin.post(path, signed(written));
    expect(created).toMatchObject({ status: 201, body: signed(written) });
    const location = created.headers.get('location')!;
    expect(location).toBe(`${path}/${created.body.id}`);
    expect((await admin.get(location)).body).toEqual(created.body);
    const updated = await admin.put(location, signed(changed));
    expect(updated).toMatchObject({ status: 200, body: { id: created.body.id, ...signed(changed) } });
    expect((await admin.get(path)).body.data).toContainEqual(updated.body);
    expect(await admin.delete(location)).toMatchObject({ status: 200, body: updated.body });
    expect(await admin.get(location)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await admin.delete(location)).status).toBe(404);
  });

  it('does the same in GraphQL', async () => {
    const admin = await service().as('admin');
    await service().sql('delete from risco_material where id_material < 3');
    const fields = `id ${Object.keys(camel(written)).join(' ')}`;
    const single = `${name[0]!.toLowerCase()}${name.slice(1)}`;
    const created = await admin.graphql(
      `mutation ($input: ${name}Input!) { r: criar${name}(input: $input) { ${fields} } }`,
      { input: camel(written) },
    );
    const { id } = created.data.r;
    expect(created.data.r).toEqual({ id, ...camel(written) });
    const updated = await admin.graphql(
      `mutation ($id: Int!, $input: ${name}Input!) { r: atualizar${name}(id: $id, input: $input) { ${fields} } }`,
      { id, input: camel(changed) },
    );
    expect(updated).toEqual({ data: { r: { id, ...camel(changed) } } });
    const read = `{ r: ${single}(id: ${id}) { ${fields} } }`;
    expect(await admin.graphql(read)).toEqual(updated);
    expect(await admin.graphql(`mutation { r: excluir${name}(id: ${id}) { ${fields} } }`)).toEqual(updated);
    expect(await admin.graphql(read)).toEqual({ data: { r: null } });
  });

  it('answers NOT_FOUND for an unknown id in every operation', async () => {
    const admin = await service().as('admin');
    const unknown = { status: 404, body: { code: 'NOT_FOUND' } };
    expect(await admin.get(`${path}/2000000`)).toMatchObject(unknown);
    expect(await admin.put(`${path}/2000000`, signed(changed))).toMatchObject(unknown);
    expect(await admin.delete(`${path}/2000000`)).toMatchObject(unknown);
  });
});

describe('a record that another record references', () => {
  it.each([
    ['icones-risco', 'IconeRisco', 'uma classificação de risco'],
    ['classificacoes-risco', 'ClassificacaoRisco', 'um risco de material'],
  ])('cannot be deleted on either face, and the error names the other record: %s', async (path, name, by) => {
    const admin = await service().as('admin');
    const [[id]] = (await service().sql(
      path === 'icones-risco'
        ? 'select id_icone_risco from classificacao_risco limit 1'
        : 'select id_classificacao_risco from risco_material limit 1',
    )) as [[number]];
    const rest = await admin.delete(`${area}/${path}/${id}`);
    expect(rest).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', detail: expect.stringContaining(by) },
    });
    const { errors } = await admin.graphql(`mutation { excluir${name}(id: ${id}) { id } }`);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(by), extensions: { code: 'REFERENCED' } },
    ]);
    expect((await admin.get(`${area}/${path}/${id}`)).status).toBe(200);
  });
});

describe('a hazard that a material has already', () => {
  it('is a duplicate on both faces', async () => {
    const admin = await service().as('admin');
    const [[idMaterial, idClassificacaoRisco]] = (await service().sql(
      'select id_material, id_classificacao_risco from risco_material where id_material > 2 limit 1',
    )) as [[number, number]];
    const body = { id_material: idMaterial, id_classificacao_risco: idClassificacaoRisco, ...authors };
    expect(await admin.post(`${area}/riscos-material`, body)).toMatchObject({
      status: 409,
      body: { code: 'DUPLICATE' },
    });
    const { errors } = await admin.graphql(
      'mutation ($input: RiscoMaterialInput!) { criarRiscoMaterial(input: $input) { id } }',
      { input: { idMaterial, idClassificacaoRisco } },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'DUPLICATE' } }]);
  });
});

describe.each([
  ['unidades-medida', 'unidadesMedida', 'unidadeMedida', ['descricao', 'sigla']],
  ['tipos-controle', 'tiposControle', 'tipoControle', ['descricao', 'orgao_controlador', 'exige_aprovacao']],
])('%s', (path, list, single, fields) => {
  const selected = Object.keys(camel(Object.fromEntries(fields.map(field => [field, 1])))).join(' ');

  it('are the same on both faces', async () => {
    const admin = await service().as('admin');
    const { status, body } = await admin.get(`${area}/${path}`);
    const graphql = await admin.graphql(
      `{ list: ${list}(pagination: false) { total page totalPages itemsPerPage data { id ${selected} } } }`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, totalPages: 1, total: body.data.length, itemsPerPage: body.total });
    const shown = body.data.map((record: Record<string, unknown>) =>
      camel(Object.fromEntries(['id', ...fields].map(field => [field, record[field]]))),
    );
    expect(graphql.data.list).toEqual({ ...body, data: shown });
    expect((await admin.get(`${area}/${path}/${body.data[0].id}`)).body).toEqual(body.data[0]);
    const one = await admin.graphql(`{ one: ${single}(id: ${body.data[0].id}) { id ${selected} } }`);
    expect(one.data.one).toEqual(shown[0]);
    expect((await admin.get(`${area}/${path}/2000000`)).status).toBe(404);
  });

  it('cannot be written', async () => {
    const admin = await service().as('admin');
    expect(await admin.post(`${area}/${path}`)).toMatchObject({
      status: 405,
      body: { code: 'METHOD_NOT_ALLOWED' },
    });
  });
});
