import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import type { Client, GraphQLAnswer } from './support/client.ts';
import { readEverything, type Owned } from './support/permission-reads.ts';
import { grant, makeMenu, makePerson, makeProfile, makeSession, personOf } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const OTHER = 'outra-pessoa';
const paths = {
  access: '/permissoes/parametros-acesso-api',
  menu: '/permissoes/menu_lateral',
  permissions: '/permissoes/permissoes',
  sessions: '/permissoes/autenticacoes',
} as const;

let discente: Client;
let own: { idPessoa: number; idPerfil: number };
let other: Owned;

/** A person's profile in another system, with its own menu. It gives no permissions in this system. */
async function profileOf(usuario: string): Promise<number> {
  const nome = `Linha de ${usuario}`;
  const lines = await makeMenu(service(), { nome: 'Início', sistema: 'PORTAL', linhas: { [nome]: null } });
  const itens = [{ itemMenu: lines[nome]!, nivel: 2 }];
  return makeProfile(service(), {
    nome: `Perfil de ${usuario}`,
    sistema: 'PORTAL',
    usuarios: [usuario],
    itens,
  });
}

beforeAll(async () => {
  const token = 'O'.repeat(43);
  const idPessoa = await makePerson(service(), OTHER);
  const idSessao = await makeSession(service(), idPessoa, token);
  other = { idPessoa, idPerfil: await profileOf(OTHER), idSessao, token };
  own = { idPessoa: await personOf(service(), 'discente'), idPerfil: await profileOf('discente') };
  discente = await service().as('discente');
});

let revoke: () => Promise<void> = async () => {};
afterEach(async () => {
  await revoke();
  revoke = async () => {};
});
const give = async (controller: string, nivel: number) => {
  revoke = await grant(service(), 'discente', { controller, nivel });
};

const codeOf = ({ data, errors }: GraphQLAnswer, field: string): string | null =>
  errors ? errors[0]!.extensions.code : data[field];

it('who may not act for others is refused for every person, whether there is one or not', async () => {
  await give('almoxarifadoquimicos/responsaveis-laboratorio', 2);
  for (const idPessoa of [other.idPessoa, 999_999]) {
    expectProblem(
      await discente.post('/almoxarifadoquimicos/responsaveis-laboratorio', {
        id_local: 1,
        id_pessoa: idPessoa,
      }),
      403,
      'FORBIDDEN',
    );
    const answer = await discente.graphql(
      'mutation ($idPessoa: Int!) { criarResponsavelLaboratorio(input: { idLocal: 1, idPessoa: $idPessoa }) { id } }',
      { idPessoa },
    );
    expect(codeOf(answer, 'criarResponsavelLaboratorio')).toBe('FORBIDDEN');
  }
});

describe('a person without a level', () => {
  it('sees their own sessions, and one of them', async () => {
    const { body } = await discente.get(paths.sessions);
    expect(body.data.length).toBeGreaterThan(0);
    for (const session of body.data) expect(session.id_pessoa).toBe(own.idPessoa);
    const { id } = body.data[0];
    expect((await discente.get(`${paths.sessions}/${id}`)).body).toEqual(body.data[0]);
    const { data } = await discente.graphql(
      `{ autenticacoes { data { id } } autenticacao(id: ${id}) { id idPessoa } }`,
    );
    expect(data.autenticacoes.data).toEqual(body.data.map((session: { id: number }) => ({ id: session.id })));
    expect(data.autenticacao).toEqual({ id, idPessoa: own.idPessoa });
  });

  it('sees their own permissions, in the list and by their id', async () => {
    const { body } = await discente.get(paths.permissions);
    expect(body.data).toMatchObject([{ id_pessoa: own.idPessoa, perfil: { nome: 'Perfil de discente' } }]);
    expect((await discente.get(`${paths.permissions}/${own.idPessoa}`)).body.data).toEqual(body.data);
    const query = `{ permissoes { data { idPerfil } } permissoesDaPessoa(idPessoa: ${own.idPessoa}) { data { idPerfil } } }`;
    const held = { data: [{ idPerfil: own.idPerfil }] };
    expect((await discente.graphql(query)).data).toEqual({ permissoes: held, permissoesDaPessoa: held });
  });

  it('sees their own effective permissions, by default and by their id', async () => {
    const fields = '{ sistema controller nivel perfil }';
    const query = `{ a: permissoesEfetivas ${fields} b: permissoesEfetivas(idPessoa: ${own.idPessoa}) ${fields} }`;
    const held = [{ sistema: 'PORTAL', controller: null, nivel: 2, perfil: 'Perfil de discente' }];
    expect((await discente.graphql(query)).data).toEqual({ a: held, b: held });
  });

  it('sees their side menu, of all their profiles and of one', async () => {
    for (const path of [paths.menu, `${paths.menu}/${own.idPerfil}`])
      expect((await discente.get(path)).body.data).toMatchObject([
        { itens: [{ nome: 'Linha de discente' }] },
      ]);
  });

  it('sees the session of their own token', async () => {
    const { status, body } = await discente.get(`${paths.access}/${discente.headers['token']}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      expira_em: expect.stringMatching(/Z$/),
      versao_aplicacao: '1.0.0',
      sistema: { id: expect.any(Number), sigla: 'SII', nome: 'Serviço de Informações Institucionais' },
      pessoa: { id: own.idPessoa, nome: 'Ju Conceição', email: 'discente@universidade.example' },
      perfis: [{ id: own.idPerfil, nome: 'Perfil de discente' }],
      permissoes: [
        {
          id_perfil: own.idPerfil,
          perfil: 'Perfil de discente',
          sistema: 'PORTAL',
          controller: null,
          nivel: 2,
        },
      ],
    });
  });

  it('sees nothing of other people, whatever the request', async () => {
    const schema = await createSchema();
    const telling = async (client: Client) =>
      (await readEverything(client, schema, other))
        .filter(({ text }) => text.includes(OTHER))
        .map(({ name }) => name);
    expect((await telling(await service().as('admin'))).length).toBeGreaterThan(10);
    expect(await telling(discente)).toEqual([]);
  });

  it('gets the same answer for records of others as for records that do not exist', async () => {
    const pairs = [
      [`${paths.sessions}/${other.idSessao}`, `${paths.sessions}/999999`, 404],
      [`${paths.sessions}/${other.idSessao}?token=${other.token}`, `${paths.sessions}/999999?token=x`, 404],
      [`${paths.permissions}/${other.idPessoa}`, `${paths.permissions}/999999`, 403],
      [`${paths.menu}/${other.idPerfil}`, `${paths.menu}/999999`, 403],
      [`${paths.access}/${other.token}`, `${paths.access}/nothing`, 403],
    ] as const;
    for (const [foreign, missing, expected] of pairs) {
      const answers = [await discente.get(foreign), await discente.get(missing)];
      const [a, b] = answers.map(({ status, body }) => ({ status, ...body, instance: '' }));
      expect([a, a!.status]).toEqual([b, expected]);
    }
    const end = (id: number) => discente.graphql(`mutation { encerrarSessao(id: ${id}) { id } }`);
    const [foreign, missing] = [await end(other.idSessao), await end(999_999)];
    expect(foreign).toEqual(missing);
    expect(codeOf(foreign, 'encerrarSessao')).toBe('FORBIDDEN');
  });
});

describe('a person with level 1', () => {
  it("sees others' sessions", async () => {
    await give('permissoes/autenticacoes', 1);
    const ids = (await discente.get(paths.sessions)).body.data.map(({ id }: { id: number }) => id);
    expect(ids).toContain(other.idSessao);
    expect((await discente.get(`${paths.sessions}/${other.idSessao}`)).body.id_pessoa).toBe(other.idPessoa);
  });

  it("sees others' permissions, and what they may do", async () => {
    await give('permissoes/permissoes', 1);
    const held = [{ id_pessoa: other.idPessoa, id_perfil: other.idPerfil }];
    for (const path of [
      `${paths.permissions}?idPessoa=${other.idPessoa}`,
      `${paths.permissions}/${other.idPessoa}`,
    ])
      expect((await discente.get(path)).body.data).toMatchObject(held);
    const { data } = await discente.graphql(
      `{ permissoesEfetivas(idPessoa: ${other.idPessoa}) { idPerfil nivel } }`,
    );
    expect(data.permissoesEfetivas).toEqual([{ idPerfil: other.idPerfil, nivel: 2 }]);
  });

  it("sees the side menu of others' profiles", async () => {
    await give('permissoes/menu_lateral', 1);
    const { body } = await discente.get(`${paths.menu}/${other.idPerfil}`);
    expect(body.data).toMatchObject([{ itens: [{ nome: `Linha de ${OTHER}` }] }]);
    expectProblem(await discente.get(`${paths.menu}/999999`), 404, 'NOT_FOUND');
  });

  it.each([
    [1, 403, 403],
    [2, 403, 403],
    [3, 200, 404],
  ])(
    "or 2 does not see the sessions of other people's tokens, but level 3 does: %i",
    async (nivel, foreign, dead) => {
      await give('permissoes/parametros-acesso-api', nivel);
      const answer = await discente.get(`${paths.access}/${other.token}`);
      expect(answer.status).toBe(foreign);
      expect(answer.body.pessoa?.id).toBe(foreign === 200 ? other.idPessoa : undefined);
      expect((await discente.get(`${paths.access}/nothing`)).status).toBe(dead);
    },
  );
});
