import { describe, expect, it } from 'vitest';
import { area, bodies, hold, makeCaller, makeWorld, setSituacao } from './support/administration.ts';
import { makePerson, makeProfile, personOf } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const admin = () => service().as('admin');
const permissoes = `${area}/permissoes`;
const acesso = `${area}/acesso-ambiente`;

describe('a permission', () => {
  it('is taken away by inactivating it, and given again', async () => {
    const world = await makeWorld(service());
    const body = bodies.permission(world);
    const given = await (await admin()).post(permissoes, body);
    expect(given).toMatchObject({ status: 201, body: { ...body, situacao: 'A' } });
    const { id } = given.body;
    expectProblem(await (await admin()).post(permissoes, body), 409, 'DUPLICATE');
    const taken = await (await admin()).delete(`${permissoes}/${id}`);
    expect(taken).toMatchObject({ status: 200, body: { id, ...body, situacao: 'I' } });
    const { body: held } = await (await admin()).get(`${permissoes}/${world.idPessoa}`);
    expect(held.data).toMatchObject([{ id, situacao: 'I' }]);
    expect(await (await admin()).post(permissoes, body)).toMatchObject({
      status: 201,
      body: { id, situacao: 'A' },
    });
  });

  it('needs a person and a profile that exist, and a state that there is', async () => {
    const world = await makeWorld(service());
    const fields = async (body: object) => fieldsOf(await (await admin()).post(permissoes, body)).toSorted();
    expect(await fields({})).toEqual(['id_perfil', 'id_pessoa']);
    expect(await fields({ id_pessoa: 999_999, id_perfil: 999_999 })).toEqual(['id_perfil', 'id_pessoa']);
    expect(await fields({ ...bodies.permission(world), situacao: 'X' })).toEqual(['situacao']);
    expectProblem(
      await (await admin()).put(`${permissoes}/999999`, bodies.permission(world)),
      404,
      'NOT_FOUND',
    );
    expectProblem(await (await admin()).delete(`${permissoes}/999999`), 404, 'NOT_FOUND');
  });

  it('is found by person, profile and controller, and read by person', async () => {
    const [one, other] = [await makeWorld(service()), await makeWorld(service())];
    const ids = [
      await hold(service(), one.idPessoa, one.idPerfil),
      await hold(service(), one.idPessoa, other.idPerfil),
      await hold(service(), other.idPessoa, other.idPerfil),
    ];
    const found = async (query: string) => {
      const { body } = await (await admin()).get(permissoes + query);
      return (body.data as { id: number }[]).map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b);
    };
    expect(await found(`?idPessoa=${one.idPessoa}`)).toEqual([0, 1]);
    expect(await found(`/${one.idPessoa}`)).toEqual([0, 1]);
    expect(await found(`?idPerfil=${other.idPerfil}`)).toEqual([1, 2]);
    expect(await found(`?idController=${one.coisas}`)).toEqual([0]);
    expect(await found(`?idController=${other.coisas}&idPessoa=${other.idPessoa}`)).toEqual([2]);
    expect(await found(`?idController=${one.outras}`)).toEqual([]);
  });

  it('is found by a controller that its profile covers with the whole system, as long as both are active', async () => {
    const [one, other] = [await makeWorld(service()), await makeWorld(service())];
    const whole = await makeProfile(service(), { sistema: one.sigla, itens: [{ nivel: 1 }] });
    const id = await hold(service(), one.idPessoa, whole);
    const list = '($id: Int) { permissoes(idController: $id) { data { id } } }';
    const found = async (idController: number) => {
      const { body } = await (await admin()).get(`${permissoes}?idController=${idController}`);
      const { data } = await (await admin()).graphql(`query ${list}`, { id: idController });
      expect(data.permissoes.data).toEqual(body.data.map((found: { id: number }) => ({ id: found.id })));
      return body.data.map((found: { id: number }) => found.id) as number[];
    };
    for (const covered of [one.coisas, one.outras]) expect(await found(covered)).toEqual([id]);
    expect(await found(other.coisas)).toEqual([]);
    await setSituacao(service(), 'controller', one.outras, 'I');
    expect([await found(one.coisas), await found(one.outras)]).toEqual([[id], []]);
    await setSituacao(service(), 'perfil', whole, 'I');
    expect(await found(one.coisas)).toEqual([]);
  });
});

describe('the access of a person', () => {
  it('is given once, taken away by their id, and given again', async () => {
    const idPessoa = await personOf(service(), 'docente');
    const body = { id_pessoa: idPessoa };
    expectProblem(await (await admin()).post(acesso, body), 409, 'DUPLICATE');
    const taken = await (await admin()).delete(`${acesso}/${idPessoa}`);
    expect(taken).toMatchObject({ status: 200, body: { ...body, situacao: 'I' } });
    const inactive = await (await admin()).get(`${acesso}?situacao=I&idPessoa=${idPessoa}`);
    expect(inactive.body.data).toMatchObject([{ id: taken.body.id, ...body }]);
    const given = await (await admin()).post(acesso, body);
    expect(given).toMatchObject({ status: 201, body: { id: taken.body.id, ...body, situacao: 'A' } });
    const byName = await (await admin()).get(`${acesso}?nomeSocial=conceicao`);
    expect(byName.body.data).toMatchObject([{ id_pessoa: await personOf(service(), 'discente') }]);
  });

  it('is not given to somebody who was dismissed, until they are admitted again', async () => {
    const idPessoa = await makePerson(service(), `saiu-${Date.now()}`);
    expect((await (await admin()).delete(`${area}/pessoas/${idPessoa}`)).status).toBe(200);
    const refused = await (await admin()).post(acesso, { id_pessoa: idPessoa });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['id_pessoa']);
    const stored = await (await admin()).get(`${acesso}?idPessoa=${idPessoa}`);
    expect(stored.body.data).toMatchObject([{ situacao: 'I' }]);
    const back = { id_pessoa: idPessoa, id_perfil: await makeProfile(service(), {}) };
    expect((await (await admin()).post(`${area}/pessoas`, back)).body).toMatchObject({ acesso: 'A' });
  });
});

describe('profiles', () => {
  const listed = async (query: string, client = admin()) => {
    const { body } = await (await client).get(`${area}/perfis?${query}`);
    return body.data.map(({ nome }: { nome: string }) => nome) as string[];
  };

  it('are found by the parameters that are spelled with capitals', async () => {
    const idPessoa = await personOf(service(), 'tecnico');
    expect(await listed(`Id_pessoa=${idPessoa}`)).toEqual(['Técnico de laboratório']);
    expect(await listed('Nome=ALMOX&Situacao=A')).toEqual(['Almoxarife']);
    expect(await listed('Nome=almox&Situacao=I')).toEqual([]);
    expect(await listed('Descricao=responde pelo')).toEqual(['Almoxarife']);
    const { idSistema } = await makeWorld(service());
    expect(await listed(`Sistema=${idSistema}`)).toHaveLength(2);
    const { body } = await (
      await admin()
    ).get(`${area}/perfis?Pagination=true&Page=2&ItensPerPage=1&OrderByNome=desc&Sistema=${idSistema}`);
    expect(body).toMatchObject({ page: 2, itemsPerPage: 1, total: 2, totalPages: 2 });
  });

  it('are found for the caller, and for another person only with the right to read permissions', async () => {
    const { client, idPessoa } = await makeCaller(service(), [{ controller: 'permissoes/perfis', nivel: 1 }]);
    expect(await listed(`Id_pessoa=${idPessoa}`, Promise.resolve(client))).toHaveLength(1);
    const other = `${area}/perfis?Id_pessoa=${await personOf(service(), 'tecnico')}`;
    expectProblem(await client.get(other), 403, 'FORBIDDEN');
  });
});
