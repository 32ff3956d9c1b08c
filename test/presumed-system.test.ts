import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { makeKey, makeSystem, revokeKey, type System } from './support/api-keys.ts';
import type { Client, Answer } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService();
let admin: Client;
let system: System;
let key: { id: number; chave: string };

beforeAll(async () => {
  admin = await service().as('admin');
});

/** A system that a login has just come through, so that the process knows it. */
beforeEach(async () => {
  await service().sql('delete from tentativa_senha');
  system = await makeSystem(service());
  key = await makeKey(service(), system);
  if ((await logIn()).status !== 200) throw new Error('nobody could log in');
});

const client = () =>
  service().anyone.with({ 'app-name': system.sigla, 'api-key': key.chave, appversion: '1' });
const logIn = (password = demoPassword('docente'), username = 'docente'): Promise<Answer> =>
  client().post('/auth/login', { username, password });
const logInTwice = (): Promise<any> => {
  const entrar = `entrar(input: { username: "docente", password: "${demoPassword('docente')}" }) { sistema { id } }`;
  return client().graphql(`mutation { um: ${entrar} outro: ${entrar} }`);
};

const opened = async (): Promise<number> =>
  (await service().sql('select id from sessao where id_sistema = $1', [system.id])).length;
const attempts = async (): Promise<unknown[]> =>
  (await service().sql('select estado from tentativa_senha order by id')).flat();
const setSystem = (change: string) =>
  service().sql(`update sistema set ${change} where id = $1`, [system.id]);

describe('the next login through a known system', () => {
  const wrongs: [string, () => Promise<unknown>][] = [
    ['whose key was revoked', () => revokeKey(admin, key.id)],
    [
      'whose key has expired',
      () =>
        service().sql(`update chave_api set expira_em = now() - interval '1 second' where id = $1`, [key.id]),
    ],
    ['that was deactivated', () => setSystem(`situacao = 'I'`)],
    ['that has another acronym', () => setSystem(`sigla = sigla || 'X'`)],
  ];
  for (const [whose, change] of wrongs)
    it(`${whose} is refused on both faces, opens no session and counts no attempt`, async () => {
      await change();
      const before = [await opened(), await attempts()];
      const { status, body } = await logIn();
      expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(body.detail).toContain('api-key');
      expect((await logIn('wrong')).body.detail).toBe(body.detail);
      const { errors, data } = await logInTwice();
      expect(errors.map((error: any) => error.message)).toEqual([body.detail, body.detail]);
      expect(data).toEqual({ um: null, outro: null });
      expect([await opened(), await attempts()]).toEqual(before);
    });

  it('whose key was revoked is told so, even where the user has no attempts left', async () => {
    for (let i = 0; i < 5; i++) expect((await logIn('wrong')).status).toBe(401);
    expect((await logIn()).status).toBe(429);
    await revokeKey(admin, key.id);
    expect((await logIn()).status).toBe(401);
  });

  it('that got a limit of its own obeys it, and one that lost it does, too', async () => {
    const wrong = async () => (await logIn('wrong', 'discente')).status;
    await setSystem('limite_falhas = 1');
    expect([await wrong(), await wrong()]).toEqual([401, 429]);
    await setSystem('limite_falhas = null');
    expect(await wrong()).toBe(401);
  });

  it('that is still the same opens each session once', async () => {
    const before = await opened();
    const { data, errors } = await logInTwice();
    expect(errors).toBeUndefined();
    expect(data).toEqual({ um: { sistema: { id: system.id } }, outro: { sistema: { id: system.id } } });
    expect(await opened()).toBe(before + 2);
    expect(await attempts()).not.toContain('em_curso');
  });
});
