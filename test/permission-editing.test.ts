import { describe, expect, it } from 'vitest';
import {
  area,
  bodies,
  hold,
  inactive,
  items,
  makeCaller,
  makeClerk,
  makeWorld,
  type Change,
} from './support/administration.ts';
import { useService } from './support/service.ts';

const service = useService();

describe('a caller with level 2 on permissions', () => {
  it.each<[string, Change]>([
    ['inactivates an item', w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), ...inactive })],
    [
      'inactivates a profile',
      w => c => c.put(`${area}/perfis/${w.idPerfil}`, { ...bodies.profile(w), ...inactive }),
    ],
    [
      'inactivates a controller',
      w => c => c.put(`${area}/controllers/${w.coisas}`, { ...bodies.controller(w), ...inactive }),
    ],
    [
      'inactivates a system',
      w => c => c.put(`${area}/sistemas/${w.idSistema}`, { ...bodies.system(w), ...inactive }),
    ],
    [
      'takes a profile from a person',
      async w => {
        const id = await hold(service(), w.idPessoa, w.idPerfil);
        return c => c.delete(`${area}/permissoes/${id}`);
      },
    ],
    [
      'grants a profile that gives nothing',
      w => c => c.post(`${area}/permissoes`, { ...bodies.permission(w), id_perfil: w.vazio }),
    ],
  ])('%s', async (_, change) => {
    const ask = await change(await makeWorld(service()));
    const { client } = await makeCaller(service());
    expect([200, 201]).toContain((await ask(client)).status);
  });
});

describe("a profile of one's own", () => {
  const edits: [string, Change][] = [
    ['is renamed', w => c => c.put(`${area}/perfis/${w.idPerfil}`, bodies.profile(w))],
    ['gets an inactive item', w => c => c.post(items, { ...bodies.item(w), ...inactive })],
    ['has an item lowered', w => c => c.put(`${items}/${w.idItem}`, { ...bodies.item(w), nivel: 1 })],
    ['has an item deleted', w => c => c.delete(`${items}/${w.idItem}`)],
    [
      'loses an item to another profile',
      w => c =>
        c.put(`${items}/${w.idItem}`, { ...bodies.item(w), ...inactive, id_perfil_recurso: w.linkVazio }),
    ],
  ];

  it.each(edits)('%s only by a person with level 3 on all of it', async (_, change) => {
    for (const [holding, status] of [
      ['level 3 on another', 403],
      ['level 3 on it', 200],
    ] as const) {
      const world = await makeWorld(service());
      const { client, idPessoa } = await makeClerk(service(), holding, world);
      await hold(service(), idPessoa, world.idPerfil);
      const answer = await (await change(world))(client);
      expect(answer.status === 201 ? 200 : answer.status).toBe(status);
    }
  });
});
