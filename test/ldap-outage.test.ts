import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { mailOf, onLdap } from './support/directories.ts';
import { hasSlapd, USERS_DN } from './support/ldap-server.ts';
import { makePerson, makeSession } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService } from './support/service.ts';
import { beforeNextChange } from './support/slow-directory.ts';

const USER = 'camila.seixas';
const PASSWORD = 'kept in the directory';
const PATH = '/institucional/usuarios-ldap';
const CONNECTIONS = [1, 2, 3, 4, 5];

describe.runIf(hasSlapd())('while the LDAP server', () => {
  const processes = useProcesses();
  let directory: Awaited<ReturnType<typeof onLdap>>;

  beforeAll(async () => {
    await build();
    directory = await onLdap({ LDAP_TIMEOUT_MS: '2000', LDAP_POOL: String(CONNECTIONS.length) });
    await directory.server.asRoot(async client => {
      await client.del(`uid=${USER},${USERS_DN}`);
      await client.add(`uid=${USER},${USERS_DN}`, {
        objectClass: 'inetOrgPerson',
        cn: 'Camila',
        sn: 'Seixas',
        mail: mailOf(USER),
        userPassword: PASSWORD,
      });
    });
    // From now on it has connections that were opened before the outage.
    await logIn(USER, PASSWORD);
  });
  afterAll(() => directory?.stop());
  afterEach(() => directory.service.sql('delete from tentativa_senha'));

  const logIn = (username: string, password: string): Promise<Answer> =>
    directory.service.anyone.with(systemHeaders).post('/auth/login', { username, password });

  const outages = [
    ['answers nothing', () => directory.server.stall(), async () => directory.server.resume()],
    ['is stopped', () => directory.server.stop(), () => directory.server.restart()],
  ] as const;

  describe.each(outages)('%s', (_name, begin, end) => {
    it('people with a password there get 503, right or wrong, and no failure is counted', async () => {
      await begin();
      try {
        for (let round = 0; round < 3; round++) {
          const attempts = [logIn(USER, PASSWORD), logIn(USER, 'wrong'), logIn('nobody', PASSWORD)];
          for (const answer of await Promise.all(attempts)) expectAway(answer);
        }
      } finally {
        await end();
      }
      expect((await logIn(USER, 'wrong')).status).toBe(401);
      expect((await logIn(USER, PASSWORD)).status).toBe(200);
    });

    it('many logins at once get 503, however few connections there are', async () => {
      await begin();
      try {
        const admin = await directory.service.as('admin');
        const answers = await Promise.all(Array.from({ length: 40 }, () => admin.get(PATH)));
        for (const answer of answers) expectAway(answer);
      } finally {
        await end();
      }
      const admin = await directory.service.as('admin');
      // As many requests at the same time as there are connections: all connections work again.
      const statuses = () => Promise.all(CONNECTIONS.map(async () => (await admin.get(PATH)).status));
      for (let round = 0; round < 8; round++) expect(await statuses()).toEqual(CONNECTIONS.map(() => 200));
    });

    it('no act on an account is done in part or lost', async () => {
      const email = await directory.addAccount(`conta.${_name.replaceAll(' ', '.')}`, { nome: 'Conta' });
      const admin = (await directory.service.as('admin')).with(systemHeaders);
      await begin();
      try {
        const answers = await Promise.all([
          admin.get(`${PATH}/${email}`),
          admin.put(`${PATH}/${email}?suspenderConta=true`),
          admin.put('/auth/senha', { username: USER, password: 'not to be set now' }),
        ]);
        for (const answer of answers) expectAway(answer);
        const { errors } = await admin.graphql(`{ usuarioDiretorio(email: "${email}") { nome } }`);
        expect(errors![0]!.extensions.code).toBe('UNAVAILABLE');
      } finally {
        await end();
      }
      expect((await admin.get(`${PATH}/${email}`)).body.suspensa).toBe(false);
      expect((await admin.put(`${PATH}/${email}?suspenderConta=true`)).body.suspensa).toBe(true);
      expect((await logIn(USER, PASSWORD)).status).toBe(200);
    });

    it('somebody can be dismissed: everything here ends at once, and the accounts when it is sent again', async () => {
      const usuario = `sai.${_name.replaceAll(' ', '.')}`;
      await directory.server.add(USERS_DN, usuario, { mail: mailOf(usuario) });
      const id = await makePerson(directory.service, usuario);
      const token = `token of ${usuario}`;
      await makeSession(directory.service, id, token);
      const email = await directory.addAccount(`conta.${usuario}`, {
        nome: 'Conta',
        responsaveis: [usuario],
      });
      const admin = await directory.service.as('admin');
      const dismiss = () => admin.delete(`/permissoes/pessoas/${id}`);
      await begin();
      try {
        const { status, body } = await dismiss();
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { acesso: true, sessoes: 1, contas_gerenciais: [], entrada_diretorio: 'SEM_RESPOSTA' },
        });
        const client = directory.service.anyone.with({ token });
        expect((await client.get('/permissoes/autenticacoes')).status).toBe(401);
      } finally {
        await end();
      }
      expect((await dismiss()).body).toMatchObject({
        acesso: false,
        contas_gerenciais: [{ email }],
        entrada_diretorio: 'ENCONTRADA',
      });
      expect((await admin.get(`${PATH}/${email}`)).body.responsaveis).toEqual([]);
    });

    it('everything else goes on: sessions, people with a password of the service', async () => {
      const { token } = (await logIn(USER, PASSWORD)).body;
      const client = directory.service.anyone.with({ token });
      await begin();
      try {
        expect((await client.get('/permissoes/autenticacoes')).status).toBe(200);
        expect((await logIn('docente', demoPassword('docente'))).status).toBe(200);
        expect((await logIn('docente', 'wrong')).status).toBe(401);
        const ready = await client.get('/readyz');
        // A balancer that asks must not take away what everybody else uses.
        const body = { status: 'ready', database: 'ok', directory: 'away' };
        expect(ready).toMatchObject({ status: 200, body });
        expect((await client.get('/healthz')).status).toBe(200);
      } finally {
        await end();
      }
      await eventually(async () => expect((await client.get('/readyz')).body.directory).toBe('ok'));
    });
  });

  it('is stopped, the metrics and the log of each process say so, once', async () => {
    const { databaseUrl } = directory.service;
    const environment = { ...directory.server.environment, DATABASE_URL: databaseUrl, METRICS_PORT: '0' };
    const run = processes.service(environment);
    const client = await run.client();
    expect((await client.get('/readyz')).body.directory).toBe('ok');
    await directory.server.stop();
    try {
      for (let probe = 0; probe < 3; probe++)
        expect((await client.get('/readyz')).body.directory).toBe('away');
      expect(valueOf((await scrape(run)).samples, 'sii_directory_up')).toBe(0);
      await run.logged('the directory does not answer');
      expect(run.stderr.split('the directory does not answer')).toHaveLength(2);
      // A question that was under way meets the end of its connection.
      expect(run.stderr).toMatch(/ECONNREFUSED|ended by the other party/);
    } finally {
      await directory.server.restart();
    }
    await eventually(async () => expect((await client.get('/readyz')).body.directory).toBe('ok'));
    await run.logged('the directory answers again');
    expect(run.stderr).not.toContain(directory.server.environment['LDAP_BIND_PASSWORD']);
  });

  it.each([
    ['LDAP_USERS_DN', 'ou=nowhere,dc=universidade,dc=example'],
    ['LDAP_ACCOUNTS_DN', 'contas'],
  ])('has no entry with the DN of %s, the metrics and the log say so', async (name, dn) => {
    const { databaseUrl } = directory.service;
    const environment = { ...directory.server.environment, DATABASE_URL: databaseUrl, METRICS_PORT: '0' };
    const run = processes.service({ ...environment, [name]: dn });
    const client = await run.client();
    expect((await client.get('/readyz')).body.directory).toBe('away');
    expect(valueOf((await scrape(run)).samples, 'sii_directory_up')).toBe(0);
    await run.logged(`the LDAP server has no entry with the DN of ${name}: ${dn}`);
  });

  it('stalls in the middle of a change, the change is stored as not confirmed', async () => {
    const email = await directory.addAccount('conta.no.meio', { nome: 'Conta' });
    const admin = await directory.service.as('admin');
    beforeNextChange(() => directory.server.stall());
    try {
      expectAway(await admin.put(`${PATH}/${email}?suspenderConta=true`));
    } finally {
      directory.server.resume();
    }
    const rows = await directory.service.sql(
      'select alteracoes, confirmada from alteracao_diretorio where email = $1',
      [email],
    );
    expect(rows).toEqual([[{ suspensa: [false, true] }, false]]);
  });

  it('stalls in the middle of a dismissal, the answer says that accounts may remain', async () => {
    const usuario = 'sai.no.meio';
    await directory.server.add(USERS_DN, usuario, { mail: mailOf(usuario) });
    const id = await makePerson(directory.service, usuario);
    const email = await directory.addAccount('conta.de.quem.sai', { nome: 'Conta', responsaveis: [usuario] });
    const admin = await directory.service.as('admin');
    const dismiss = () => admin.delete(`/permissoes/pessoas/${id}`);
    beforeNextChange(() => directory.server.stall());
    try {
      const { status, body } = await dismiss();
      expect([status, body.entrada_diretorio]).toEqual([200, 'SEM_RESPOSTA']);
    } finally {
      directory.server.resume();
    }
    expect((await dismiss()).body.entrada_diretorio).toBe('ENCONTRADA');
    expect((await admin.get(`${PATH}/${email}`)).body.responsaveis).toEqual([]);
  });

  it('is silent, a service that waits for it can still end', async () => {
    const environment = { ...directory.server.environment, LDAP_TIMEOUT_MS: '1000' };
    const service = await startService(environment, directory.service);
    await directory.server.stall();
    try {
      const asked = service.services.directory.entries({}, { most: 10 });
      const refusal = asked.catch((error: unknown) => error);
      await service.stop();
      expect(await refusal).toMatchObject({ code: 'UNAVAILABLE' });
    } finally {
      directory.server.resume();
    }
  });
});

function expectAway(answer: Answer): void {
  expectProblem(answer, 503, 'UNAVAILABLE');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}
