import { describe, expect, it } from 'vitest';
import {
  active,
  area,
  bodies,
  everything,
  hold,
  holdings,
  inactive,
  items,
  makeCaller,
  makeClerk,
  makeWorld,
  setSituacao,
  type Change,
  type Holding,
  type World,
} from './support/administration.ts';
import { makeProfile } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();

async function resourceOf({ idPerfilRecurso }: World): Promise<number> {
  const rows = await service().sql('select id_recurso from perfil_recurso where id = $1', [idPerfilRecurso]);
  return rows[0]![0] as number;
}

/** Every way to give permissions to others, or to take them without a trace, with the least that the caller must hold. */
const gifts: [string, Holding | 'everything', Change][] = [
  ['granting a profile', 'level 3 on it', w => c => c.post(`${area}/permissoes`, bodies.permission(w))],
  [
    'reactivating a permission',
    'level 3 on it',
    async w => {
      const id = await hold(service(), w.idPessoa, w.idPerfil);
      await setSituacao(service(), 'permissao', id, 'I');
      return c => c.put(`${area}/permissoes/${id}`, { ...bodies.permission(w), ...active });
    },
  ],
  [
    'granting a profile anew that was taken before',
    'level 3 on it',
    async w => {
      await setSituacao(service(), 'permissao', await hold(service(), w.idPessoa, w.idPerfil), 'I');
      return c => c.post(`${area}/permissoes`, bodies.permission(w));
    },
  ],
  [
    'passing a profile on to another person',
    'level 3 on it',
    async w => {
      const id = await hold(service(), (await makeWorld(service())).idPessoa, w.idPerfil);
      return c => c.put(`${area}/permissoes/${id}`, bodies.permission(w));
    },
  ],
  [
    'exchanging a profile for another',
    'level 3 on it',
    async w => {
      const id = await hold(service(), w.idPessoa, w.vazio);
      return c => c.put(`${area}/permissoes/${id}`, bodies.permission(w));
    },
  ],
  [
    'letting somebody in again who holds a profile',
    'level 3 on it',
    async w => {
      await hold(service(), w.idPessoa, w.idPerfil);
      await service().sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [w.idPessoa]);
      return c => c.post(`${area}/acesso-ambiente`, { id_pessoa: w.idPessoa });
    },
  ],
  [
    'letting somebody in for the first time who holds a profile',
    'level 3 on it',
    async w => {
      await hold(service(), w.idPessoa, w.idPerfil);
      await service().sql('delete from acesso_ambiente where id_pessoa = $1', [w.idPessoa]);
      return c => c.post(`${area}/acesso-ambiente`, { id_pessoa: w.idPessoa });
    },
  ],
  [
    'adding an item',
    'level 3 on it',
    w => c => c.post(items, { ...bodies.item(w), id_perfil_recurso: w.linkVazio }),
  ],
  [
    'adding an item on every controller',
    'its system',
    w => c => c.post(items, { ...bodies.item(w), id_controller: null }),
  ],
  [
    'adding an item of a higher level on the same controller',
    'level 3 on it',
    w => c => c.post(items, { ...bodies.item(w), nivel: 3 }),
  ],
  [
    'raising an item',
    'level 3 on it',
    w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), nivel: 3 }),
  ],
  [
    'lowering an item',
    'level 3 on it',
    w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), nivel: 1 }),
  ],
  ['deleting an item', 'level 3 on it', w => c => c.delete(`${items}/${w.idItem}`)],
  [
    'exchanging a profile for one that gives nothing',
    'level 3 on it',
    async w => {
      const id = await hold(service(), w.idPessoa, w.idPerfil);
      return c => c.put(`${area}/permissoes/${id}`, { ...bodies.permission(w), id_perfil: w.vazio });
    },
  ],
  [
    'making an inactive permission that of somebody else',
    'level 3 on it',
    async w => {
      const id = await hold(service(), w.idPessoa, w.idPerfil);
      const { idPessoa } = await makeWorld(service());
      return c =>
        c.put(`${area}/permissoes/${id}`, { ...bodies.permission({ ...w, idPessoa }), ...inactive });
    },
  ],
  [
    'adding an inactive item',
    'level 3 on it',
    w => c => c.post(items, { ...bodies.item(w), ...inactive, nivel: 3 }),
  ],
  [
    'linking a person to a profile by an inactive permission',
    'level 3 on it',
    w => c => c.post(`${area}/permissoes`, { ...bodies.permission(w), ...inactive }),
  ],
  [
    'reactivating an item',
    'level 3 on it',
    async w => {
      await setSituacao(service(), 'perfil_recurso_item', w.idItem, 'I');
      return c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), ...active });
    },
  ],
  [
    'moving an item to another profile',
    'level 3 on it',
    w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), id_perfil_recurso: w.linkVazio }),
  ],
  [
    'widening an item to every controller',
    'its system',
    w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), id_controller: null }),
  ],
  [
    'reactivating a profile',
    'level 3 on it',
    async w => {
      await setSituacao(service(), 'perfil', w.idPerfil, 'I');
      return c => c.put(`${area}/perfis/${w.idPerfil}`, { ...bodies.profile(w), ...active });
    },
  ],
  [
    'reactivating a resource',
    'level 3 on it',
    async w => {
      const id = await resourceOf(w);
      await setSituacao(service(), 'recurso', id, 'I');
      return c => c.put(`${area}/recursos/${id}`, { nome: 'R', id_sistema: w.idSistema, ...active });
    },
  ],
  [
    'reactivating the system of a resource',
    'everything',
    async w => {
      const other = await makeWorld(service());
      await service().sql('update recurso set id_sistema = $1 where id = $2', [
        other.idSistema,
        await resourceOf(w),
      ]);
      await setSituacao(service(), 'sistema', other.idSistema, 'I');
      return c => c.put(`${area}/sistemas/${other.idSistema}`, { ...bodies.system(other), ...active });
    },
  ],
  [
    'reactivating a controller',
    'its system',
    async w => {
      await setSituacao(service(), 'controller', w.coisas, 'I');
      return c => c.put(`${area}/controllers/${w.coisas}`, { ...bodies.controller(w), ...active });
    },
  ],
  [
    'renaming a controller',
    'its system',
    w => c => c.put(`${area}/controllers/${w.coisas}`, { ...bodies.controller(w), nome: 'renomeadas' }),
  ],
  [
    'reactivating a system',
    'everything',
    async w => {
      await setSituacao(service(), 'sistema', w.idSistema, 'I');
      return c => c.put(`${area}/sistemas/${w.idSistema}`, { ...bodies.system(w), ...active });
    },
  ],
  [
    'renaming a system',
    'everything',
    w => c => c.put(`${area}/sistemas/${w.idSistema}`, { nome: w.sigla, sigla: `${w.sigla}-2` }),
  ],
];

describe.each(gifts)('%s', (_, least, change) => {
  const enough = least === 'everything' ? holdings.length : holdings.indexOf(least);

  it.each(holdings.slice(0, enough))('is refused to a person with %s', async holding => {
    const world = await makeWorld(service());
    const { client } = await makeClerk(service(), holding, world);
    expectProblem(await (await change(world))(client), 403, 'FORBIDDEN');
  });

  it.each(holdings.slice(enough))('is allowed for a person with %s', async holding => {
    const world = await makeWorld(service());
    const { client } = await makeClerk(service(), holding, world);
    expect([200, 201]).toContain((await (await change(world))(client)).status);
  });

  it('is allowed for an administrator', async () => {
    const ask = await change(await makeWorld(service()));
    expect([200, 201]).toContain((await ask(await service().as('admin'))).status);
  });
});

it('nobody makes themselves an administrator, on either face', async () => {
  const { client, idPessoa } = await makeCaller(service());
  const idPerfil = await makeProfile(service(), { itens: everything });
  expectProblem(
    await client.post(`${area}/permissoes`, { id_pessoa: idPessoa, id_perfil: idPerfil }),
    403,
    'FORBIDDEN',
  );
  const { errors } = await client.graphql(
    'mutation ($input: PermissaoInput!) { criarPermissao(input: $input) { id } }',
    { input: { idPessoa, idPerfil } },
  );
  expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
  expect((await client.get('/almoxarifadoquimicos/materiais/1')).status).toBe(403);
});
