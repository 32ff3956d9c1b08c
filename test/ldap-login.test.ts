import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LdapPasswords } from '../src/directory/ldap-passwords.ts';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { mailOf, onLdap } from './support/directories.ts';
import { ACCOUNTS_DN, hasSlapd, USERS_DN } from './support/ldap-server.ts';
import { grant, makePerson, makeProfile } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { startService, type TestService } from './support/service.ts';
import { normalised } from '../src/text/normalised.ts';

/** A person of the demo whose password is not stored in the service. */
const USER = 'aline.figueira';
const PASSWORD = 'kept in the directory';
const NEW = 'another one, kept there too';

describe.runIf(hasSlapd())('with an LDAP server', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  const dnOf = (usuario: string): string => `uid=${usuario},${USERS_DN}`;
  const setPassword = (usuario: string, userPassword: string, more: Record<string, string> = {}) =>
    directory.server.asRoot(async client => {
      await client.del(dnOf(usuario)).catch(() => undefined);
      const entry = { objectClass: 'inetOrgPerson', cn: usuario, sn: usuario, mail: mailOf(usuario) };
      await client.add(dnOf(usuario), { ...entry, userPassword, ...more });
    });
  const logIn = (username: string, password: string, on: TestService = directory.service): Promise<Answer> =>
    on.anyone.with(systemHeaders).post('/auth/login', { username, password });

  beforeAll(async () => {
    directory = await onLdap();
  });
  afterAll(() => directory?.stop());
  afterEach(async () => {
    vi.restoreAllMocks();
    await directory.service.sql('delete from tentativa_senha');
  });

  describe('a login', () => {
    it('of a person without a password of the service is a bind', async () => {
      await setPassword(USER, PASSWORD);
      const { status, body } = await logIn(` ${USER.toUpperCase()}`, PASSWORD);
      expect(status).toBe(200);
      expect(body.pessoa).toMatchObject({ nome: 'Aline Bastos Figueira', email: mailOf(USER) });
      const client = directory.service.anyone.with({ token: body.token });
      expect((await client.get('/almoxarifadoquimicos/unidades-medida')).status).toBe(200);
    });

    it('of a person with a password of the service uses only that password', async () => {
      await setPassword('docente', PASSWORD);
      expect((await logIn('docente', demoPassword('docente'))).status).toBe(200);
      expect((await logIn('docente', PASSWORD)).status).toBe(401);
    });

    it('that fails gives the same answer after the same work, whatever the reason', async () => {
      await setPassword(USER, PASSWORD);
      await setPassword('stranger', PASSWORD);
      await setPassword('daniela.brito', PASSWORD, { businessCategory: 'suspensa' });
      await setPassword('larissa.uchoa', PASSWORD);
      await setPassword('flavia.paes', PASSWORD, { mail: mailOf('twice') });
      await directory.server.add(ACCOUNTS_DN, 'flavia.paes', { mail: 'x@y.example', userPassword: PASSWORD });
      await directory.server.asRoot(client => client.del(dnOf('diego.reis')));
      await directory.service.sql(
        `update acesso_ambiente set situacao = 'I' where id_pessoa = (select id from pessoa where usuario = 'igor.farias')`,
      );
      await setPassword('igor.farias', PASSWORD);
      const binds = vi.spyOn(directory.service.services.directory.people as LdapPasswords, 'binds');
      const cases = {
        'wrong password': [USER, 'wrong'],
        'unknown everywhere': ['nobody', PASSWORD],
        'unknown to the service': ['stranger', PASSWORD],
        'unknown to the directory': ['diego.reis', PASSWORD],
        suspended: ['daniela.brito', PASSWORD],
        inactive: ['larissa.uchoa', PASSWORD],
        'no access': ['igor.farias', PASSWORD],
        'no password': ['elaine.matos', PASSWORD],
        'two of the name': ['flavia.paes', PASSWORD],
        'of the service': ['docente', 'wrong'],
        wildcard: ['*', PASSWORD],
        injection: [`${USER})(uid=*`, PASSWORD],
      };
      const seen = new Set<string>();
      for (const [why, [username, password]] of Object.entries(cases)) {
        binds.mockClear();
        const { status, headers, body } = await logIn(username!, password!);
        expect(status, why).toBe(401);
        expect(binds, why).toHaveBeenCalledTimes(1);
        seen.add(JSON.stringify([headers.get('content-length'), { ...body, instance: '' }]));
      }
      expect(seen.size).toBe(1);
    });

    it('without a password is refused before the directory is asked', async () => {
      const { people } = directory.service.services.directory;
      const verify = vi.spyOn(people!, 'verify');
      const refused = await logIn(USER, '');
      expect(fieldsOf(refused)).toEqual(['password']);
      expect(verify).not.toHaveBeenCalled();
      vi.restoreAllMocks();
      expect(await people!.verify(USER, '')).toBe(false);
    });

    it('is refused with a password that is changed meanwhile', async () => {
      await setPassword(USER, PASSWORD);
      const admin = (await directory.service.as('admin')).with(systemHeaders);
      const { people } = directory.service.services.directory;
      const verify = people!.verify.bind(people);
      vi.spyOn(people!, 'verify').mockImplementationOnce(async (user, password) => {
        const isRight = await verify(user, password);
        await admin.put('/auth/senha', { username: USER, password: NEW });
        return isRight;
      });
      expect((await logIn(USER, PASSWORD)).status).toBe(401);
      expect((await logIn(USER, NEW)).status).toBe(200);
    });
  });

  describe('a managerial account', () => {
    const ACCOUNT = 'secretaria';
    const suspend = async (value: boolean): Promise<void> => {
      const admin = await directory.service.as('admin');
      const path = `/institucional/usuarios-ldap/${mailOf(ACCOUNT)}?suspenderConta=${value}`;
      expect((await admin.put(path)).status).toBe(200);
    };
    beforeAll(async () => {
      await directory.addAccount(ACCOUNT, { nome: 'Secretaria', senha: PASSWORD });
      await makePerson(directory.service, ACCOUNT);
    });
    const isLive = async (token: string): Promise<boolean> =>
      (await directory.service.anyone.with({ token }).get('/permissoes/autenticacoes')).status === 200;

    it('that is suspended has no live login any more, and cannot log in', async () => {
      const { token } = (await logIn(ACCOUNT, PASSWORD)).body;
      const others = (await logIn('docente', demoPassword('docente'))).body.token;
      expect(await isLive(token)).toBe(true);
      await suspend(true);
      expect([await isLive(token), await isLive(others)]).toEqual([false, true]);
      expect((await logIn(ACCOUNT, PASSWORD)).status).toBe(401);
      await suspend(false);
      expect(await isLive(token)).toBe(false);
      expect((await logIn(ACCOUNT, PASSWORD)).status).toBe(200);
    });

    it('that is suspended during a login is refused', async () => {
      const { people } = directory.service.services.directory;
      const verify = people!.verify.bind(people);
      vi.spyOn(people!, 'verify').mockImplementationOnce(async (user, password) => {
        const isRight = await verify(user, password);
        await suspend(true);
        return isRight;
      });
      expect((await logIn(ACCOUNT, PASSWORD)).status).toBe(401);
      await suspend(false);
    });
  });

  describe('a caller who manages little', () => {
    const ADMIN = 'administracao';
    let revoke: (() => Promise<void>)[];
    beforeAll(async () => {
      const { service } = directory;
      await directory.addAccount(ADMIN, { nome: 'Administração', senha: PASSWORD });
      await makePerson(service, ADMIN);
      await makeProfile(service, { usuarios: [ADMIN], itens: [{ nivel: 3 }] });
      revoke = [
        await grant(service, 'tecnico', { controller: 'institucional/usuarios-ldap', nivel: 3 }),
        await grant(service, 'tecnico', { controller: 'auth/senha', nivel: 3 }),
      ];
    });
    afterAll(async () => {
      for (const back of revoke) await back();
    });

    it('can neither suspend nor edit the account with which an administrator logs in', async () => {
      const tecnico = await directory.service.as('tecnico');
      const path = `/institucional/usuarios-ldap/${mailOf(ADMIN)}`;
      for (const query of ['suspenderConta=true', 'gerarCodigoCvr=true'])
        expectProblem(await tecnico.put(`${path}?${query}`), 403, 'FORBIDDEN');
      expect((await logIn(ADMIN, PASSWORD)).status).toBe(200);
      expect(
        (await tecnico.put(`/institucional/usuarios-ldap/${mailOf('secretaria')}?suspenderConta=false`))
          .status,
      ).toBe(200);
    });

    it('cannot set its password through another of its user names', async () => {
      const { service } = directory;
      await service.sql(
        `insert into pessoa (nome, email, usuario) values ('Duplo', 'duplo@universidade.example', $1)`,
        [mailOf(ADMIN)],
      );
      const tecnico = (await service.as('tecnico')).with(systemHeaders);
      const change = { username: mailOf(ADMIN), password: NEW };
      expectProblem(await tecnico.put('/auth/senha', change), 403, 'FORBIDDEN');
      expect((await logIn(ADMIN, PASSWORD)).status).toBe(200);
    });
  });

  describe.each(['exop', 'attribute'])('a password change by %s', kind => {
    let service: TestService;
    beforeAll(async () => {
      const environment = { ...directory.server.environment, LDAP_PASSWORD_CHANGE: kind };
      service = await startService(environment, directory.service);
    });
    afterAll(() => service?.stop());

    it('changes the password in the directory and ends the other sessions', async () => {
      await setPassword(USER, PASSWORD);
      const [other, own] = await Promise.all(
        [1, 2].map(async () =>
          service.anyone.with({ ...systemHeaders, token: (await logIn(USER, PASSWORD)).body.token }),
        ),
      );
      const { status } = await own!.put('/auth/senha', { username: USER, password: NEW });
      expect(status).toBe(200);
      const isLive = async (client: typeof own) =>
        Boolean((await client!.graphql('{ sessaoAtual { id } }')).data.sessaoAtual);
      expect([await isLive(other), await isLive(own)]).toEqual([false, true]);
      expect((await logIn(USER, PASSWORD)).status).toBe(401);
      expect((await logIn(USER, NEW)).status).toBe(200);
      const [kept] = await service.sql(
        `select count(*)::int from credencial where id_pessoa = (select id from pessoa where usuario = $1)`,
        [USER],
      );
      expect(kept).toEqual([0]);
      expect(JSON.stringify(await directory.trail(mailOf(USER)))).not.toContain(NEW);
    });
  });

  describe('a person whom the directory no longer finds', () => {
    const filter = { LDAP_USERS_FILTER: '(!(businessCategory=suspensa))' };
    let filtered: TestService;
    beforeAll(async () => {
      filtered = await startService({ ...directory.server.environment, ...filter }, directory.service);
    });
    afterAll(() => filtered?.stop());
    const namesake = `uid=${USER},${ACCOUNTS_DN}`;
    afterEach(() => directory.server.asRoot(client => client.del(namesake).catch(() => undefined)));
    const kept = (usuario: string) =>
      directory.service.sql(
        'select count(*)::int from credencial c join pessoa p on p.id = c.id_pessoa where usuario = $1',
        [usuario],
      );

    it.each([
      ['whose entry was deleted', async () => directory.server.asRoot(client => client.del(dnOf(USER)))],
      [
        'whose name several entries have',
        async () => directory.server.add(ACCOUNTS_DN, USER, { mail: 'z@y.example' }),
      ],
      ['whom the filter leaves out', () => setPassword(USER, PASSWORD, { businessCategory: 'suspensa' })],
    ])('%s cannot make a password of the service of their own', async (_, leave) => {
      await setPassword(USER, PASSWORD);
      const { token } = (await logIn(USER, PASSWORD, filtered)).body;
      const own = filtered.anyone.with({ ...systemHeaders, token });
      await leave();
      expectProblem(await own.put('/auth/senha', { username: USER, password: NEW }), 409, 'INVALID_STATE');
      const input = `{ username: "${USER}", password: "${NEW}" }`;
      const { errors } = await own.graphql(`mutation { alterarSenha(input: ${input}) { id } }`);
      expect(errors![0]!.extensions.code).toBe('INVALID_STATE');
      expect(await kept(USER)).toEqual([[0]]);
      expect((await logIn(USER, NEW, filtered)).status).toBe(401);
    });

    it('gets a password of the service from somebody who may set it, and can change that one', async () => {
      const usuario = 'luana.assis';
      await directory.server.asRoot(client => client.del(dnOf(usuario)));
      const admin = (await directory.service.as('admin')).with(systemHeaders);
      expect((await admin.put('/auth/senha', { username: usuario, password: NEW })).status).toBe(200);
      const { token } = (await logIn(usuario, NEW)).body;
      const own = directory.service.anyone.with({ ...systemHeaders, token });
      expect((await own.put('/auth/senha', { username: usuario, password: PASSWORD })).status).toBe(200);
      expect((await logIn(usuario, PASSWORD)).status).toBe(200);
    });
  });

  describe('the connection', () => {
    async function withService<T>(settings: object, work: (service: TestService) => Promise<T>): Promise<T> {
      const environment = { ...directory.server.environment, ...settings };
      const service = await startService(environment, directory.service);
      try {
        return await work(service);
      } finally {
        await service.stop();
      }
    }
    const tls = () => ({ LDAP_URL: `ldaps://127.0.0.1:${directory.server.tlsPort}` });
    const trusted = () => ({ LDAP_CA_FILE: directory.server.certificate });

    it.each([
      ['TLS', () => ({ ...tls(), ...trusted() })],
      ['TLS, by name', () => ({ LDAP_URL: tls().LDAP_URL.replace('127.0.0.1', 'localhost'), ...trusted() })],
      ['StartTLS', () => ({ LDAP_STARTTLS: 'true', ...trusted() })],
    ])('is encrypted by %s', async (_, settings) => {
      await setPassword(USER, PASSWORD);
      await withService(settings(), async service => {
        for (let i = 0; i < 3; i++) expect((await logIn(USER, PASSWORD, service)).status).toBe(200);
        expect((await logIn(USER, 'wrong', service)).status).toBe(401);
        expect((await service.anyone.get('/readyz')).body).toMatchObject({ directory: 'ok' });
      });
    });

    it.each([
      ['a certificate that nobody vouches for', tls],
      ['the same with StartTLS', () => ({ LDAP_STARTTLS: 'true' })],
      ['a wrong password of its own', () => ({ LDAP_BIND_PASSWORD: 'wrong' })],
      [
        'a DN of people that there is not',
        () => ({ LDAP_USERS_DN: 'ou=nowhere,dc=universidade,dc=example' }),
      ],
      ['a DN of accounts that there is not', () => ({ LDAP_ACCOUNTS_DN: `ou=nowhere,${USERS_DN}` })],
      ['a DN of people that is none', () => ({ LDAP_USERS_DN: 'pessoas' })],
    ])('with %s lets nobody in and calls nobody wrong, and is not ready', async (_, settings) => {
      await setPassword(USER, PASSWORD);
      await withService(settings(), async service => {
        for (const password of [PASSWORD, 'wrong'])
          expectProblem(await logIn(USER, password, service), 503, 'UNAVAILABLE');
        expect((await logIn('docente', demoPassword('docente'), service)).status).toBe(200);
        expect((await service.anyone.get('/readyz')).body).toMatchObject({ directory: 'away' });
      });
    });
  });

  it('a value that the server refuses is reported as refused, not as an outage', async () => {
    const conta = await directory.addAccount('recusa', { nome: 'Recusa' });
    const names = { LDAP_NAME_ATTRIBUTE: 'uid', LDAP_DESCRIPTION_ATTRIBUTE: 'telephoneNumber' };
    const environment = { ...directory.server.environment, ...names };
    const service = await startService(environment, directory.service);
    try {
      const admin = await service.as('admin');
      const path = `/institucional/usuarios-ldap/${conta}?editarContasGerenciais=true`;
      for (const [change, why] of [
        [{ nome: 'outro' }, 'que dá nome à entrada'],
        [{ descricao: 'não é um número' }, 'não aceita este valor'],
      ] as const) {
        const answer = await admin.put(path, change);
        expectProblem(answer, 409, 'CONFLICT');
        expect(answer.body.detail).toContain(why);
      }
    } finally {
      await service.stop();
    }
  });

  describe('a name of any letters', () => {
    /** Names with all special characters of filters and DNs, or any other text. */
    const letter = fc.oneof(
      fc.constantFrom(...`*()\\,+"<>;#=&|!~/ .-'%`),
      fc.constantFrom('á', 'ß', 'я', '漢', '😀', 'ﬁ'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...'abcXYZ019'),
    );
    const names = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    let made = 0;
    const entries = async (filter: object) =>
      (await directory.service.services.directory.entries(filter, { most: 10_000 })).entries;

    it('finds its own entry, holds its own account, and no other', async () => {
      const { directory: port } = directory.service.services;
      await fc.assert(
        fc.asyncProperty(names.filter(isStorable), async text => {
          const number = ++made;
          const uid = `${text}§${number}`;
          const mail = `person.${number}@property.example`;
          const dn = await directory.server.add(USERS_DN, uid, { mail, userPassword: `pw ${number}` });
          const conta = `conta.${number}@property.example`;
          // The word makes the names of the two accounts different: "9§9" can match both, and then neither may log in.
          await directory.server.add(ACCOUNTS_DN, `conta ${number}§${text}`, { mail: conta, manager: dn });
          expect(await port.people!.verify(uid, `pw ${number}`)).toBe(true);
          expect(await port.people!.verify(uid, 'wrong')).toBe(false);
          const [account] = await entries({ email: conta });
          const [person] = await entries({ email: mail });
          const { key } = person!;
          expect(account!.responsaveis).toEqual([{ key, email: mail, nome: uid }]);
          expect(await port.keyOf({ id: 0, usuario: uid })).toBe(key);
          expect(person!.contasGerenciais.map(({ email }) => email)).toEqual([conta]);
        }),
        { numRuns: 100 },
      );
      const whole = new Map((await entries({})).map(entry => [entry.email, entry]));
      for (let number = 1; number <= made; number++)
        expect(whole.get(`conta.${number}@property.example`)?.responsaveis, String(number)).toHaveLength(1);
    });

    it('is the same in every spelling of its DN', async () => {
      await directory.server.add(USERS_DN, 'Çelik, "José"', { mail: 'jose@property.example' });
      const manager = `UID = \\c3\\87ELIK\\2c \\"jos\\C3\\A9\\22 , OU=Pessoas,DC=Universidade,DC=Example`;
      await directory.server.add(ACCOUNTS_DN, 'conta.jose', { mail: 'conta@property.example', manager });
      const holders = async (wanted: object) =>
        (await entries(wanted)).find(({ email }) => email === 'conta@property.example')!.responsaveis;
      const { key } = (await entries({ email: 'jose@property.example' }))[0]!;
      const jose = [{ key, email: 'jose@property.example', nome: 'Çelik, "José"' }];
      expect([await holders({}), await holders({ email: 'conta@property.example' })]).toEqual([jose, jose]);
    });

    it('finds no entry if several have it', async () => {
      const mail = ['um@property.example', 'ambos@property.example'];
      await directory.server.add(USERS_DN, 'um', { mail });
      expect(await entries({ email: 'ambos@property.example' })).toHaveLength(1);
      await directory.server.add(ACCOUNTS_DN, 'outro', { mail: 'Ambos@property.example' });
      expect(await entries({ email: 'ambos@property.example' })).toEqual([]);
      expect(await entries({ email: 'um@property.example' })).toHaveLength(1);
    });

    it('finds no entry if none has it, NUL and halves of letters included', async () => {
      const { directory: port } = directory.service.services;
      const any = fc.oneof(
        names,
        fc.string({ unit: fc.constantFrom('\0', '*', '\\', '(', ')', '\ud800', 'a') }),
      );
      await fc.assert(
        fc.asyncProperty(any, async text => {
          const found = await entries({ email: text });
          expect(found.filter(({ email }) => normalised(email) !== normalised(text))).toEqual([]);
          expect(await port.people!.verify(text, PASSWORD)).toBe(false);
        }),
        { numRuns: 200 },
      );
    });
  });
});

/** LDAP texts contain no NUL and no half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
