import { beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { hold, makeCaller, makeWorld, setSituacao, type World } from './support/administration.ts';
import { takeLock } from '../src/database/locks.ts';
import { transactionReader } from '../src/database/reader.ts';
import { systemHeaders } from './support/client.ts';
import { lockWaits } from './support/lock-waits.ts';
import { attempt } from './support/logins.ts';
import { grant, makeProfile, makeSession, personOf } from './support/permissions.ts';
import { holdings, makeHolder, makePrey, NEW_PASSWORD, tryEverything, type Prey } from './support/power.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const forget = () => service().sql('delete from tentativa_senha');
const opens = async (username: string, password: string) => {
  const { status } = await attempt(service(), username, { password });
  await forget();
  return status === 200;
};
const isLive = async (token: string) =>
  Boolean((await service().anyone.with({ token }).graphql('{ sessaoAtual { id } }')).data?.sessaoAtual);

describe.each(['password', 'session'] as const)("another person's %s", kind => {
  const controller = kind === 'password' ? 'auth/senha' : 'permissoes/autenticacoes';

  /** Does it to somebody who holds level 1 on a controller of another system. Answers whether it was allowed. */
  async function reach(
    holding: 'nothing' | 'level 2 on it' | 'level 3 on it' | 'its system',
    taken: (world: World, idPermissao: number) => unknown = () => {},
  ): Promise<boolean> {
    const world = await makeWorld(service());
    const { sigla } = world;
    await taken(world, await hold(service(), world.idPessoa, world.idPerfil));
    const me = await makeCaller(service(), [{ controller, nivel: 3 }]);
    const itens = {
      nothing: [],
      'level 2 on it': [{ controller: 'coisas', nivel: 2 }],
      'level 3 on it': [{ controller: 'coisas', nivel: 3 }],
      'its system': [{ nivel: 3 }],
    }[holding];
    await hold(service(), me.idPessoa, await makeProfile(service(), { sistema: sigla, itens }));
    const client = me.client.with(systemHeaders);
    const [[username]] = (await service().sql('select usuario from pessoa where id = $1', [
      world.idPessoa,
    ])) as [[string]];
    if (kind === 'session') {
      const id = await makeSession(service(), world.idPessoa, `of ${username}`);
      const { errors } = await client.graphql(`mutation { encerrarSessao(id: ${id}) { id } }`);
      expect(await isLive(`of ${username}`)).toBe(errors !== undefined);
      return !errors;
    }
    const { status } = await client.put('/auth/senha', { username, password: NEW_PASSWORD });
    expect(await opens(username, NEW_PASSWORD)).toBe(status === 200);
    return status === 200;
  }

  it.each([
    ['nothing', false],
    ['level 2 on it', false],
    ['level 3 on it', true],
    ['its system', true],
  ] as const)('is open to a caller who manages what they hold: %s, %s', async (holding, isAllowed) => {
    expect(await reach(holding)).toBe(isAllowed);
  });

  const ways: [string, (world: World, idPermissao: number) => unknown][] = [
    ['the profile was taken from them', (_, id) => setSituacao(service(), 'permissao', id, 'I')],
    ['the profile is inactive', w => setSituacao(service(), 'perfil', w.idPerfil, 'I')],
    ['the item is inactive', w => setSituacao(service(), 'perfil_recurso_item', w.idItem, 'I')],
    ['the controller is inactive', w => setSituacao(service(), 'controller', w.coisas, 'I')],
    ['the system is inactive', w => setSituacao(service(), 'sistema', w.idSistema, 'I')],
    [
      'the resource is inactive',
      w =>
        service().sql(
          `update recurso set situacao = 'I' where id = (select id_recurso from perfil_recurso where id = $1)`,
          [w.idPerfilRecurso],
        ),
    ],
  ];
  it.each(ways)('stays closed while %s: it can be given back', async (_, taken) => {
    expect(await reach('nothing', taken)).toBe(false);
  });

  it.each(ways.slice(0, 2))('stays open to a caller who manages it while %s', async (_, taken) => {
    expect(await reach('level 3 on it', taken)).toBe(true);
  });
});

it('level 3 on auth/senha resets people without rights, but no administrator', async () => {
  const takeBack = await grant(service(), 'tecnico', { controller: 'auth/senha', nivel: 3 });
  const tecnico = (await service().as('tecnico')).with(systemHeaders);
  const reset = (username: string) => tecnico.put('/auth/senha', { username, password: NEW_PASSWORD });
  const [admin, discente] = [await reset('admin'), await reset('discente')];
  expect([admin.status, admin.body.code, discente.status]).toEqual([403, 'FORBIDDEN', 200]);
  expect(admin.body.detail).not.toContain('/');
  expect([await opens('admin', NEW_PASSWORD), await opens('discente', NEW_PASSWORD)]).toEqual([false, true]);
  await tecnico.put('/auth/senha', { username: 'discente', password: demoPassword('discente') });
  await takeBack();
});

it('a password is not reset if its person becomes an administrator meanwhile', async () => {
  const takeBack = await grant(service(), 'tecnico', { controller: 'auth/senha', nivel: 3 });
  const tecnico = (await service().as('tecnico')).with(systemHeaders);
  const holder = service().services.orm.em.fork();
  await holder.begin();
  await takeLock(transactionReader(holder), 'administration');
  const reset = tecnico.put('/auth/senha', { username: 'docente', password: NEW_PASSWORD });
  await eventually(async () =>
    expect(await service().sql(lockWaits(`locktype = 'advisory'`))).toHaveLength(1),
  );
  const perfil = await makeProfile(service(), { itens: [{ nivel: 3 }] });
  await hold(service(), await personOf(service(), 'docente'), perfil);
  await holder.rollback();
  expect((await reset).status).toBe(403);
  expect(await opens('docente', NEW_PASSWORD)).toBe(false);
  await takeBack();
});

describe('a person who manages only one controller', () => {
  let prey: Prey;
  let controllers: string[];
  beforeAll(async () => {
    prey = await makePrey(service());
    const rows = await service().sql(
      `select c.nome from controller c join sistema s on s.id = c.id_sistema where s.sigla = 'SII' order by 1`,
    );
    controllers = rows.flat() as string[];
  });

  it('cannot give anybody more than that, act for a person with more, or lock anybody out', async () => {
    expect(controllers.length).toBeGreaterThan(40);
    for (const controller of controllers) {
      const me = await makeHolder(service(), controller, prey);
      const before = await holdings(service());
      const answers = await tryEverything(me, prey);
      const more = [...(await holdings(service()))].filter(one => !before.has(one));
      const beyond = more.filter(one => !one.includes(` SII ${controller} `));
      expect({ controller, beyond, broken: Object.values(answers).filter(status => status >= 500) }).toEqual({
        controller,
        beyond: [],
        broken: [],
      });
    }
    const live = await Promise.all(prey.usuarios.map(usuario => isLive(`session of ${usuario}`)));
    expect(live).toEqual(prey.usuarios.map(() => true));
    for (const usuario of prey.usuarios) {
      expect([usuario, await opens(usuario, NEW_PASSWORD)]).toEqual([usuario, false]);
      expect([usuario, await opens(usuario, demoPassword(usuario))]).toEqual([usuario, true]);
    }
  }, 600_000);

  it('cannot do these acts, all of which an administrator may do', async () => {
    const me = await makeHolder(service(), null, prey);
    const before = await holdings(service());
    const answers = await tryEverything(me, prey);
    expect([...(await holdings(service()))].filter(one => !before.has(one))).not.toEqual([]);
    expect(await opens('almoxarife', NEW_PASSWORD)).toBe(true);
    expect(Object.entries(answers).filter(([, status]) => status === 403)).toEqual([]);
  });
});
