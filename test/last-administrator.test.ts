import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  area,
  everything,
  inactive,
  items,
  makeCaller,
  makeWorld,
  setSituacao,
} from './support/administration.ts';
import { Client, type Answer } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
let second: TestService;
let admin: Client;

/** The ids of the records that make the demo's administrator an administrator. */
interface Records {
  pessoa: number;
  permissao: number;
  perfil: number;
  item: number;
  link: number;
  recurso: number;
  sistema: number;
}
let ids: Records;

beforeAll(async () => {
  second = await startService({}, service());
  admin = await service().as('admin');
  const [row] = await service().sql(
    `select json_build_object('pessoa', p.id, 'permissao', pm.id, 'perfil', pf.id, 'sistema', pf.id_sistema,
       'link', pr.id, 'recurso', pr.id_recurso, 'item', i.id)
     from pessoa p
     join permissao pm on pm.id_pessoa = p.id
     join perfil pf on pf.id = pm.id_perfil
     join perfil_recurso pr on pr.id_perfil = pf.id
     join perfil_recurso_item i on i.id_perfil_recurso = pr.id and i.id_controller is null
     where p.usuario = 'admin' limit 1`,
  );
  ids = row![0] as Records;
});
afterAll(() => second.stop());

/** Without a password nobody counts as an administrator. The test needs no login, so the password fits nothing. */
const givePasswords = (people: readonly number[]) =>
  service().sql(`insert into credencial (id_pessoa, senha_hash) select unnest($1::int[]), 'none'`, [people]);

const item = () => ({ descricao: 'Tudo', id_perfil_recurso: ids.link });
const profile = () => ({ nome: 'Administrador', id_sistema: ids.sistema });
const system = { nome: 'Serviço', sigla: 'SII' };

/** Every way to remove the administrator. */
const ways: [string, () => Promise<Answer>][] = [
  ['deleting the permission', () => admin.delete(`${area}/permissoes/${ids.permissao}`)],
  [
    'inactivating the permission',
    () => putPermission({ id_pessoa: ids.pessoa, id_perfil: ids.perfil, ...inactive }),
  ],
  [
    'changing the permission to another profile',
    async () => putPermission({ id_pessoa: ids.pessoa, id_perfil: (await makeWorld(service())).idPerfil }),
  ],
  [
    'changing the permission to somebody who may not enter',
    async () => {
      const { idPessoa } = await makeWorld(service());
      await service().sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [idPessoa]);
      return putPermission({ id_pessoa: idPessoa, id_perfil: ids.perfil });
    },
  ],
  ['inactivating the profile', () => putProfile({ ...profile(), ...inactive })],
  [
    'moving the profile to another system',
    async () => putProfile({ ...profile(), id_sistema: (await makeWorld(service())).idSistema }),
  ],
  [
    'inactivating the resource',
    () =>
      admin.put(`${area}/recursos/${ids.recurso}`, {
        nome: 'Todo o serviço',
        id_sistema: ids.sistema,
        ...inactive,
      }),
  ],
  ['inactivating the item', () => putItem({ ...item(), ...inactive })],
  ['lowering the item', () => putItem({ ...item(), nivel: 2 })],
  [
    'narrowing the item to one controller',
    async () => {
      const sql = `select id from controller where nome = 'permissoes/permissoes'`;
      return putItem({ ...item(), id_controller: (await service().sql(sql))[0]![0] });
    },
  ],
  [
    'moving the item to another profile',
    async () => putItem({ ...item(), id_perfil_recurso: (await makeWorld(service())).linkVazio }),
  ],
  ['deleting the item', () => admin.delete(`${items}/${ids.item}`)],
  ['taking the access', () => admin.delete(`${area}/acesso-ambiente/${ids.pessoa}`)],
  ['inactivating the service', () => putSystem({ ...system, ...inactive })],
  ['renaming the service', () => putSystem({ ...system, sigla: 'OUTRO' })],
];
const putPermission = (body: object) => admin.put(`${area}/permissoes/${ids.permissao}`, body);
const putProfile = (body: object) => admin.put(`${area}/perfis/${ids.perfil}`, body);
const putItem = (body: object) => admin.put(`${items}/${ids.item}`, body);
const putSystem = (body: object) => admin.put(`${area}/sistemas/${ids.sistema}`, body);

describe('the last administrator', () => {
  it.each(ways)('is not removed by %s', async (_, ask) => {
    expectProblem(await ask(), 409, 'CONFLICT');
    expect((await admin.get(`${area}/permissoes`)).status).toBe(200);
  });

  it.each([
    ['the profile', () => `${area}/perfis/${ids.perfil}`],
    ['the service', () => `${area}/sistemas/${ids.sistema}`],
  ])('is not taken away by deleting %s', async (_, path) => {
    expectProblem(await admin.delete(path()), 409, 'REFERENCED');
  });

  it('is not removed through GraphQL either', async () => {
    const { errors } = await admin.graphql(`mutation { excluirPermissao(id: ${ids.permissao}) { id } }`);
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
  });

  it('is still the last one if others may not enter or have a right that does not count', async () => {
    const [absent, other] = [
      await makeCaller(service(), everything),
      await makeCaller(service(), everything),
    ];
    await givePasswords([absent.idPessoa, other.idPessoa]);
    await service().sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [absent.idPessoa]);
    await setSituacao(service(), 'perfil', other.idPerfil, 'I');
    expectProblem(await admin.delete(`${area}/permissoes/${ids.permissao}`), 409, 'CONFLICT');
  });
});

describe('two administrators', () => {
  /** The demo's administrator has no rights while two others are tested. */
  beforeAll(() => setSituacao(service(), 'permissao', ids.permissao, 'I'));
  afterAll(() => setSituacao(service(), 'permissao', ids.permissao, 'A'));
  afterEach(() => service().sql('delete from permissao where id_perfil = any($1)', [made.splice(0)]));
  const made: number[] = [];

  async function pair() {
    const both = [await makeCaller(service(), everything), await makeCaller(service(), everything)] as const;
    made.push(...both.map(one => one.idPerfil));
    await givePasswords(both.map(one => one.idPessoa));
    return both;
  }

  const statuses = async (asked: Promise<Answer>[]) =>
    (await Promise.all(asked)).map(answer => answer.status).toSorted((a, b) => a - b);

  it('can lose one of them, but not both', async () => {
    const [one, other] = await pair();
    expect((await one.client.delete(`${area}/permissoes/${other.idPermissao}`)).status).toBe(200);
    expectProblem(await one.client.delete(`${area}/permissoes/${one.idPermissao}`), 409, 'CONFLICT');
  });

  it.each([
    ['permission', (of: { idPermissao: number }) => `${area}/permissoes/${of.idPermissao}`, 403],
    ['access', (of: { idPessoa: number }) => `${area}/acesso-ambiente/${of.idPessoa}`, 401],
  ] as const)(
    "who take each other's %s at the same moment leave one, in one process and in two",
    async (_, path, refused) => {
      for (const process of [service(), second, service(), second]) {
        const [one, other] = await pair();
        const elsewhere = new Client(process.url, other.client.headers);
        expect(await statuses([one.client.delete(path(other)), elsewhere.delete(path(one))])).toEqual([
          200,
          refused,
        ]);
      }
    },
  );

  it('who resign at the same moment leave one administrator', async () => {
    for (const process of [service(), second]) {
      const [one, other] = await pair();
      const elsewhere = new Client(process.url, other.client.headers);
      const asked = [
        one.client.delete(`${area}/permissoes/${one.idPermissao}`),
        elsewhere.delete(`${area}/permissoes/${other.idPermissao}`),
      ];
      expect(await statuses(asked)).toEqual([200, 409]);
      await service().sql('delete from permissao where id_perfil = any($1)', [made.splice(0)]);
    }
  });
});
