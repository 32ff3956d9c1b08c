import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { attempt, makePeople, right, tally, times } from './support/logins.ts';
import { eventually } from './support/process.ts';
import { addSystem } from './support/permissions.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService({ TRUSTED_PROXIES: '127.0.0.1' });
const forget = () => service().sql('delete from tentativa_senha');
afterEach(forget);

/** Failures of a user from this many networks, in each as many as the limit. */
async function failFrom(networks: number, user: string): Promise<void> {
  const answers = await times(networks * 5, i =>
    attempt(service(), user, { from: `198.51.100.${1 + (i % networks)}` }),
  );
  expect(tally(answers)).toEqual({ 401: networks * 5 });
}

const states = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await service().sql('select estado, count(*)::int from tentativa_senha group by 1')) as [
      string,
      number,
    ][],
  );

describe('after five failures from one network', () => {
  it('even the right password is refused there for a while, and the answer says for how long', async () => {
    expect(tally(await times(5, () => attempt(service(), 'docente')))).toEqual({ 401: 5 });
    const { status, headers, body } = await right(service(), 'docente');
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect(body.detail).toContain(`${seconds} s`);
  });

  it('GraphQL says the same', async () => {
    await times(5, () => attempt(service(), 'docente'));
    const query = `mutation { entrar(input: { username: "docente", password: "${demoPassword('docente')}" }) { token } }`;
    const { status, headers, body } = await service().anyone.with(systemHeaders).post('/graphql', { query });
    expect([status, body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter);
  });

  it('other users still get in there', async () => {
    await times(5, () => attempt(service(), 'docente'));
    expect((await right(service(), 'discente')).status).toBe(200);
  });

  it('the user still gets in from every other network', async () => {
    await failFrom(1, 'admin');
    expect((await right(service(), 'admin', { from: '198.51.100.1' })).status).toBe(429);
    expect((await right(service(), 'admin', { from: '198.51.100.2' })).status).toBe(200);
    expect((await right(service(), 'admin', { from: '2001:db8::1' })).status).toBe(200);
  });

  it('another spelling of the same user is refused too', async () => {
    await times(5, i => attempt(service(), ['docente', 'DOCENTE', ' Docente'][i % 3]!));
    expect((await attempt(service(), 'dOcEnTe ')).status).toBe(429);
  });

  it('an unknown user is refused in the same way', async () => {
    expect(tally(await times(5, () => attempt(service(), 'nobody')))).toEqual({ 401: 5 });
    expect((await attempt(service(), 'nobody')).status).toBe(429);
  });

  it('the user may try again after that time', async () => {
    await times(5, () => attempt(service(), 'docente'));
    await service().sql(`update tentativa_senha set momento = momento - interval '15 minutes'`);
    expect((await right(service(), 'docente')).status).toBe(200);
  });

  it('the user gets in with a new password that an administrator has set, from every network', async () => {
    await times(5, () => attempt(service(), 'docente'));
    await failFrom(1, 'docente');
    expect((await right(service(), 'docente')).status).toBe(429);
    const desk = (await service().as('admin')).with(systemHeaders);
    const password = demoPassword('docente');
    expect((await desk.put('/auth/senha', { username: 'docente', password })).status).toBe(200);
    expect((await right(service(), 'docente')).status).toBe(200);
    expect((await right(service(), 'docente', { from: '198.51.100.1' })).status).toBe(200);
    expect(tally(await times(6, () => attempt(service(), 'docente')))).toEqual({ 401: 5, 429: 1 });
  });

  it('refused attempts are not counted', async () => {
    await times(60, () => attempt(service(), 'docente'));
    expect(await states()).toEqual({ falhou: 5 });
    expect((await attempt(service(), 'discente')).status).toBe(401);
  });
});

describe('after fifty failures over all networks', () => {
  it('a network from which the user never logged in is refused', async () => {
    await failFrom(10, 'docente');
    const { status, headers } = await right(service(), 'docente', { from: '203.0.113.9' });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('a network from which they logged in still has five failures of its own', async () => {
    expect((await right(service(), 'docente', { from: '203.0.113.9' })).status).toBe(200);
    await failFrom(10, 'docente');
    const home = { from: '203.0.113.9' };
    expect((await right(service(), 'docente', home)).status).toBe(200);
    expect(tally(await times(8, () => attempt(service(), 'docente', home)))).toEqual({ 401: 5, 429: 3 });
    expect((await right(service(), 'docente', home)).status).toBe(429);
  });

  it('a network is forgotten after thirty days', async () => {
    const home = { from: '203.0.113.9' };
    await right(service(), 'docente', home);
    const age = (days: number) =>
      service().sql(
        `update tentativa_senha set momento = now() - make_interval(days => $1) where estado = 'entrou'`,
        [days],
      );
    await age(29);
    await failFrom(10, 'docente');
    expect((await right(service(), 'docente', home)).status).toBe(200);
    await age(31);
    expect((await right(service(), 'docente', home)).status).toBe(429);
  });

  it('other users are not affected', async () => {
    await failFrom(10, 'docente');
    expect((await right(service(), 'discente', { from: '203.0.113.9' })).status).toBe(200);
  });
});

describe('after fifty failures from one network', () => {
  const from = '203.0.113.7';
  const invent = (count: number) => times(count, i => attempt(service(), `invented-${i}`, { from }));

  it('users whom it does not know are refused', async () => {
    expect(tally(await invent(60))).toEqual({ 401: 50, 429: 10 });
    expect((await right(service(), 'docente', { from })).status).toBe(429);
    expect((await right(service(), 'docente', { from: '203.0.113.8' })).status).toBe(200);
  });

  it('users whom it knows can still log in, each with five failures of their own', async () => {
    expect((await right(service(), 'docente', { from })).status).toBe(200);
    await invent(50);
    expect((await right(service(), 'docente', { from })).status).toBe(200);
    expect(tally(await times(8, () => attempt(service(), 'docente', { from })))).toEqual({ 401: 5, 429: 3 });
  });

  it('users whom it knows have a limit, too', async () => {
    await right(service(), 'docente', { from });
    await invent(50);
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select conta, 'another', origem, 'falhou', momento from tentativa_senha, generate_series(1, 9)
       where estado = 'falhou'`,
    );
    expect((await right(service(), 'docente', { from })).status).toBe(429);
  });
});

describe('a success', () => {
  it('resets the count of the user in that network', async () => {
    for (let round = 0; round < 2; round++) {
      expect(tally(await times(4, () => attempt(service(), 'docente')))).toEqual({ 401: 4 });
      expect((await right(service(), 'docente')).status).toBe(200);
    }
  });

  it('does not reset the failures of others there', async () => {
    await times(45, i => attempt(service(), `invented-${i}`));
    expect((await right(service(), 'docente')).status).toBe(200);
    expect(await states()).toEqual({ falhou: 45, entrou: 1 });
  });

  it('is not counted as a failure anywhere', async () => {
    await times(49, i => attempt(service(), `invented-${i}`));
    for (let round = 0; round < 3; round++)
      expect((await right(service(), ['docente', 'discente', 'tecnico'][round]!)).status).toBe(200);
    expect(await states()).toEqual({ falhou: 49, entrou: 3 });
  });
});

describe('attempts at the same time', () => {
  it('are checked at most five times if they are wrong', async () => {
    expect(tally(await times(20, () => attempt(service(), 'docente')))).toEqual({ 401: 5, 429: 15 });
  });

  it('are never refused if they are right, however many people share an address', async () => {
    const users = await makePeople(service(), 70, 'a password of many');
    const enter = () =>
      Promise.all(users.map(user => right(service(), user, { password: 'a password of many' })));
    expect(tally(await enter())).toEqual({ 200: 70 });
    expect(tally(await enter())).toEqual({ 200: 70 });
  });

  it('are never refused if they are right and all by one user', async () => {
    expect(tally(await times(12, () => right(service(), 'docente')))).toEqual({ 200: 12 });
  });

  it('count one by one inside one GraphQL document too', async () => {
    const fields = Array.from({ length: 8 }, (_, i) => `a${i}: entrar(input: $input) { token }`);
    const { errors } = await service()
      .anyone.with(systemHeaders)
      .graphql(`mutation ($input: LoginInput!) { ${fields.join(' ')} }`, {
        input: { username: 'docente', password: 'wrong' },
      });
    const codes = errors!.map(error => error.extensions.code);
    expect(codes).toEqual([...Array(5).fill('UNAUTHENTICATED'), ...Array(3).fill('RATE_LIMITED')]);
  });
});

describe('attempts in flight elsewhere', () => {
  /** Reserves all slots of the user, as if another process were checking these attempts. */
  async function fill(): Promise<void> {
    await attempt(service(), 'docente');
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select conta, par, origem, 'em_curso', clock_timestamp() from tentativa_senha, generate_series(1, 5)`,
    );
  }

  it('are waited for', async () => {
    await fill();
    let isAnswered = false;
    const waiting = right(service(), 'docente').finally(() => (isAnswered = true));
    expect((await right(service(), 'discente')).status).toBe(200);
    expect(isAnswered).toBe(false);
    await service().sql(`delete from tentativa_senha where estado = 'em_curso'`);
    expect((await waiting).status).toBe(200);
  });

  it('count after they have failed', async () => {
    await fill();
    const waiting = right(service(), 'docente');
    await service().sql(`update tentativa_senha set estado = 'falhou' where estado = 'em_curso'`);
    expect((await waiting).status).toBe(429);
  });

  it('are given up when their process must have died', async () => {
    await fill();
    await service().sql(
      `update tentativa_senha set momento = momento - interval '3 minutes' where estado = 'em_curso'`,
    );
    expect((await right(service(), 'docente')).status).toBe(200);
  });

  it('are waited for only within the time of a request, and the answer then says when to come back', async () => {
    await fill();
    const hurried = await startService(
      { TRUSTED_PROXIES: '127.0.0.1', STATEMENT_TIMEOUT_MS: '500' },
      service(),
    );
    const { status, headers, body } = await right(hurried, 'docente').finally(() => void hurried.stop());
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('after the clock of the database was a day ahead', () => {
  const shift = (by: string) =>
    service().sql('update tentativa_senha set momento = momento + $1::interval', [by]);
  const from = '203.0.113.7';

  it.each([
    ['account in a network', 5, 'conta, par, origem'],
    ['account', 50, `conta, 'other', 'other'`],
    ['network', 50, `'other', 'other', origem`],
  ])('its failures lock no %s, then or a day later', async (_, most, columns) => {
    await attempt(service(), 'docente', { from });
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select ${columns}, 'falhou', momento from tentativa_senha, generate_series(2, $1::int)`,
      [most],
    );
    expect((await right(service(), 'docente', { from })).status).toBe(429);
    await shift('1 day');
    expect((await right(service(), 'docente', { from })).status).toBe(200);
    // Each attempt deletes a few of them.
    for (let i = 0; i < 5; i++) await right(service(), 'discente', { from: '198.51.100.99' });
    expect(await states()).toEqual({ entrou: 2 });
  });

  it('its attempts in flight take no places', async () => {
    await attempt(service(), 'docente', { from });
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select conta, par, origem, 'em_curso', clock_timestamp() from tentativa_senha, generate_series(1, 5)`,
    );
    await shift('1 day');
    expect((await right(service(), 'docente', { from })).status).toBe(200);
  });

  it.each([1, 20])('its logins make no network known, also if they are %i', async logins => {
    await right(service(), 'docente', { from });
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select conta, par, origem, estado, momento from tentativa_senha, generate_series(2, $1::int)`,
      [logins],
    );
    await shift('400 days');
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select conta, 'other', 'other', 'falhou', clock_timestamp()
       from (select distinct conta from tentativa_senha) known, generate_series(1, 50)`,
    );
    expect((await right(service(), 'docente', { from })).status).toBe(429);
  });

  it('five failures lock for fifteen minutes at most', async () => {
    await times(5, () => attempt(service(), 'docente', { from }));
    await shift('50 seconds');
    const { status, headers } = await right(service(), 'docente', { from });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
  });
});

describe('a second process', () => {
  let second: TestService;
  beforeAll(async () => {
    second = await startService({ TRUSTED_PROXIES: '127.0.0.1' }, service());
  });
  afterAll(() => second.stop());

  it('shares the count', async () => {
    const answers = await times(20, i => attempt(i % 2 ? second : service(), 'docente'));
    expect(tally(answers)).toEqual({ 401: 5, 429: 15 });
    expect((await right(second, 'docente')).status).toBe(429);
  });
});

describe('a user name', () => {
  it.each([
    ['of the greatest length', 'x'.repeat(254)],
    ['of long letters', 'é'.repeat(254)],
    ['of emoji', '👩🏽‍🔬'.repeat(20)],
    ['of combining and invisible marks', '\u202Ea\u0301\u200B\uFEFF'],
    ['that looks like SQL', `' or 1=1; --%_\\`],
    ['that is only space', '   '],
  ])('%s counts like any other', async (_, username) => {
    expect(tally(await times(6, () => attempt(service(), username)))).toEqual({ 401: 5, 429: 1 });
  });

  it.each([
    ['too long', 'x'.repeat(255)],
    ['with NUL', 'a\0b'],
    ['with half a surrogate pair', 'a\udc00b'],
  ])('%s is refused as invalid', async (_, username) => {
    const { status, body } = await attempt(service(), username);
    expect([status, body.errors[0].field]).toEqual([422, 'username']);
  });

  it('is not stored as typed, because it may be a password', async () => {
    await attempt(service(), 'my secret in the wrong field');
    const rows = await service().sql('select conta, par, origem from tentativa_senha');
    expect(rows).toHaveLength(1);
    for (const key of rows[0] as Buffer[]) expect(key).toHaveLength(32);
  });
});

describe('a network', () => {
  const addressOf = async (answer: Answer) => {
    const { data } = await service()
      .anyone.with({ token: answer.body.token })
      .graphql('{ sessaoAtual { endereco } }');
    return data.sessaoAtual.endereco;
  };

  it('may be any text of a proxy, of which the session keeps the beginning', async () => {
    const from = `unknown ${'x'.repeat(100)}`;
    const answer = await right(service(), 'docente', { from });
    expect(answer.status).toBe(200);
    expect(await addressOf(answer)).toBe(from.slice(0, 45));
  });

  it('of IPv6 is a /64: nobody gets more guesses by another address in it', async () => {
    const answers = await times(70, i =>
      attempt(service(), 'docente', { from: `2001:db8:1:2:${i + 1}::${i}` }),
    );
    expect(tally(answers)).toEqual({ 401: 5, 429: 65 });
    expect((await right(service(), 'docente', { from: '2001:db8:1:3::1' })).status).toBe(200);
  });

  it.each([
    ['IPv4 in IPv6', '::ffff:203.0.113.7'],
    ['IPv4 in IPv6, in hexadecimal', '::ffff:cb00:7107'],
    ['with a port', '203.0.113.7:50412'],
  ])('is the same however the address is written: %s', async (_, from) => {
    await times(5, () => attempt(service(), 'docente', { from: '203.0.113.7' }));
    expect((await right(service(), 'docente', { from })).status).toBe(429);
  });

  it('is the same for everything that is not an address', async () => {
    await times(5, i => attempt(service(), 'docente', { from: `unknown${i}` }));
    expect((await right(service(), 'docente', { from: 'unknown' })).status).toBe(429);
  });

  it('that a trusted proxy reports is the one that it added itself', async () => {
    expect(await addressOf(await right(service(), 'docente', { from: '198.51.100.1, 203.0.113.8' }))).toBe(
      '203.0.113.8',
    );
  });

  it('that a trusted proxy reports may be anything, and a login still works', async () => {
    const from = 'x'.repeat(300);
    expect(await addressOf(await right(service(), 'docente', { from }))).toBe('x'.repeat(45));
  });

  it('that anybody else reports is ignored', async () => {
    const plain = await startService({}, service());
    await times(50, i => attempt(plain, `invented-${i}`, { from: `203.0.113.${i}` }));
    expect((await right(plain, 'docente', { from: '203.0.113.99' })).status).toBe(429);
    await plain.stop();
  });
});

describe('a calling system', () => {
  const headers = (sigla: string) => ({ 'app-name': sigla, 'api-key': `key of ${sigla}` });
  const limit = async (sigla: string, limiteFalhas: number | null) => {
    const [[idSistema]] = (await service().sql('select id from sistema where sigla = $1', [sigla])) as [
      [number],
    ];
    const admin = await service().as('admin');
    return admin.graphql(
      `mutation ($idSistema: Int!, $input: LimiteFalhasInput!) {
         definirLimiteFalhas(idSistema: $idSistema, input: $input) { sigla limiteFalhas }
       }`,
      { idSistema, input: { limiteFalhas } },
    );
  };
  const fail = (count: number, sigla: string) =>
    times(count, i =>
      attempt(service(), `invented-${i}`, { headers: headers(sigla), from: `198.51.100.${i % 4}` }),
    );

  it('with its own limit has that instead of the limits of its addresses', async () => {
    await addSystem(service(), 'FRENTE', 'key of FRENTE');
    const { data } = await limit('FRENTE', 70);
    expect(data.definirLimiteFalhas).toEqual({ sigla: 'FRENTE', limiteFalhas: 70 });
    expect(tally(await fail(80, 'FRENTE'))).toEqual({ 401: 70, 429: 10 });
    expect((await right(service(), 'docente', { from: '198.51.100.1' })).status).toBe(200);
    const { body } = await (await service().as('admin')).get('/permissoes/parametros-acesso-api');
    expect(body.data).toContainEqual(expect.objectContaining({ sigla: 'FRENTE', limite_falhas: 70 }));
    await limit('FRENTE', null);
    await forget();
    expect(tally(await times(60, i => attempt(service(), `x-${i}`, { headers: headers('FRENTE') })))).toEqual(
      {
        401: 50,
        429: 10,
      },
    );
  });

  it('does not use the limit of another system', async () => {
    for (const sigla of ['UM', 'OUTRO']) {
      await addSystem(service(), sigla, `key of ${sigla}`);
      await limit(sigla, 3);
    }
    expect(tally(await fail(5, 'UM'))).toEqual({ 401: 3, 429: 2 });
    expect(tally(await fail(5, 'OUTRO'))).toEqual({ 401: 3, 429: 2 });
  });

  it.each([0, -1, 10_001])('cannot have a limit of %i', async limiteFalhas => {
    const { errors } = await limit('SII', limiteFalhas);
    expect(errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'limiteFalhas' }],
    });
  });

  it('that has no key cannot have a limit', async () => {
    await service().sql(`insert into sistema (nome, sigla) values ('Sem chave', 'SEM')`);
    expect((await limit('SEM', 10)).errors![0]!.extensions.code).toBe('INVALID_STATE');
    expect(await service().sql(`select limite_falhas from sistema where sigla = 'SEM'`)).toEqual([[null]]);
  });
});

describe('the counts', () => {
  it('are deleted long after they have expired', async () => {
    await service().sql(
      `insert into tentativa_senha (conta, par, origem, estado, momento)
       select 'x', 'y', 'z', estado, now() - age::interval from (values
         ('falhou', '16 minutes'), ('falhou', '14 minutes'), ('em_curso', '16 minutes'),
         ('entrou', '31 days'), ('entrou', '29 days')) as t (estado, age)`,
    );
    await attempt(service(), 'docente');
    const left = await service().sql(
      `select estado, count(*)::int from tentativa_senha where par = 'y' group by 1 order by 1`,
    );
    expect(left).toEqual([
      ['entrou', 1],
      ['falhou', 1],
    ]);
  });

  it('are found by indexes, also where PostgreSQL planned it while there were none', async () => {
    // The connections of the other tests report their scans up to ten seconds later.
    const own = await startService();
    try {
      await own.sql('vacuum (analyze) tentativa_senha');
      const scans = async (): Promise<number[]> => {
        await own.sql('select pg_stat_force_next_flush()');
        const [row] = await own.sql(
          `select seq_scan::int, idx_scan::int from pg_stat_user_tables where relname = 'tentativa_senha'`,
        );
        return row as number[];
      };
      const [whole, byIndex] = await scans();
      const logins = 30;
      for (let i = 0; i < logins; i++) expect((await right(own, 'docente')).status).toBe(200);
      await eventually(async () => expect((await scans())[1]).toBeGreaterThan(byIndex! + 6 * logins));
      expect((await scans())[0]).toBe(whole);
    } finally {
      await own.stop();
    }
  });
});

describe('an address of any text that a trusted proxy forwards', () => {
  const from = `198.51.100.7, ${'unknown-'.repeat(10)}`;
  const begun = (operation: string) =>
    service().sql(`select endereco from auditoria where operacao = $1 and endereco like 'unknown-%'`, [
      operation,
    ]);
  const shown = 'unknown-'.repeat(6).slice(0, 45);

  it('keeps no refusal out of the audit trail', async () => {
    // Until a write, only so many are kept with their details, of which the tests above have more.
    await service().services.refusals.write();
    expect((await attempt(service(), 'docente', { from })).status).toBe(401);
    const { status } = await (
      await service().as('discente')
    )
      .with({ 'x-forwarded-for': from })
      .get('/permissoes/sistemas');
    expect(status).toBe(403);
    await service().services.refusals.write();
    expect(await begun('login_recusado')).toEqual([[shown]]);
    expect(await begun('acesso_recusado')).toEqual([[shown]]);
  });

  it('lets people in, and stands beside what they write', async () => {
    expect((await right(service(), 'docente', { from })).status).toBe(200);
    const { status } = await (
      await service().as('almoxarife')
    )
      .with({ 'x-forwarded-for': from })
      .post('/almoxarifadoquimicos/tipos-empresas', { descricao: 'Transportadora de fora' });
    expect(status).toBe(201);
    expect(await begun('insert')).toContainEqual([shown]);
  });
});
