import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoginThrottle } from '../src/access/throttle.ts';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
afterEach(() => service().sql('delete from tentativa_login'));

interface Attempt {
  on?: TestService;
  password?: string;
  headers?: Record<string, string>;
}

function attempt(
  username: string,
  { on = service(), password = 'wrong', headers = {} }: Attempt = {},
): Promise<Answer> {
  return on.anyone.with({ ...systemHeaders, ...headers }).post('/auth/login', { username, password });
}
const right = (username: string, more: Attempt = {}) =>
  attempt(username, { ...more, password: demoPassword(username) });

const times = <T>(count: number, act: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

/** How often each status was answered. */
function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('after five failures', () => {
  it('even the right password is refused for a while, and told for how long', async () => {
    expect(tally(await times(5, () => attempt('docente')))).toEqual({ 401: 5 });
    const { status, headers, body } = await right('docente');
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect(body.detail).toContain(`${seconds} s`);
  });

  it('GraphQL says the same', async () => {
    await times(5, () => attempt('docente'));
    const query = `mutation { entrar(input: { username: "docente", password: "${demoPassword('docente')}" }) { token } }`;
    const { status, headers, body } = await service().anyone.with(systemHeaders).post('/graphql', { query });
    expect([status, body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter);
  });

  it('other users still get in', async () => {
    await times(5, () => attempt('docente'));
    expect((await right('discente')).status).toBe(200);
  });

  it('another spelling of the same user is refused too', async () => {
    await times(5, i => attempt(['docente', 'DOCENTE', ' Docente'][i % 3]!));
    expect((await attempt('dOcEnTe ')).status).toBe(429);
  });

  it('an unknown user is refused just so', async () => {
    expect(tally(await times(5, () => attempt('nobody')))).toEqual({ 401: 5 });
    expect((await attempt('nobody')).status).toBe(429);
  });

  it('the user may try again once the time is over', async () => {
    await times(5, () => attempt('docente'));
    await service().sql('update tentativa_login set expire = $1', [Date.now() - 1]);
    expect((await right('docente')).status).toBe(200);
  });
});

describe('a success', () => {
  it("sets the user's count back", async () => {
    for (let round = 0; round < 2; round++) {
      expect(tally(await times(4, () => attempt('docente')))).toEqual({ 401: 4 });
      expect((await right('docente')).status).toBe(200);
    }
  });

  it('does not count against the address', async () => {
    await attempt('nobody');
    await service().sql(`update tentativa_login set points = 49 where key like 'endereco:%'`);
    for (let round = 0; round < 2; round++) expect((await right('docente')).status).toBe(200);
    expect((await attempt('docente')).status).toBe(401);
    expect((await right('docente')).status).toBe(429);
  });
});

describe('attempts at the same time', () => {
  it('pass no more than five', async () => {
    expect(tally(await times(20, () => attempt('docente')))).toEqual({ 401: 5, 429: 15 });
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

describe('fifty failures from an address', () => {
  it('close it for everybody there', async () => {
    expect(tally(await times(50, () => attempt('nobody')))).toEqual({ 401: 5, 429: 45 });
    expect((await right('docente')).status).toBe(429);
  });
});

describe('a second process', () => {
  let second: TestService;
  beforeAll(async () => {
    second = await startService({}, service());
  });
  afterAll(() => second.stop());

  it('shares the count', async () => {
    expect(tally(await times(20, i => attempt('docente', { on: i % 2 ? second : service() })))).toEqual({
      401: 5,
      429: 15,
    });
    expect((await right('docente', { on: second })).status).toBe(429);
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
  ])('%s counts as any other', async (_, username) => {
    expect(tally(await times(6, () => attempt(username)))).toEqual({ 401: 5, 429: 1 });
  });

  it.each([
    ['too long', 'x'.repeat(255)],
    ['with NUL', 'a\0b'],
    ['with half a surrogate pair', 'a\udc00b'],
  ])('%s is refused for what it is', async (_, username) => {
    const { status, body } = await attempt(username);
    expect([status, body.errors[0].field]).toEqual([422, 'username']);
  });

  it('is not kept as it was typed, for it may be a password', async () => {
    await attempt('my secret in the wrong field');
    const keys = (await service().sql('select key from tentativa_login')).flat() as string[];
    expect(keys).toEqual([
      expect.stringMatching(/^\w+:[\w-]{43}$/),
      expect.stringMatching(/^\w+:[\w-]{43}$/),
    ]);
  });
});

describe('behind a proxy', () => {
  let trusting: TestService;
  beforeAll(async () => {
    trusting = await startService({ TRUSTED_PROXIES: '127.0.0.1' }, service());
  });
  afterAll(() => trusting.stop());

  const from = (address: string): Attempt => ({ on: trusting, headers: { 'x-forwarded-for': address } });
  const addressOf = async (answer: Answer) => {
    const { data } = await service()
      .anyone.with({ token: answer.body.token })
      .graphql('{ sessaoAtual { endereco } }');
    return data.sessaoAtual.endereco;
  };

  it('that is trusted, addresses count each by itself', async () => {
    await times(50, () => attempt('nobody', from('203.0.113.7')));
    expect((await right('docente', from('203.0.113.7'))).status).toBe(429);
    const elsewhere = await right('docente', from('2001:db8::1'));
    expect(elsewhere.status).toBe(200);
    expect(await addressOf(elsewhere)).toBe('2001:db8::1');
  });

  it('that is trusted, only what it added itself is believed', async () => {
    expect(await addressOf(await right('docente', from('198.51.100.1, 203.0.113.8')))).toBe('203.0.113.8');
  });

  it('that passes on anything, a login still works', async () => {
    expect(await addressOf(await right('docente', from('x'.repeat(300))))).toBe('x'.repeat(45));
  });

  it('that is not trusted, its header is ignored', async () => {
    const forged = (i: number): Attempt => ({ headers: { 'x-forwarded-for': `203.0.113.${i}` } });
    expect(await addressOf(await right('docente', forged(1)))).toBe('127.0.0.1');
    await times(50, i => attempt('nobody', forged(i)));
    expect((await right('docente', forged(99))).status).toBe(429);
  });
});

describe('the counts', () => {
  afterEach(() => vi.useRealTimers());
  const pool = async (): Promise<Pool> => service().services.orm.em.getConnection().getNativeClient();
  const startCounting = (on: Pool) => new LoginThrottle(on);

  it('are deleted when they are long over', async () => {
    const hour = 3_600_000;
    await service().sql(`insert into tentativa_login values ('usuario:old', 5, $1), ('usuario:new', 5, $2)`, [
      Date.now() - 2 * hour,
      Date.now() + hour,
    ]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    startCounting(await pool());
    vi.advanceTimersByTime(5 * 60_000);
    vi.useRealTimers();
    await eventually(async () => {
      expect(await service().sql('select key from tentativa_login')).toEqual([['usuario:new']]);
    });
  });

  it('keep no process alive', async () => {
    const connections = await pool();
    const alive = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
    const before = alive();
    startCounting(connections);
    expect(alive()).toBe(before);
  });
});
