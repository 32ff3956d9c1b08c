import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const path = '/almoxarifadoquimicos/materiais';
const authors = { criado_por: 1, alterado_por: 1 };
const written = {
  titulo: 'Água destilada',
  catmat: '445485',
  descricao: 'Grau analítico, 1 µS/cm',
  id_unidade_medida: 1,
  numero_cas: '7732-18-5',
  estado_fisico: 'L',
  id_tipo_controle: 1,
  fispq: 'FISPQ 12',
  link_fispq: 'https://example.org/fispq?n=12&v=1',
};
const hazards = (...ids: number[]) => ids.map(id => ({ id_classificacao_risco: id }));
const riscosOf = (record: { riscos: { id_classificacao_risco: number }[] }) =>
  record.riscos.map(risco => risco.id_classificacao_risco).toSorted((a, b) => a - b);

describe('a material on REST', () => {
  it('can be read at its Location, under the names with which it was written', async () => {
    const admin = await service().as('admin');
    const created = await admin.post(path, { ...written, ...authors, riscos: hazards(1, 3) });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`${path}/${created.body.id}`);
    const read = await admin.get(created.headers.get('location')!);
    expect(read).toMatchObject({ status: 200, body: { ...written, ...authors } });
    expect(read.body).toEqual({ ...created.body, avisos: null });
    expect(riscosOf(read.body)).toEqual([1, 3]);
    expect(read.body.unidade_medida).toMatchObject({ id: 1, sigla: expect.any(String) });
  });

  it('keeps fields that an update leaves out, clears fields that are null, and gets the given hazards', async () => {
    const admin = await service().as('admin');
    const { body } = await admin.post(path, { ...written, ...authors, riscos: hazards(1, 2) });
    const { titulo, descricao, id_unidade_medida, estado_fisico } = written;
    const required = { titulo, descricao, id_unidade_medida, estado_fisico, alterado_por: 2 };
    const kept = await admin.put(`${path}/${body.id}`, required);
    expect(kept).toMatchObject({ status: 200, body: { ...written, criado_por: 1, alterado_por: 2 } });
    expect(riscosOf(kept.body)).toEqual([1, 2]);
    const cleared = await admin.put(`${path}/${body.id}`, {
      ...required,
      catmat: null,
      id_tipo_controle: null,
      fispq: '',
      riscos: hazards(2, 4),
    });
    expect(cleared.body).toMatchObject({
      catmat: null,
      id_tipo_controle: null,
      tipo_controle: null,
      fispq: null,
    });
    expect(cleared.body.riscos).toHaveLength(2);
    expect(riscosOf(cleared.body)).toEqual([2, 4]);
    expect((await admin.put(`${path}/${body.id}`, { ...required, riscos: null })).body.riscos).toEqual([]);
    expect((await admin.get(`${path}/${body.id}`)).body).toMatchObject({ catmat: null, riscos: [] });
  });

  it('needs its required fields in an update, too', async () => {
    const admin = await service().as('admin');
    const { status, body } = await admin.put(`${path}/1`, { titulo: null });
    expect(status).toBe(422);
    expect(body.errors.map((error: { field: string }) => error.field).toSorted()).toEqual([
      'alterado_por',
      'descricao',
      'estado_fisico',
      'id_unidade_medida',
      'titulo',
    ]);
  });

  it('is answered with its hazards when it is deleted, and then is gone', async () => {
    const admin = await service().as('admin');
    const { body } = await admin.post(path, { ...written, ...authors, riscos: hazards(1) });
    expect(await admin.delete(`${path}/${body.id}`)).toMatchObject({
      status: 200,
      body: { ...body, avisos: null },
    });
    expect((await admin.get(`${path}/${body.id}`)).status).toBe(404);
    expect(await admin.delete(`${path}/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    const put = await admin.put(`${path}/${body.id}`, { ...written, ...authors });
    expect(put).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await service().sql('select 1 from risco_material where id_material = $1', [body.id])).toEqual([]);
  });

  it('stays consistent when two clients change it at once', async () => {
    const admin = await service().as('admin');
    const { body } = await admin.post(path, { ...written, ...authors });
    const versions = [
      { ...written, titulo: 'A', descricao: 'A', alterado_por: 1, riscos: hazards(1, 2) },
      { ...written, titulo: 'B', descricao: 'B', alterado_por: 1, riscos: hazards(2, 3) },
    ];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(versions.map(version => admin.put(`${path}/${body.id}`, version)));
      expect(answers.map(answer => answer.status)).toEqual([200, 200]);
      const { titulo, descricao, ...rest } = (await admin.get(`${path}/${body.id}`)).body;
      expect(descricao).toBe(titulo);
      expect(riscosOf(rest)).toEqual(titulo === 'A' ? [1, 2] : [2, 3]);
    }
  });
});

describe('a material in GraphQL', () => {
  const fields = `id titulo catmat descricao numeroCas estadoFisico idUnidadeMedida idTipoControle fispq linkFispq
    criadoPor alteradoPor riscos { idClassificacaoRisco }`;
  const input = {
    titulo: 'Água destilada',
    descricao: 'Grau analítico',
    idUnidadeMedida: 1,
    estadoFisico: 'LIQUIDO',
  };
  const create = `mutation ($input: MaterialInput!) { record: criarMaterial(input: $input) { ${fields} } }`;
  const update = `mutation ($id: Int!, $input: MaterialInput!) { record: atualizarMaterial(id: $id, input: $input) { ${fields} } }`;
  const remove = `mutation ($id: Int!) { record: excluirMaterial(id: $id) { ${fields} } }`;
  const read = `query ($id: Int!) { record: material(id: $id) { ${fields} } }`;

  it('works the same, with the caller as its author', async () => {
    const admin = await service().as('admin');
    const me = (await admin.graphql('{ sessaoAtual { idPessoa } }')).data.sessaoAtual.idPessoa;
    const given = { ...input, catmat: '1', idTipoControle: 2, riscos: [{ idClassificacaoRisco: 2 }] };
    const { record } = (await admin.graphql(create, { input: given })).data;
    expect(record).toMatchObject({ ...given, criadoPor: me, alteradoPor: me, numeroCas: null });
    const changed = (await admin.graphql(update, { id: record.id, input: { ...input, catmat: null } })).data;
    expect(changed.record).toEqual({ ...record, catmat: null });
    const emptied = (await admin.graphql(update, { id: record.id, input: { ...input, riscos: [] } })).data;
    expect(emptied.record).toEqual({ ...record, catmat: null, riscos: [] });
    expect((await admin.graphql(read, { id: record.id })).data).toEqual(emptied);
    expect((await admin.graphql(remove, { id: record.id })).data).toEqual(emptied);
    expect(await admin.graphql(read, { id: record.id })).toEqual({ data: { record: null } });
  });

  it('is NOT_FOUND for a change if it does not exist', async () => {
    const admin = await service().as('admin');
    const answer = await admin.graphql(update, { id: 2_000_000, input });
    expect(answer).toMatchObject({ data: { record: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  });
});

describe('materials', () => {
  it('are the same list on both faces', async () => {
    const admin = await service().as('admin');
    const rest = await admin.get(`${path}?pagination=true&titulo=acido&orderByTitulo=asc&itemsPerPage=3`);
    const graphql = await admin.graphql(
      '{ materiais(pagination: true, titulo: "acido", orderByTitulo: asc, itemsPerPage: 3) { total page itemsPerPage totalPages data { id titulo } } }',
    );
    const { data, ...page } = rest.body;
    expect(rest.status).toBe(200);
    expect(graphql.data.materiais).toMatchObject(page);
    expect(data.map((m: { id: number; titulo: string }) => ({ id: m.id, titulo: m.titulo }))).toEqual(
      graphql.data.materiais.data,
    );
  });
});
