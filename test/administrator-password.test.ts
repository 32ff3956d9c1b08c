import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { area, inactive } from './support/administration.ts';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { onLdap } from './support/directories.ts';
import { hasSlapd } from './support/ldap-server.ts';
import { expectProblem } from './support/problem.ts';
import { startService, type TestService } from './support/service.ts';

/** The ids of the demo's administrator: the person, their permission and its profile. */
async function idsOf(service: TestService) {
  const [row] = await service.sql(
    `select p.id, m.id, m.id_perfil from pessoa p join permissao m on m.id_pessoa = p.id where p.usuario = 'admin'`,
  );
  const [pessoa, permissao, perfil] = row as [number, number, number];
  return { pessoa, permissao, perfil };
}

/** Admits somebody as administrator. Returns the answer, whose body has no password. */
const admit = (admin: Client, usuario: string, id_perfil: number): Promise<Answer> =>
  admin.post(`${area}/pessoas`, {
    usuario,
    nome_civil: 'Nova Administradora',
    email: `${usuario}@universidade.example`,
    id_perfil,
  });

/** Imports that the demo's administrator has left. */
const importLeaver = (admin: Client): Promise<Answer> => {
  const rows = 'usuario;nome;email;situacao\nadmin;Admin;admin@universidade.example;I';
  const conteudo = Buffer.from(rows).toString('base64');
  return admin.post('/institucional/importacoes', {
    registros: 'pessoas',
    nome_arquivo: 'pessoas.csv',
    conteudo,
  });
};

const logIn = (service: TestService, username: string, password: string): Promise<Answer> =>
  service.anyone.with(systemHeaders).post('/auth/login', { username, password });

describe('without an LDAP server, an administrator who has no password', () => {
  let service: TestService;
  let admin: Client;
  let ids: Awaited<ReturnType<typeof idsOf>>;
  const put = (body: object): Promise<Answer> => admin.put(`${area}/permissoes/${ids.permissao}`, body);
  const ways: [string, () => Promise<Answer>][] = [
    ['deletes their permission', () => admin.delete(`${area}/permissoes/${ids.permissao}`)],
    [
      'inactivates their permission',
      () => put({ id_pessoa: ids.pessoa, id_perfil: ids.perfil, ...inactive }),
    ],
    ['gives up their access', () => admin.delete(`${area}/acesso-ambiente/${ids.pessoa}`)],
    ['dismisses themselves', () => admin.delete(`${area}/pessoas/${ids.pessoa}`)],
  ];
  beforeAll(async () => {
    service = await startService();
    admin = await service.as('admin');
    ids = await idsOf(service);
    await admit(admin, 'sem.senha', ids.perfil);
  });
  afterAll(() => service?.stop());

  it('has the profile, but cannot log in', async () => {
    const [row] = await service.sql(
      `select count(*)::int from permissao m join pessoa p on p.id = m.id_pessoa where p.usuario = 'sem.senha' and m.id_perfil = $1`,
      [ids.perfil],
    );
    expect(row).toEqual([1]);
    expect((await logIn(service, 'sem.senha', 'any password at all')).status).toBe(401);
  });

  it.each(ways)('is no reason to let the last one go who %s', async (_, ask) => {
    const refused = await ask();
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.detail).toContain('senha');
    expect((await logIn(service, 'admin', demoPassword('admin'))).status).toBe(200);
  });

  it('is no reason to import that the last one has left, nor to say so through GraphQL', async () => {
    const { body } = await importLeaver(admin);
    expect([body.situacao, body.problemas?.[0]?.coluna]).toEqual(['recusada', 'situacao']);
    const { errors } = await admin.graphql(`mutation { excluirPermissao(id: ${ids.permissao}) { id } }`);
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
    expect((await logIn(service, 'admin', demoPassword('admin'))).status).toBe(200);
  });

  it('counts once they have one', async () => {
    const password = 'a password of their own';
    const set = await admin.with(systemHeaders).put('/auth/senha', { username: 'sem.senha', password });
    expect(set.status).toBe(200);
    expect((await admin.delete(`${area}/permissoes/${ids.permissao}`)).status).toBe(200);
    const { status, body } = await logIn(service, 'sem.senha', password);
    expect(status).toBe(200);
    const successor = service.anyone.with({ token: body.token });
    expect((await successor.get(`${area}/permissoes`)).status).toBe(200);
  });
});

describe.runIf(hasSlapd())('with an LDAP server, an administrator who has no password of the service', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  beforeAll(async () => {
    directory = await onLdap();
  });
  afterAll(() => directory?.stop());

  it('counts, because their password is on the server', async () => {
    const { service } = directory;
    const [admin, ids] = [await service.as('admin'), await idsOf(service)];
    expect((await admit(admin, 'no.diretorio', ids.perfil)).status).toBe(201);
    expect((await admin.delete(`${area}/permissoes/${ids.permissao}`)).status).toBe(200);
  });
});
