import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { addSystem, grant, makeMenu, makeProfile, type ProfileItem } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const path = '/permissoes/menu_lateral';
const LOTES = 'almoxarifadoquimicos/lotes';
const MATERIAIS = 'almoxarifadoquimicos/materiais';

let docente: Client;
let lines: Record<string, number>;
/** Every profile of a test is removed at its end. */
afterEach(() =>
  service().sql(`delete from permissao where id_pessoa = (select id from pessoa where usuario = 'docente')`),
);

beforeAll(async () => {
  docente = await service().as('docente');
  const linhas = { Materiais: MATERIAIS, Lotes: LOTES, Ajuda: null };
  lines = await makeMenu(service(), { nome: 'Primeiro', linhas });
  Object.assign(lines, await makeMenu(service(), { nome: 'Segundo', linhas: { Avisos: null } }));
});

interface Menu {
  nome: string;
  itens: { nome: string; nivel: number | null }[];
}

/** The menus as a person sees them: `Primeiro: Lotes 2, Materiais 1`. */
async function drawn(client = docente, at = path): Promise<string[]> {
  const { body } = await client.get(at);
  return (body.data as Menu[]).map(
    ({ nome, itens }) => `${nome}: ${itens.map(item => `${item.nome} ${item.nivel ?? '-'}`).join(', ')}`,
  );
}

const hold = (...itens: ProfileItem[]): Promise<number> =>
  makeProfile(service(), { usuarios: ['docente'], itens });
/** A profile item with a line, and level 1 on the controller that the line opens or on another one. */
const line = (nome: string, more: ProfileItem = {}): ProfileItem => ({
  itemMenu: lines[nome]!,
  controller: nome === 'Materiais' ? MATERIAIS : LOTES,
  ...more,
});

describe('the side menu', () => {
  it('is a page of menus with their lines, each with its controller and the level on it', async () => {
    await hold(line('Lotes', { nivel: 2, ordem: 4 }), line('Ajuda'));
    const { status, body } = await docente.get(path);
    expect(status).toBe(200);
    const controller = { id: expect.any(Number), nome: LOTES };
    const itens = [
      { id: lines['Lotes'], nome: 'Lotes', ordem: 4, controller, nivel: 2, alertas: null },
      { id: lines['Ajuda'], nome: 'Ajuda', ordem: null, controller: null, nivel: null, alertas: null },
    ];
    expect(body).toMatchObject({ total: 1, page: 1, itemsPerPage: 1, totalPages: 1 });
    expect(body.data).toMatchObject([{ nome: 'Primeiro', descricao: null, sistema: { sigla: 'SII' } }]);
    expect(body.data[0].itens).toEqual(itens);
    const query = '{ menuLateral { total data { nome itens { nome ordem nivel controller { nome } } } } }';
    const { data } = await docente.graphql(query);
    expect(body).toMatchObject(data.menuLateral);
  });

  it('is empty for a person without a profile', async () => {
    expect((await docente.get(path)).body).toMatchObject({ data: [], total: 0 });
  });

  it('has menus and lines in the order of the items, then those without a position by name', async () => {
    await hold(line('Avisos', { ordem: 2 }), line('Materiais', { ordem: 9 }), line('Lotes'), line('Ajuda'));
    expect(await drawn()).toEqual(['Segundo: Avisos -', 'Primeiro: Materiais 1, Ajuda -, Lotes 1']);
    await hold(line('Lotes', { ordem: 1 }));
    expect(await drawn()).toEqual(['Primeiro: Lotes 1, Materiais 1, Ajuda -', 'Segundo: Avisos -']);
  });

  it('comes in pages of menus when asked', async () => {
    await hold(line('Avisos', { ordem: 2 }), line('Materiais', { ordem: 9 }));
    const page = { total: 2, page: 2, itemsPerPage: 1, totalPages: 2, data: [{ nome: 'Primeiro' }] };
    const { body } = await docente.get(`${path}?pagination=true&page=2&itemsPerPage=1`);
    expect(body).toMatchObject(page);
    const query = `{ menuLateral(page: 2, itemsPerPage: 1) { ${Object.keys(page).join(' ').replace('data', 'data { nome }')} } }`;
    expect((await docente.graphql(query)).data.menuLateral).toEqual(page);
  });

  it('shows a line once, with the higher level of two profiles', async () => {
    await hold(line('Lotes', { nivel: 1 }));
    await hold(line('Lotes', { nivel: 3 }));
    expect(await drawn()).toEqual(['Primeiro: Lotes 3']);
  });

  it('counts the level of an item without a line', async () => {
    await hold(line('Lotes', { nivel: 1 }), { controller: LOTES, nivel: 2 });
    expect(await drawn()).toEqual(['Primeiro: Lotes 2']);
  });

  it('applies an item without a controller to every line', async () => {
    await hold(line('Lotes'), line('Materiais'));
    await hold({ nivel: 3 });
    expect(await drawn()).toEqual(['Primeiro: Lotes 3, Materiais 3']);
  });

  it('ignores levels of another system', async () => {
    await hold(line('Lotes'));
    await grant(service(), 'docente', { controller: null, nivel: 3, sistema: 'PORTAL' });
    expect(await drawn()).toEqual(['Primeiro: Lotes 1']);
  });

  it('shows the effective level', async () => {
    const idPerfil = await hold(line('Lotes', { nivel: 1 }));
    expect((await docente.get(`/${LOTES}?pagination=true`)).status).toBe(200);
    expect((await docente.post(`/${LOTES}`, {})).status).toBe(403);
    expect(await drawn(docente, `${path}/${idPerfil}`)).toEqual(['Primeiro: Lotes 1']);
  });
});

describe('the side menus of two profiles', () => {
  it('have no objects of the same type and id that differ, which caches would mix up', async () => {
    const lower = await hold(line('Lotes', { nivel: 1, ordem: 1 }));
    const higher = await hold(line('Lotes', { nivel: 3, ordem: 2 }), line('Ajuda'));
    const menu = 'nome descricao sistema { __typename id sigla nome }';
    const itens =
      'itens { __typename idItemMenu nome ordem nivel alertas controller { __typename id nome } }';
    const query = `query ($id: Int) { menuLateral(idPerfil: $id) { data { __typename idMenu ${menu} ${itens} } } }`;
    const [one, other] = await Promise.all([lower, higher].map(id => docente.graphql(query, { id })));
    const [first, second] = [one!, other!].map(({ data }) => data.menuLateral.data[0]);
    expect(first).toMatchObject({ idMenu: second.idMenu, itens: [{ idItemMenu: lines['Lotes'], nivel: 1 }] });
    expect(second.itens).toMatchObject([{ idItemMenu: lines['Lotes'], nivel: 3 }, { nome: 'Ajuda' }]);
    const seen = new Map<string, object>();
    for (const found of [first, second].flatMap(identified)) {
      const key = `${found.__typename} ${found.id}`;
      expect(found).toEqual(seen.get(key) ?? found);
      seen.set(key, found);
    }
    expect([...seen.keys()]).toHaveLength(2);
  });

  it('keep their `id` in REST', async () => {
    const idPerfil = await hold(line('Lotes', { nivel: 1 }));
    const { body } = await docente.get(`${path}/${idPerfil}`);
    const [{ id, itens }] = body.data;
    expect({ id, itens }).toMatchObject({ id: expect.any(Number), itens: [{ id: lines['Lotes'] }] });
    expect(Object.keys(body.data[0])[0]).toBe('id');
  });
});

interface Identified {
  __typename: string;
  id: number;
}

/** All objects with an `id` in an answer, as a client with a normalised cache keeps them. */
function identified(value: unknown): Identified[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(identified);
  return 'id' in value ? [value as Identified, ...below] : below;
}

describe('something inactive', () => {
  const lotes = `nome = '${LOTES}'`;
  const cases: [string, string, string, string[]][] = [
    ['an item of the profile', 'perfil_recurso_item', `id_item_menu = $2`, ['Primeiro: Materiais 1']],
    ['a line', 'item_menu', 'id = $2', ['Primeiro: Materiais 1']],
    ['the controller of a line', 'controller', `$2 > 0 and ${lotes}`, ['Primeiro: Materiais 1']],
    ['the menu', 'menu', `id = (select id_menu from item_menu where id = $2)`, []],
    ['the profile', 'perfil', `$2 > 0 and nome = 'Perfil de teste'`, []],
    ['the resource', 'recurso', `$2 > 0 and nome = 'Recurso de teste'`, []],
    ['the permission', 'permissao', `$2 > 0`, []],
    ['the system', 'sistema', `$2 > 0 and sigla = 'SII'`, []],
  ];

  // A session of another system, which stays.
  let through: Client;
  beforeAll(async () => {
    await addSystem(service(), 'APP', 'app-key');
    const app = service().anyone.with({ 'app-name': 'APP', 'api-key': 'app-key' });
    const credentials = { username: 'docente', password: demoPassword('docente') };
    const { token } = (await app.post('/auth/login', credentials)).body;
    through = service().anyone.with({ token });
  });

  it.each(cases)('disappears from it at the next request: %s', async (_, table, where, rest) => {
    await hold(line('Lotes', { ordem: 1 }), line('Materiais', { ordem: 2 }));
    const set = (situacao: string) =>
      service().sql(`update ${table} set situacao = $1 where ${where}`, [situacao, lines['Lotes']]);
    await set('I');
    expect(await drawn(through)).toEqual(rest);
    await set('A');
    expect(await drawn(through)).toEqual(['Primeiro: Lotes 1, Materiais 1']);
  });
});

describe('the side menu of one profile', () => {
  it('shows only that profile, with its levels', async () => {
    const one = await hold(line('Lotes', { nivel: 1 }));
    await hold(line('Materiais', { nivel: 2 }), { controller: LOTES, nivel: 3 });
    expect(await drawn(docente, `${path}/${one}`)).toEqual(['Primeiro: Lotes 1']);
  });

  it('of another person needs level 1', async () => {
    const idPerfil = await makeProfile(service(), {
      itens: [line('Lotes')],
    });
    expectProblem(await docente.get(`${path}/${idPerfil}`), 403, 'FORBIDDEN');
    await hold({ controller: 'permissoes/menu_lateral', nivel: 1 });
    expect(await drawn(docente, `${path}/${idPerfil}`)).toEqual(['Primeiro: Lotes 1']);
  });

  it('that was taken from the caller is refused', async () => {
    const idPerfil = await hold(line('Lotes'));
    await service().sql(`update permissao set situacao = 'I' where id_perfil = $1`, [idPerfil]);
    expectProblem(await docente.get(`${path}/${idPerfil}`), 403, 'FORBIDDEN');
  });
});

describe('a login', () => {
  const log = async () =>
    (
      await service()
        .anyone.with(systemHeaders)
        .post('/auth/login', { username: 'docente', password: demoPassword('docente') })
    ).body;

  it('answers the active profiles of the person, and the systems that have a menu for them', async () => {
    const id = await hold();
    const portal = await makeProfile(service(), {
      nome: 'No portal',
      sistema: 'PORTAL',
      usuarios: ['docente'],
    });
    await makeProfile(service(), { nome: 'Fora de uso', sistema: 'SGLAB', usuarios: ['docente'] });
    const { perfis, sistemas } = await log();
    expect(perfis).toEqual([
      { id: portal, nome: 'No portal' },
      { id, nome: 'Perfil de teste' },
    ]);
    expect(sistemas).toMatchObject([{ sigla: 'SII' }, { sigla: 'PORTAL' }]);
    await service().sql(`update perfil set situacao = 'I' where id = $1`, [portal]);
    expect((await log()).perfis).toEqual([{ id, nome: 'Perfil de teste' }]);
  });
});
