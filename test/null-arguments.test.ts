import { isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { systemHeaders } from './support/client.ts';
import { isNullable, type Schema } from './support/json-schema.ts';
import { grant } from './support/permissions.ts';
import { useService } from './support/service.ts';
import { makeBatch, movementsOf, paths, type Body } from './support/stock.ts';

/** Clients' libraries send null for what nobody has set. */

const service = useService();
const lists = Object.values((await createSchema()).getQueryType()!.getFields()).filter(
  ({ args }) =>
    args.some(({ name }) => name === 'pagination') &&
    !args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined),
);

it('pagination: null is a page like no pagination, in every list', async () => {
  expect(lists.length).toBeGreaterThan(40);
  const admin = (await service().as('admin')).with(systemHeaders);
  for (const { name } of lists) {
    const query = `{ sent: ${name}(pagination: null) { itemsPerPage } absent: ${name} { itemsPerPage } }`;
    const { data, errors } = await admin.graphql(query);
    expect(errors, name).toBeUndefined();
    expect(data.sent, name).toEqual(data.absent);
  }
});

it('null for a filter that has a default is the default', async () => {
  const admin = await service().as('admin');
  const { data } = await admin.graphql(
    '{ sent: materiaisEstocados(retornarVazio: null) { total } absent: materiaisEstocados { total } all: materiaisEstocados(retornarVazio: true) { total } }',
  );
  expect(data.sent).toEqual(data.absent);
  expect(data.all.total).toBeGreaterThan(data.absent.total);
});

interface Operation {
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema; example: Body }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The members of a schema, and of those that it refers to. */
function membersOf(schema: Schema, components: Record<string, Schema>): Record<string, Schema> {
  const { $ref, allOf = [], properties = {} } = schema;
  const parts = [...allOf, ...($ref ? [components[$ref.split('/').at(-1)!]!] : [])];
  return Object.assign({}, properties, ...parts.map(part => membersOf(part, components)));
}

describe('a field of a body that may be null', () => {
  it('is never refused because it is null, in every REST operation', async () => {
    const admin = (await service().as('admin')).with(systemHeaders);
    const { paths: operations, components } = (await admin.get('/openapi.json')).body as Document;
    let tried = 0;
    for (const [path, methods] of Object.entries(operations))
      for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
        const content = requestBody?.content['application/json'];
        if (!content || !['post', 'put'].includes(method)) continue;
        const { schema, example } = content;
        const at = parameters
          .filter(parameter => parameter.in === 'path')
          .reduce((url, { name, example: key }) => url.replace(`{${name}}`, String(key)), path);
        for (const [name, member] of Object.entries(membersOf(schema, components.schemas))) {
          if (!isNullable(member)) continue;
          tried++;
          const { status, body } = await admin.send(method.toUpperCase(), at, { ...example, [name]: null });
          const what = `${method} ${path} ${name}: ${JSON.stringify(body)}`;
          expect([400, 401, 403, 404, 500], what).not.toContain(status);
          expect(body?.errors ?? [], what).not.toContainEqual({ field: name, message: 'não pode ser nulo' });
        }
      }
    expect(tried).toBeGreaterThan(100);
  });

  describe('has its default in a new record, and keeps its value in another, like one that is absent', () => {
    const AREA = '/permissoes/recursos';
    const named = (nome: string) => ({ nome, id_sistema: 1, criado_por: 1, alterado_por: 1 });

    it.each([null, ''])('a choice: %j', async situacao => {
      const admin = await service().as('admin');
      const made = await admin.post(AREA, { ...named(`Recurso ${situacao}`), situacao });
      expect(made).toMatchObject({ status: 201, body: { situacao: 'A' } });
      const path = `${AREA}/${made.body.id}`;
      expect((await admin.put(path, { ...made.body, situacao: 'I' })).body.situacao).toBe('I');
      const kept = await admin.put(path, { ...made.body, situacao });
      expect(kept).toMatchObject({ status: 200, body: { situacao: 'I' } });
    });

    it.each([null, ''])('a flag: %j', async obriga_cnpj => {
      const admin = await service().as('admin');
      const types = '/almoxarifadoquimicos/tipos-empresas';
      const absent = await admin.post(types, { descricao: 'Sem' });
      const made = await admin.post(types, { descricao: 'Com', obriga_cnpj });
      expect(made).toMatchObject({ status: 201, body: { obriga_cnpj: absent.body.obriga_cnpj } });
      const path = `${types}/${made.body.id}`;
      const other = made.body.obriga_cnpj === 'S' ? 'N' : 'S';
      expect((await admin.put(path, { obriga_cnpj: other })).status).toBe(200);
      expect(await admin.put(path, { obriga_cnpj })).toMatchObject({
        status: 200,
        body: { obriga_cnpj: other },
      });
    });

    it.each([null, ''])('a number: %j', async quantidade => {
      const batch = await makeBatch(service(), { controlado: true });
      const [entry] = await movementsOf(service(), batch.id);
      const keeper = await service().as('almoxarife');
      const kept = await keeper.put(`${paths.movements}/${entry.id}`, { ...entry, quantidade });
      expect(kept).toMatchObject({ status: 200, body: { quantidade: 100 } });
    });

    it('a permission that was taken is given again', async () => {
      const admin = await service().as('admin');
      const undo = await grant(service(), 'discente', { controller: 'permissoes/menus', nivel: 1 });
      const [[id, id_pessoa, id_perfil]] = (await service().sql(
        'select id, id_pessoa, id_perfil from permissao order by id desc limit 1',
      )) as [[number, number, number]];
      await admin.delete(`/permissoes/permissoes/${id}`);
      for (const situacao of [null, '']) {
        const given = await admin.post('/permissoes/permissoes', { id_pessoa, id_perfil, situacao });
        expect(given).toMatchObject({ status: 201, body: { id, situacao: 'A' } });
        await admin.delete(`/permissoes/permissoes/${id}`);
      }
      await undo();
    });

    it('in GraphQL, too', async () => {
      const admin = await service().as('admin');
      const { data, errors } = await admin.graphql(
        'mutation { criarRecurso(input: { nome: "Nulo", idSistema: 1, situacao: null }) { situacao } }',
      );
      expect(errors).toBeUndefined();
      expect(data.criarRecurso.situacao).toBe('ATIVO');
    });
  });
});
