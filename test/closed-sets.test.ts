import { getNamedType, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { describe, expect, it } from 'vitest';
import { declaredOf } from '../src/entities/column.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const store = '/almoxarifadoquimicos';

describe('a column with a closed set of texts', async () => {
  const schema = await createSchema();
  const legacy = legacyView(schema, routes).schema;
  const columns = getMetadataStorage().objectTypes.flatMap(({ name, target }) => {
    const type = schema.getType(name);
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(field => {
      const set = declaredOf(target, field.name)?.oneOf;
      return set ? [{ name: `${name}.${field.name}`, field, set }] : [];
    });
  });

  it.each(columns)('$name is an enum with these texts, or Boolean, in GraphQL', ({ field, set }) => {
    const type = getNamedType(field.type);
    if (isEnumType(type)) {
      expect(type.getValues().map(({ value }) => value as string)).toEqual(set.values);
      expect(type.getValues().every(({ description }) => description)).toBe(true);
    } else {
      expect([type.name, set.values]).toEqual(['Boolean', ['S', 'N']]);
    }
  });

  it('is found by this test', () => {
    const names = columns.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'Material.estadoFisico',
        'Movimentacao.flEstorno',
        'Pessoa.situacao',
        'SaidaMaterial.estorno',
      ]),
    );
  });

  it('is always a text in records and bodies of REST', () => {
    const types = Object.values(legacy.getTypeMap()).filter(
      type => isObjectType(type) || isInputObjectType(type),
    );
    const fields = types
      .filter(({ name }) => !name.startsWith('__') && name !== 'Query' && name !== 'Mutation')
      .flatMap(type => Object.values(type.getFields()));
    const sets = fields.filter(({ name }) => /^(estado_fisico|fl_estorno|estorno|obriga_cnpj)$/.test(name));
    expect(sets.length).toBeGreaterThan(6);
    expect(new Set(sets.map(({ type }) => String(type)))).toEqual(new Set(['String!']));
    expect(fields.filter(({ type }) => isEnumType(getNamedType(type)))).toEqual([]);
  });
});

describe('the REST description of a closed set', () => {
  const sentence = async (schema: string, property: string): Promise<string> => {
    const { body } = await service().anyone.with({ 'accept-language': 'en' }).get('/openapi.json');
    return body.components.schemas[schema].properties[property].description;
  };

  it('keeps the capital letters of names', async () => {
    expect(await sentence('Armazem', 'uf')).toMatch(
      /^`AC` Acre, .*, `RJ` Rio de Janeiro, .*, `SP` São Paulo,/,
    );
  });

  it('begins other meanings with a small letter', async () => {
    expect(await sentence('Material', 'estado_fisico')).toMatch(/^`S` solid, `L` liquid,/);
  });
});

describe('a text of a closed set', () => {
  const body = { titulo: 'X', descricao: 'Y', id_unidade_medida: 1, criado_por: 1, alterado_por: 1 };

  it('has a readable name in GraphQL, and is the letter in REST', async () => {
    const admin = await service().as('admin');
    const created = await admin.graphql(`mutation { criarMaterial(input: { titulo: "X", descricao: "Y",
      idUnidadeMedida: 1, estadoFisico: GASOSO }) { id estadoFisico } }`);
    const { id, estadoFisico } = created.data.criarMaterial;
    expect(estadoFisico).toBe('GASOSO');
    expect((await admin.get(`${store}/materiais/${id}`)).body.estado_fisico).toBe('G');
    const changed = await admin.put(`${store}/materiais/${id}`, { ...body, estado_fisico: 'P' });
    expect(changed.body.estado_fisico).toBe('P');
    const { data } = await admin.graphql(`{ material(id: ${id}) { estadoFisico } }`);
    expect(data.material.estadoFisico).toBe('PASTOSO');
  });

  it('filters lists by name in GraphQL, and by letter in any case in REST', async () => {
    const admin = await service().as('admin');
    await service().sql(`update perfil set situacao = 'I' where id = (select max(id) from perfil)`);
    const { data } = await admin.graphql(`{ perfis(situacao: INATIVO) { total data { situacao } } }`);
    expect(data.perfis).toMatchObject({ total: 1, data: [{ situacao: 'INATIVO' }] });
    for (const letter of ['I', 'i']) {
      const { body: page } = await admin.get(`/permissoes/perfis?Situacao=${letter}`);
      expect(page.data).toMatchObject([{ situacao: 'I' }]);
    }
  });

  it('is refused under the name of the other face', async () => {
    const admin = await service().as('admin');
    const refused = await admin.post(`${store}/materiais`, { ...body, estado_fisico: 'LIQUIDO' });
    expect(refused.status).toBe(422);
    expect(fieldsOf(refused)).toEqual(['estado_fisico']);
    expect((await admin.get('/permissoes/perfis?Situacao=ATIVO')).status).toBe(400);
    const { errors } = await admin.graphql(
      'query ($situacao: Situacao) { perfis(situacao: $situacao) { total } }',
      { situacao: 'A' },
    );
    expect(errors![0]!.extensions).toEqual({
      code: 'BAD_REQUEST',
      errors: [{ field: 'situacao', message: 'deve ser um destes: ATIVO, INATIVO' }],
    });
  });

  it('may be left out of an input where it has a default', async () => {
    const admin = await service().as('admin');
    const create = `mutation { criarSistema(input: { nome: "N", sigla: "CLOSED" }) { situacao } }`;
    expect((await admin.graphql(create)).data.criarSistema).toEqual({ situacao: 'ATIVO' });
  });
});

describe('a flag', () => {
  const create =
    'mutation ($input: TipoEmpresaInput!) { t: criarTipoEmpresa(input: $input) { id obrigaCnpj } }';

  it.each([
    [true, 'S'],
    [false, 'N'],
  ])('is %s in GraphQL where it is %s in REST', async (yes, letter) => {
    const admin = await service().as('admin');
    const { id, obrigaCnpj } = (await admin.graphql(create, { input: { obrigaCnpj: yes } })).data.t;
    expect(obrigaCnpj).toBe(yes);
    const path = `${store}/tipos-empresas/${id}`;
    expect((await admin.get(path)).body.obriga_cnpj).toBe(letter);
    const made = await admin.post(`${store}/tipos-empresas`, { descricao: 'D', obriga_cnpj: letter });
    const read = await admin.graphql(`{ tipoEmpresa(id: ${made.body.id}) { a: obrigaCnpj b: obrigaCnpj } }`);
    expect(read.data.tipoEmpresa).toEqual({ a: yes, b: yes });
  });

  it('is false in GraphQL where an input leaves it out, and its letter is not a Boolean', async () => {
    const admin = await service().as('admin');
    expect((await admin.graphql(create, { input: {} })).data.t.obrigaCnpj).toBe(false);
    const { errors } = await admin.graphql(create, { input: { obrigaCnpj: 'S' } });
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', errors: [{ field: 'obrigaCnpj' }] });
  });
});
