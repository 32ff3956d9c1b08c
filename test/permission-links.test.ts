import { describe, expect, it } from 'vitest';
import { area, bodies, hold, items, makeWorld, type World } from './support/administration.ts';
import { makeMenu } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const admin = () => service().as('admin');

describe('the link of an item', () => {
  it('is found by profile and resource, or created', async () => {
    const world = await makeWorld(service());
    const { body: recurso } = await (
      await admin()
    ).post(`${area}/recursos`, { nome: 'Novo', id_sistema: world.idSistema });
    const of = { descricao: 'Item', id_perfil: world.idPerfil, id_recurso: recurso.id };
    const first = await (await admin()).post(items, of);
    const again = await (await admin()).post(items, of);
    expect([first.status, again.status]).toEqual([201, 201]);
    const idLink = first.body.id_perfil_recurso;
    expect(idLink).not.toBe(world.idPerfilRecurso);
    expect(again.body).toMatchObject({ ...of, id_perfil_recurso: idLink });
    const link = await (await admin()).get(`${area}/perfis-recursos/${idLink}`);
    expect(link.body).toMatchObject({ id_perfil: world.idPerfil, id_recurso: recurso.id });
  });

  it('may be given by its id, which determines profile and resource', async () => {
    const world = await makeWorld(service());
    const { body } = await (await admin()).post(items, bodies.item(world));
    expect(body).toMatchObject({ ...bodies.item(world), id_perfil: world.idPerfil });
    const changed = await (
      await admin()
    ).put(`${items}/${body.id}`, {
      descricao: 'Item',
      id_perfil: world.vazio,
      id_recurso: body.id_recurso,
    });
    expect(changed.body).toMatchObject({ id_perfil: world.vazio, id_recurso: body.id_recurso });
    expect((await (await admin()).get(`${items}/${body.id}`)).body).toEqual(changed.body);
  });

  it('is not given together with another profile or resource', async () => {
    const world = await makeWorld(service());
    const other = await makeWorld(service());
    const { body } = await (await admin()).get(`${items}/${other.idItem}`);
    const { id_perfil, id_recurso } = body;
    const refused = await (await admin()).post(items, { ...bodies.item(world), id_perfil, id_recurso });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['id_perfil', 'id_recurso']);
    expect((await (await admin()).put(`${items}/${other.idItem}`, body)).status).toBe(200);
  });

  it('is deleted with its profile or its resource if no item is left under it', async () => {
    const { idItem, idPerfil, vazio } = await makeWorld(service());
    const idRecurso = (await (await admin()).get(`${items}/${idItem}`)).body.id_recurso;
    expect((await (await admin()).delete(`${items}/${idItem}`)).status).toBe(200);
    for (const path of [`perfis/${vazio}`, `recursos/${idRecurso}`, `perfis/${idPerfil}`])
      expect((await (await admin()).delete(`${area}/${path}`)).status).toBe(200);
  });
});

describe('a record that others reference', () => {
  it.each([
    ['perfis', 'um recurso de perfil', w => w.idPerfil],
    ['controllers', 'um item de recurso de perfil', w => w.coisas],
    ['sistemas', 'um (controller|perfil|recurso)', w => w.idSistema],
    ['recursos', 'um recurso de perfil', async w => (await itemOf(w.idItem)).id_recurso],
    ['itens-menus', 'um item de recurso de perfil', async w => (await withLine(w)).id_item_menu],
    ['menus', 'um item de menu', async w => (await withLine(w)).item_menu.id_menu],
    ['perfis', 'uma permissão', async w => (await hold(service(), w.idPessoa, w.vazio), w.vazio)],
  ] as [string, string, (w: World) => number | Promise<number>][])(
    'of %s is not deleted, and is said to be used by %s',
    async (path, user, idOf) => {
      const id = await idOf(await makeWorld(service()));
      const refused = await (await admin()).delete(`${area}/${path}/${id}`);
      expectProblem(refused, 409, 'REFERENCED');
      expect(refused.body.detail).toMatch(new RegExp(` por ${user}\\.$`));
      expect((await (await admin()).get(`${area}/${path}/${id}`)).status).toBe(200);
    },
  );

  const itemOf = async (id: number) => (await (await admin()).get(`${items}/${id}`)).body;

  /** The profile item of a world, with a line of a menu. */
  async function withLine(world: World) {
    const { Linha } = await makeMenu(service(), {
      nome: 'Menu',
      sistema: world.sigla,
      linhas: { Linha: null },
    });
    return (
      await (await admin()).put(`${items}/${world.idItem}`, { ...bodies.item(world), id_item_menu: Linha })
    ).body;
  }
});

describe('a value that must be unique', () => {
  it.each([
    ['controllers', w => bodies.controller(w), ['id_sistema', 'nome']],
    ['sistemas', w => bodies.system(w), ['sigla']],
  ] as [string, (w: World) => object, string[]][])(
    'in %s is not written twice',
    async (path, body, fields) => {
      const refused = await (await admin()).post(`${area}/${path}`, body(await makeWorld(service())));
      expectProblem(refused, 409, 'DUPLICATE');
      expect(fieldsOf(refused).toSorted()).toEqual(fields);
    },
  );
});
