import { Client as Connection } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../src/access/secrets.ts';
import { issueKey, keysOf, logInThrough, makeKey, makeSystem, revokeKey } from './support/api-keys.ts';
import type { Client } from './support/client.ts';
import { grant } from './support/permissions.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const waitingForLock = async (connection: Connection): Promise<number | null> =>
  (
    await connection.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rowCount;
const expire = (id: number) => service().sql('update chave_api set expira_em = now() where id = $1', [id]);

describe('an issued key', () => {
  it('works at once, only for its own system', async () => {
    const [system, another] = [await makeSystem(service()), await makeSystem(service())];
    const { chave } = await makeKey(service(), system);
    expect(chave).toMatch(/^[\w-]{43}$/);
    expect([
      await logInThrough(service(), system, chave),
      await logInThrough(service(), another, chave),
    ]).toEqual([200, 401]);
  });

  it('is shown once and stored as a digest', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    expect(await service().sql('select hash from chave_api where id = $1', [id])).toEqual([[digest(chave)]]);
    const { data } = await admin.graphql(
      `{ chavesApi { data { id idSistema criadoPor sistema { sigla } } } }`,
    );
    expect(data.chavesApi.data).toContainEqual(expect.objectContaining({ id, idSistema: system.id }));
    const trail = await service().sql(
      `select operacao, alteracoes from auditoria where tabela = 'chave_api' and id_registro = $1`,
      [id],
    );
    expect(trail).toMatchObject([['insert', { id_sistema: [null, system.id] }]]);
    const shown = JSON.stringify([data, trail]);
    for (const secret of [chave, digest(chave).toString('hex'), digest(chave).toString('base64')])
      expect(shown).not.toContain(secret);
  });

  it('is one of at most two live keys', async () => {
    const system = await makeSystem(service());
    const keys = [await makeKey(service(), system), await makeKey(service(), system)];
    const { errors } = await issueKey(admin, system);
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
    expect(await Promise.all(keys.map(({ chave }) => logInThrough(service(), system, chave)))).toEqual([
      200, 200,
    ]);
  });

  it('is one of at most two live keys, even if many are issued at once', async () => {
    const system = await makeSystem(service());
    const answers = await Promise.all(Array.from({ length: 6 }, () => issueKey(admin, system)));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(2);
    expect(await keysOf(service(), system)).toHaveLength(2);
  });

  it('replaces an old one, which is revoked when the clients use the new one', async () => {
    const system = await makeSystem(service());
    const [old, fresh] = [await makeKey(service(), system), await makeKey(service(), system)];
    await revokeKey(admin, old.id);
    expect([
      await logInThrough(service(), system, old.chave),
      await logInThrough(service(), system, fresh.chave),
    ]).toEqual([401, 200]);
    const { chave } = await makeKey(service(), system);
    expect(await logInThrough(service(), system, chave)).toBe(200);
  });

  it('lives until it expires, and then makes room for another', async () => {
    const system = await makeSystem(service());
    const expiraEm = tomorrow();
    const key = await makeKey(service(), system, expiraEm);
    expect(await keysOf(service(), system)).toMatchObject([{ id: key.id, expiraEm, revogadaEm: null }]);
    await makeKey(service(), system);
    expect(await logInThrough(service(), system, key.chave)).toBe(200);
    await expire(key.id);
    expect(await logInThrough(service(), system, key.chave)).toBe(401);
    expect((await issueKey(admin, system)).errors).toBeUndefined();
  });

  it.each([
    ['2001-01-01T00:00:00Z', 'VALIDATION_FAILED'],
    ['2101-02-30T00:00:00Z', 'BAD_REQUEST'],
    ['2101-01-01', 'BAD_REQUEST'],
    ['tomorrow', 'BAD_REQUEST'],
  ])('does not expire at %s', async (expira, code) => {
    const system = await makeSystem(service());
    expect((await issueKey(admin, system, expira)).errors![0]!.extensions.code).toBe(code);
    expect(await keysOf(service(), system)).toEqual([]);
  });

  it('may have an expiry in another time zone', async () => {
    const { data } = await issueKey(admin, await makeSystem(service()), '2101-01-01T00:00:00-03:00');
    expect(data.emitirChaveApi.expiraEm).toBe('2101-01-01T03:00:00.000Z');
  });

  it.each(['9999-12-31T23:59:59-03:00', '0001-01-01T00:00:00+14:00'])(
    'cannot expire at %s, which is in no year of UTC that is written with four digits',
    async expiraEm => {
      const { errors } = await issueKey(admin, await makeSystem(service()), expiraEm);
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', errors: [{ field: 'expiraEm' }] });
      const literal = `{ trilhaAuditoria(filter: { momento: { gte: "${expiraEm}" } }) { total } }`;
      expect((await admin.graphql(literal)).errors![0]!.message).toContain('the years 0001 to 9999');
    },
  );

  it('may expire at the very end of those years', async () => {
    const { data } = await issueKey(admin, await makeSystem(service()), '9999-12-31T20:59:59-03:00');
    expect(data.emitirChaveApi.expiraEm).toBe('9999-12-31T23:59:59.000Z');
  });

  it('needs a system that exists', async () => {
    expect((await issueKey(admin, { id: 999_999 })).errors![0]!.extensions.code).toBe('NOT_FOUND');
  });
});

describe('a revoked key', () => {
  let second: TestService;
  beforeAll(async () => {
    second = await startService({}, service());
  });
  afterAll(() => second.stop());

  it('is refused at the next request, in every process', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    const statuses = async () => [
      await logInThrough(service(), system, chave),
      await logInThrough(second, system, chave),
    ];
    expect(await statuses()).toEqual([200, 200]);
    const { data } = await revokeKey(admin, id);
    expect(data.revogarChaveApi).toMatchObject({
      id,
      idSistema: system.id,
      revogadaEm: expect.stringMatching(/Z$/),
    });
    expect(await statuses()).toEqual([401, 401]);
  });

  it('stays as it is when it is revoked again', async () => {
    const { id } = await makeKey(service(), await makeSystem(service()));
    const first = await revokeKey(admin, id);
    expect(await revokeKey(admin, id)).toEqual(first);
    expect((await revokeKey(admin, 999_999)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  });
});

describe('a key that is not valid', () => {
  it('is refused in the same words, whether it is wrong, expired or revoked, on both faces', async () => {
    const [system, other] = [await makeSystem(service()), await makeSystem(service())];
    const [expired, revoked] = [await makeKey(service(), system), await makeKey(service(), system)];
    await expire(expired.id);
    await revokeKey(admin, revoked.id);
    const elsewhere = await makeKey(service(), other);
    const details = async (headers: Record<string, string>): Promise<string[]> => {
      const client = service().anyone.with({ ...headers, appversion: '1' });
      const login = { username: 'docente', password: 'any' };
      const rest = await client.post('/auth/login', login);
      expect(rest.status).toBe(401);
      const { errors } = await client.graphql(
        'mutation { entrar(input: { username: "docente", password: "any" }) { token } }',
      );
      expect(errors![0]!.extensions.code).toBe('UNAUTHENTICATED');
      return [rest.body.detail, errors![0]!.message];
    };
    const sent = await Promise.all(
      [
        [system.sigla, 'wrong'],
        [system.sigla, expired.chave],
        [system.sigla, revoked.chave],
        [system.sigla, elsewhere.chave],
        ['NENHUM', elsewhere.chave],
      ].map(([sigla, chave]) => details({ 'app-name': sigla!, 'api-key': chave! })),
    );
    expect(new Set(sent.flat()).size).toBe(1);
    expect(sent[0]![0]).toContain('não vale');
    const missing = await details({ 'app-name': system.sigla });
    expect(missing[0]).toContain('Envie');
    expect(missing).toEqual([missing[0], missing[0]]);
  });
});

describe("the last live key of the caller's own system", () => {
  const own = async () =>
    (await service().sql(`select id from sistema where sigla = 'SII'`))[0]![0] as number;

  it('is not revoked until there is another, even if both are revoked at once', async () => {
    const [first] = await keysOf(service(), { id: await own(), sigla: 'SII' });
    expect((await revokeKey(admin, first!.id)).errors![0]!.extensions.code).toBe('CONFLICT');
    const fresh = (await issueKey(admin, { id: await own() })).data.emitirChaveApi;
    const answers = await Promise.all([first!.id, fresh.id].map(id => revokeKey(admin, id)));
    const codes = answers.map(({ errors }) => errors?.[0]!.extensions.code);
    const keys = await keysOf(service(), { id: await own(), sigla: 'SII' });
    // Either of the two may be left, and the other tests log in with the first.
    await service().sql('update chave_api set revogada_em = null where id = $1', [first!.id]);
    expect(new Set(codes)).toEqual(new Set(['CONFLICT', undefined]));
    expect(keys.filter(({ revogadaEm }) => !revogadaEm)).toHaveLength(1);
  });

  it('of another system can be revoked, which locks that system out', async () => {
    const system = await makeSystem(service());
    const { id, chave } = await makeKey(service(), system);
    expect((await revokeKey(admin, id)).errors).toBeUndefined();
    expect(await logInThrough(service(), system, chave)).toBe(401);
  });
});

describe('a system without a live key', () => {
  const limit = (id: number) =>
    admin.graphql(
      `mutation { definirLimiteFalhas(idSistema: ${id}, input: { limiteFalhas: 70 }) { limiteFalhas } }`,
    );
  const stored = ({ id }: { id: number }) =>
    service().sql('select limite_falhas from sistema where id = $1', [id]);

  it('gets no limit of failed logins: the refusal says to issue a key first, and changes nothing', async () => {
    const system = await makeSystem(service());
    const refuses = async () => {
      const [error] = (await limit(system.id)).errors!;
      expect([error!.extensions.code, error!.message]).toEqual([
        'INVALID_STATE',
        expect.stringContaining('emitirChaveApi'),
      ]);
      expect(await stored(system)).toEqual([[null]]);
    };
    await refuses();
    const { id } = await makeKey(service(), system);
    await expire(id);
    await refuses();
    await makeKey(service(), system);
    expect((await limit(system.id)).data.definirLimiteFalhas).toEqual({ limiteFalhas: 70 });
    expect((await limit(2_000_000)).errors![0]!.extensions.code).toBe('NOT_FOUND');
  });
});

describe('the keys of systems', () => {
  it.each([
    [1, 'FORBIDDEN'],
    [2, 'FORBIDDEN'],
    [3, undefined],
  ])('are listed, issued and revoked at level 3: %i', async (nivel, code) => {
    const system = await makeSystem(service());
    const { id } = await makeKey(service(), system);
    const revoke = await grant(service(), 'tecnico', {
      controller: 'permissoes/parametros-acesso-api',
      nivel,
    });
    const tecnico = await service().as('tecnico');
    const answers = [
      await tecnico.graphql('{ chavesApi { total } }'),
      await issueKey(tecnico, system),
      await revokeKey(tecnico, id),
    ];
    await revoke();
    expect(answers.map(({ errors }) => errors?.[0]!.extensions.code)).toEqual([code, code, code]);
  });

  it('are not issued if the caller loses the level while waiting', async () => {
    const system = await makeSystem(service());
    const controller = 'permissoes/parametros-acesso-api';
    const revoke = await grant(service(), 'tecnico', { controller, nivel: 3 });
    const tecnico = await service().as('tecnico');
    const holder = new Connection(service().databaseUrl);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from sistema where id = $1 for update', [system.id]);
      const waiting = issueKey(tecnico, system);
      await eventually(async () => expect(await waitingForLock(holder)).toBe(1));
      await revoke();
      await holder.query('commit');
      expect((await waiting).errors![0]!.extensions.code).toBe('FORBIDDEN');
    } finally {
      await holder.end();
    }
    expect(await keysOf(service(), system)).toEqual([]);
  });
});
