import { afterEach, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { grant } from './support/permissions.ts';
import { useService } from './support/service.ts';

const service = useService();

interface Outcome {
  code: string | undefined;
  fields: string[] | undefined;
  text: string;
}
interface Change {
  username: string;
  password: string;
}

const fieldsOf = (errors: { field: string }[] | undefined) => errors?.map(error => error.field);

/** A password change on each face. */
const faces = {
  REST: async (client: Client, change: Change): Promise<Outcome> => {
    const { body } = await client.put('/auth/senha', change);
    return {
      code: body.code,
      fields: fieldsOf(body.errors),
      text: JSON.stringify({ ...body, instance: undefined }),
    };
  },
  GraphQL: async (client: Client, input: Change): Promise<Outcome> => {
    const query = 'mutation ($input: SenhaInput!) { alterarSenha(input: $input) { id usuario } }';
    const answer = await client.graphql(query, { input });
    const { code, errors } = answer.errors?.[0]!.extensions ?? {};
    return { code, fields: fieldsOf(errors), text: JSON.stringify(answer) };
  },
};

const NEW = 'a new and longer one';
const login = async (usuario: string, password?: string) =>
  (await service().anyone.login(usuario, password)).with(systemHeaders);
const known = async (usuario: string) => (await service().as(usuario)).with(systemHeaders);
const isLive = async (client: Client) =>
  Boolean((await client.graphql('{ sessaoAtual { id } }')).data?.sessaoAtual);

/** Whether the password is right. */
async function opens(username: string, password: string): Promise<boolean> {
  const { status } = await service().anyone.with(systemHeaders).post('/auth/login', { username, password });
  await service().sql('delete from tentativa_senha');
  return status === 200;
}

describe.each(['REST', 'GraphQL'] as const)('a password change by %s', face => {
  const change = faces[face];
  let revoke: () => Promise<void> = async () => {};
  afterEach(async () => {
    await revoke();
    revoke = async () => {};
  });

  it("of the caller's own password replaces the old one and ends the other sessions", async () => {
    const others = [await login('discente'), await login('discente')];
    const current = await login('discente');
    const { code, text } = await change(current, { username: 'Discente', password: NEW });
    expect(code).toBeUndefined();
    expect(text).not.toContain(NEW);
    expect(await Promise.all([...others, current].map(isLive))).toEqual([false, false, true]);
    expect([await opens('discente', NEW), await opens('discente', demoPassword('discente'))]).toEqual([
      true,
      false,
    ]);
    const [[stored]] = (await service().sql(
      `select senha_hash from credencial join pessoa p on p.id = id_pessoa where usuario = 'discente'`,
    )) as [[string]];
    // The first recommendation of OWASP.
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await change(current, { username: 'discente', password: demoPassword('discente') });
    expect(await opens('discente', demoPassword('discente'))).toBe(true);
  });

  it('needs a token and the key of the system', async () => {
    const own = { username: 'tecnico', password: NEW };
    const { token } = (await service().as('tecnico')).headers;
    const { anyone } = service();
    for (const headers of [
      systemHeaders,
      { token: token! },
      { ...systemHeaders, token: token!, 'api-key': 'wrong' },
    ])
      expect((await change(anyone.with(headers), own)).code).toBe('UNAUTHENTICATED');
    expect(await opens('tecnico', demoPassword('tecnico'))).toBe(true);
  });

  it('of another person needs level 3 on auth/senha', async () => {
    const tecnico = await known('tecnico');
    const forOther = { username: 'docente', password: NEW };
    expect((await change(tecnico, forOther)).code).toBe('FORBIDDEN');
    revoke = await grant(service(), 'tecnico', { controller: 'auth/senha', nivel: 2 });
    expect((await change(tecnico, forOther)).code).toBe('FORBIDDEN');
    expect(await opens('docente', demoPassword('docente'))).toBe(true);
  });

  it("of another person ends all of that person's sessions and none of the caller's", async () => {
    revoke = await grant(service(), 'tecnico', { controller: 'auth/senha', nivel: 3 });
    const [tecnico, docente] = [await known('tecnico'), await login('docente')];
    expect((await change(tecnico, { username: 'docente', password: NEW })).code).toBeUndefined();
    expect(await Promise.all([docente, tecnico].map(isLive))).toEqual([false, true]);
    expect(await opens('docente', NEW)).toBe(true);
    await change(tecnico, { username: 'docente', password: demoPassword('docente') });
  });

  it('does not reveal who exists to a caller who may not act for others', async () => {
    const tecnico = await known('tecnico');
    const unknown = await change(tecnico, { username: 'nobody', password: NEW });
    expect(unknown.code).toBe('FORBIDDEN');
    expect(unknown).toEqual(await change(tecnico, { username: 'docente', password: NEW }));
  });

  it('reports an unknown user name to a caller who may act for others', async () => {
    const outcome = await change(await known('admin'), { username: 'nobody', password: NEW });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', fields: ['username'] });
  });

  it.each([
    ['nine characters', 'ninechars'],
    ['the user name', 'almoxarife'],
    ['the user name in capitals', 'ALMOXARIFE'],
    ['the user name with blanks beside it', '\u00a0almoxarife '],
    ['white space alone', ' '.repeat(12)],
    ['nothing', ''],
    ['NUL', 'long enough\0'],
    ['half a surrogate pair', 'long enough\ud83d'],
    ['1,001 characters', 'x'.repeat(1001)],
  ])('refuses %s as a password', async (_, password) => {
    const outcome = await change(await known('almoxarife'), { username: 'almoxarife', password });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', fields: ['password'] });
  });

  it('keeps the blanks at the ends of a password', async () => {
    const almoxarife = await known('almoxarife');
    const padded = ' ten or more ';
    const padding = { username: 'almoxarife', password: padded };
    expect((await change(almoxarife, padding)).code).toBeUndefined();
    expect([await opens('almoxarife', padded), await opens('almoxarife', padded.trim())]).toEqual([
      true,
      false,
    ]);
    await change(almoxarife, { username: 'almoxarife', password: demoPassword('almoxarife') });
  });

  it('accepts 1,000 characters of any kind, and each of them counts', async () => {
    const long = 'ç👩🏽‍🔬 '.repeat(200).slice(0, 996) + 'last';
    const almoxarife = await known('almoxarife');
    expect((await change(almoxarife, { username: 'almoxarife', password: long })).code).toBeUndefined();
    expect([await opens('almoxarife', long), await opens('almoxarife', `${long.slice(0, -1)}T`)]).toEqual([
      true,
      false,
    ]);
    await change(almoxarife, { username: 'almoxarife', password: demoPassword('almoxarife') });
  });
});

it('a person without a password gets one from a caller who may act for others', async () => {
  await service().sql(
    `with person as (insert into pessoa (nome, email, usuario) values ('Nova', 'nova@universidade.example', 'nova') returning id)
     insert into acesso_ambiente (id_pessoa) select id from person`,
  );
  expect(await opens('nova', NEW)).toBe(false);
  expect((await faces.REST(await known('admin'), { username: 'nova', password: NEW })).code).toBeUndefined();
  expect(await opens('nova', NEW)).toBe(true);
});
