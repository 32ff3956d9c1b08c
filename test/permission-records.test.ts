import { describe, expect, it } from 'vitest';
import { area, makeWorld } from './support/administration.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();

/** A body for a kind of record, the fields to change, and the required ones. */
interface Family {
  required: string[];
  body: (of: Needed) => Record<string, unknown>;
  change: Record<string, unknown>;
}
interface Needed {
  sistema: number;
  menu: number;
  controller: number;
  perfil: number;
  recurso: number;
  item: number;
}
const authors = { criado_por: 1, alterado_por: 2 };

/** By path. */
const families: Record<string, Family> = {
  controllers: {
    required: ['id_sistema', 'nome'],
    body: of => ({ nome: 'novas/coisas', id_sistema: of.sistema }),
    change: { nome: 'novas/outras', situacao: 'I' },
  },
  menus: {
    required: ['id_sistema', 'nome'],
    body: of => ({ nome: 'Menu', descricao: 'De teste', id_sistema: of.sistema, ...authors }),
    change: { nome: 'Outro', descricao: null, situacao: 'I' },
  },
  'itens-menus': {
    required: ['id_menu', 'nome'],
    body: of => ({ nome: 'Linha', id_menu: of.menu, id_controller: of.controller, ...authors }),
    change: { nome: 'Outra', id_controller: null, situacao: 'I' },
  },
  perfis: {
    required: ['id_sistema', 'nome'],
    body: of => ({ nome: 'Perfil', descricao: 'De teste', id_sistema: of.sistema, ...authors }),
    change: { nome: 'Outro', descricao: null, situacao: 'I' },
  },
  recursos: {
    required: ['id_sistema', 'nome'],
    body: of => ({ nome: 'Recurso', descricao: 'De teste', tipo: 'G', id_sistema: of.sistema, ordem: 3 }),
    change: { nome: 'Outro', descricao: null, tipo: 'U', ordem: null, situacao: 'I' },
  },
  sistemas: {
    required: ['nome', 'sigla'],
    body: () => ({ nome: 'Novo', sigla: 'NOVO', descricao: 'De teste', tipo: 'x', id_orgao: 7, ...authors }),
    change: { nome: 'Outro', sigla: 'OUTRO', descricao: null, tipo: null, id_orgao: null, situacao: 'I' },
  },
  'perfis-recrusos-itens': {
    required: ['descricao', 'id_perfil', 'id_recurso'],
    body: of => ({
      descricao: 'Item',
      id_perfil: of.perfil,
      id_recurso: of.recurso,
      id_item_menu: of.item,
      id_controller: of.controller,
      modulo: 'coisas',
      nivel: 2,
      ordem: 4,
      ...authors,
    }),
    change: {
      descricao: 'Outro',
      id_item_menu: null,
      id_controller: null,
      modulo: null,
      nivel: 3,
      ordem: null,
      situacao: 'I',
    },
  },
};

/** One record of each kind for others to reference, in a separate system. */
async function makeNeeded(): Promise<Needed> {
  const admin = await service().as('admin');
  const { idSistema, coisas, idPerfil } = await makeWorld(service());
  const id = async (path: string, body: object) =>
    (await admin.post(`${area}/${path}`, { ...body, ...authors })).body.id as number;
  const menu = await id('menus', { nome: 'Menu', id_sistema: idSistema });
  return {
    sistema: idSistema,
    controller: coisas,
    perfil: idPerfil,
    menu,
    recurso: (await admin.post(`${area}/recursos`, { nome: 'Recurso', id_sistema: idSistema })).body.id,
    item: await id('itens-menus', { nome: 'Linha', id_menu: menu }),
  };
}

describe.each(Object.entries(families))('a record of %s', (path, { required, body, change }) => {
  const base = `${area}/${path}`;

  it('can be read as it was written, changed and deleted', async () => {
    const admin = await service().as('admin');
    const sent = body(await makeNeeded());
    const created = await admin.post(base, sent);
    expect(created).toMatchObject({ status: 201, body: { ...sent, situacao: 'A' } });
    const location = created.headers.get('location')!;
    expect(location).toBe(`${base}/${created.body.id}`);
    expect((await admin.get(location)).body).toEqual(created.body);
    const changed = await admin.put(location, { ...sent, ...change });
    expect(changed).toMatchObject({ status: 200, body: { ...sent, ...change } });
    const deleted = await admin.delete(location);
    expect(deleted).toMatchObject({ status: 200, body: { id: created.body.id, ...change } });
    expectProblem(await admin.get(location), 404, 'NOT_FOUND');
    expectProblem(await admin.delete(location), 404, 'NOT_FOUND');
  });

  it('keeps the fields that a change leaves out', async () => {
    const admin = await service().as('admin');
    const sent = body(await makeNeeded());
    const { id } = (await admin.post(base, sent)).body;
    const least = Object.fromEntries(required.map(field => [field, sent[field]]));
    expect((await admin.put(`${base}/${id}`, least)).body).toMatchObject({
      ...sent,
      alterado_por: expect.any(Number),
    });
    await admin.delete(`${base}/${id}`);
  });

  it('reports all missing required fields, and no optional ones', async () => {
    const admin = await service().as('admin');
    for (const refused of [await admin.post(base), await admin.put(`${base}/999999`)]) {
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused).toSorted()).toEqual(required);
    }
  });

  it('is either active or inactive, and active where nobody says it', async () => {
    const admin = await service().as('admin');
    const refused = await admin.post(base, { ...body(await makeNeeded()), situacao: 'X' });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['situacao']);
    for (const situacao of [undefined, null, '']) {
      const made = await admin.post(base, { ...body(await makeNeeded()), situacao });
      expect(made).toMatchObject({ status: 201, body: { situacao: 'A' } });
      // The acronym of a system is unique.
      expect((await admin.delete(`${base}/${made.body.id}`)).status).toBe(200);
    }
  });
});

describe('a reference to what does not exist is refused', () => {
  const referring = Object.entries(families).filter(([path]) => path !== 'sistemas');

  it.each(referring)('in %s, whichever field it is', async (path, { body }) => {
    const admin = await service().as('admin');
    const sent = body(await makeNeeded());
    const links = Object.keys(sent).filter(field => field.startsWith('id_'));
    const unknown = Object.fromEntries(links.map(field => [field, 999_999]));
    const refused = await admin.post(`${area}/${path}`, { ...sent, ...unknown });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual(links.toSorted());
  });
});

describe('a value out of its range is refused', () => {
  it.each([
    ['recursos', 'tipo', ['X', 'g']],
    ['perfis-recrusos-itens', 'nivel', [0, 4]],
    ['sistemas', 'tipo', ['ab']],
    ['sistemas', 'nome', [null, '']],
  ] as const)('in %s: %s', async (name, field, values) => {
    const admin = await service().as('admin');
    const sent = families[name]!.body(await makeNeeded());
    for (const value of values) {
      const refused = await admin.post(`${area}/${name}`, { ...sent, [field]: value });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual([field]);
    }
  });
});
