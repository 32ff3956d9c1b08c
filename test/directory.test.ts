import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoRecords } from '../src/demo/files.ts';
import type { Answer, Client } from './support/client.ts';
import { inDatabase, mailOf, onLdap, type TestDirectory } from './support/directories.ts';
import { hasSlapd } from './support/ldap-server.ts';
import { attempt } from './support/logins.ts';
import { grant } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';

const PATH = '/institucional/usuarios-ldap';
const CONTROLLER = 'institucional/usuarios-ldap';

type Entry = Record<'email' | 'nome' | 'descricao' | 'employeetype', string | null> &
  Record<'contaGerencial' | 'suspensa' | 'possuiSenha', boolean>;

const backends: [string, () => Promise<TestDirectory>][] = [['in the database', inDatabase]];
if (hasSlapd()) backends.push(['on an LDAP server', onLdap]);

describe.each(backends)('a directory %s', (_name, start) => {
  let directory: TestDirectory;
  let admin: Client;
  let undo: (() => Promise<void>)[] = [];
  let made = 0;

  beforeAll(async () => {
    directory = await start();
    admin = await directory.service.as('admin');
  });
  afterAll(() => directory?.stop());
  afterEach(async () => {
    for (const back of undo) await back();
    undo = [];
    await directory.service.sql('delete from tentativa_senha');
  });

  /** A new account for this test only. */
  const account = (more: Partial<Parameters<TestDirectory['addAccount']>[1]> = {}): Promise<string> =>
    directory.addAccount(`conta.${++made}`, { nome: `Conta ${made}`, ...more });
  const entry = async (email: string): Promise<Record<string, unknown>> =>
    (await admin.get(`${PATH}/${email}`)).body;
  const put = (
    email: string,
    query: Record<string, string>,
    body?: object,
    client = admin,
  ): Promise<Answer> => client.send('PUT', `${PATH}/${email}?${new URLSearchParams(query).toString()}`, body);
  const level = async (usuario: string, nivel: number): Promise<Client> => {
    undo.push(await grant(directory.service, usuario, { controller: CONTROLLER, nivel }));
    return directory.service.as(usuario);
  };
  const newCode = async (email: string): Promise<string> =>
    (await put(email, { gerarCodigoCvr: 'true' })).body.codigo_cvr;

  describe('lists', () => {
    it('everybody and every managerial account, by name, as one page', async () => {
      const { status, body } = await admin.get(PATH);
      expect(status).toBe(200);
      expect(body).toMatchObject({ page: 1, totalPages: 1, total: body.data.length });
      expect(body.itemsPerPage).toBe(body.total);
      const names = body.data.map(({ nome }: { nome: string }) => nome);
      expect(names).toEqual(names.toSorted(new Intl.Collator('pt-BR').compare));
      const people = body.data.filter((one: { conta_gerencial: boolean }) => !one.conta_gerencial);
      const cpfs = people.map((one: { employeetype: string | null }) => one.employeetype);
      const known = cpfs.filter((cpf: string | null) => cpf !== null);
      expect(known).toHaveLength(50);
      expect(known.every((cpf: string) => /^\d{11}$/.test(cpf))).toBe(true);
    });

    it('only managerial accounts on request', async () => {
      const { body } = await admin.get(`${PATH}?retornarContasGerenciais=TRUE`);
      const emails = body.data.map(({ email }: { email: string }) => email);
      const accounts = await demoRecords('contas-gerenciais');
      expect(emails).toEqual(expect.arrayContaining(accounts.map(({ email }) => email)));
      expect(body.data.every((one: { conta_gerencial: boolean }) => one.conta_gerencial)).toBe(true);
    });

    it('the person with a CPF, with or without its punctuation', async () => {
      const people = await demoRecords('pessoas');
      const tecnico = people.find(({ usuario }) => usuario === 'tecnico')!['cpf']!;
      const dotted = tecnico.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
      for (const cpf of [tecnico, dotted]) {
        const { body } = await admin.get(`${PATH}?employeetype=${cpf}`);
        expect(body.data).toMatchObject([{ email: mailOf('tecnico'), employeetype: tecnico }]);
        expect(body.data[0].contas_gerenciais).toHaveLength(2);
      }
      expect((await admin.get(`${PATH}?employeetype=00000000000`)).body.total).toBe(0);
      for (const none of ['*', 'abc', '-', '1)(uid=*'])
        expect((await admin.get(`${PATH}?employeetype=${none}`)).body.total, none).toBe(0);
    });

    it('the managerial accounts of the person with a CPF', async () => {
      const [[cpf]] = (await directory.service.sql(`select cpf from pessoa where usuario = 'docente'`)) as [
        [string],
      ];
      const { body } = await admin.get(`${PATH}?retornarContasGerenciais=true&employeetype=${cpf}`);
      expect(body.data.map(({ email }: { email: string }) => email)).toEqual([
        mailOf('coord.quimica'),
        mailOf('dep.quimica'),
      ]);
      expect(body.data[0].responsaveis).toContainEqual(expect.objectContaining({ email: mailOf('docente') }));
      const none = await admin.get(`${PATH}?retornarContasGerenciais=true&employeetype=00000000191`);
      expect(none.body.total).toBe(0);
    });

    it('who holds what, both ways', async () => {
      const { data } = await admin.graphql(
        '{ usuariosDiretorio(pagination: false) { data { email contasGerenciais { email nome } responsaveis { email } } } }',
      );
      const found = new Map<string, any>(data.usuariosDiretorio.data.map((one: any) => [one.email, one]));
      expect(found.get(mailOf('docente')).contasGerenciais).toEqual([
        { email: mailOf('coord.quimica'), nome: 'Coordenação do Curso de Química' },
        { email: mailOf('dep.quimica'), nome: 'Departamento de Química' },
      ]);
      for (const { email, responsaveis } of await demoRecords('contas-gerenciais'))
        expect(new Set(found.get(email!).responsaveis.map((one: any) => one.email))).toEqual(
          new Set(responsaveis?.split(', ').map(mailOf)),
        );
    });

    it('in GraphQL those that match a filter, with what they hold', async () => {
      const wanted = await account({
        nome: 'Secretária *(do) Açaí\\',
        descricao: 'Só para testes',
        responsaveis: ['tecnico', 'docente'],
        suspensa: true,
      });
      const fields = 'email nome descricao employeetype contaGerencial suspensa possuiSenha';
      const found = async (filter: string): Promise<Entry[]> => {
        const query = `{ usuariosDiretorio(pagination: false, filter: { ${filter} }) { total data { ${fields} } } }`;
        const { data, errors } = await admin.graphql(query);
        expect(errors, filter).toBeUndefined();
        expect(data.usuariosDiretorio.total).toBe(data.usuariosDiretorio.data.length);
        return data.usuariosDiretorio.data;
      };
      const all = await found('and: []');
      const { body } = await admin.get(PATH);
      expect(all.map(({ email }) => email)).toEqual(body.data.map(({ email }: { email: string }) => email));
      const cpf = all.find(({ email }) => email === mailOf('tecnico'))!.employeetype!;
      const starts = (one: Entry): boolean => one.nome!.toLowerCase().startsWith('beatriz');
      const cases: [filter: string, holds: (one: Entry) => boolean][] = [
        [`email: { eq: "${wanted.toUpperCase()}" }`, ({ email }) => email === wanted],
        ['nome: { contains: "*(do) AÇAÍ\\\\" }', ({ email }) => email === wanted],
        ['nome: { contains: "*" }', ({ nome }) => nome!.includes('*')],
        ['nome: { startsWith: "beatriz" }', starts],
        ['not: { nome: { startsWith: "beatriz" } }', one => !starts(one)],
        [
          `employeetype: { eq: "${cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')}" }`,
          one => one.employeetype === cpf,
        ],
        [`employeetype: { ne: "${cpf}" }`, one => one.employeetype !== null && one.employeetype !== cpf],
        ['employeetype: { isNull: true }', one => one.employeetype === null],
        ['employeetype: { in: ["x", ""] }', () => false],
        ['descricao: { isNull: false }', one => one.descricao !== null],
        ['not: { descricao: { contains: "testes" } }', one => !/testes/i.test(one.descricao ?? '')],
        ['suspensa: { eq: true }, contaGerencial: { eq: true }', one => one.suspensa && one.contaGerencial],
        ['possuiSenha: { eq: false }', one => !one.possuiSenha],
        [
          `or: [{ email: { in: ["${wanted}"] } }, { employeetype: { eq: "${cpf}" } }]`,
          one => one.email === wanted || one.employeetype === cpf,
        ],
        ['or: []', () => false],
        ['not: { email: { eq: "ç" } }', () => true],
        ['nome: { eq: "" }', () => false],
      ];
      for (const [filter, holds] of cases) expect(await found(filter), filter).toEqual(all.filter(holds));
      const { data } = await admin.graphql(
        `{ usuariosDiretorio(filter: { email: { eq: "${wanted}" } }) { data { responsaveis { email } } } }`,
      );
      expect(data.usuariosDiretorio.data[0].responsaveis.map(({ email }: Entry) => email).toSorted()).toEqual(
        [mailOf('docente'), mailOf('tecnico')],
      );
      // Filters must not find what the caller may not list.
      const own = await (
        await directory.service.as('docente')
      ).graphql('{ usuariosDiretorio(filter: { nome: { contains: "a" } }) { data { email } } }');
      expect(own.data.usuariosDiretorio.data).toEqual([{ email: mailOf('docente') }]);
    });

    it('pages of it, which together are the whole list, in every order', async () => {
      const shown =
        'email nome descricao employeetype possuiSenha contasGerenciais { email } responsaveis { email }';
      const read = async (args: string): Promise<any> => {
        const { data, errors } = await admin.graphql(
          `{ usuariosDiretorio(${args}) { total totalPages page itemsPerPage data { ${shown} } } }`,
        );
        expect(errors, args).toBeUndefined();
        return data.usuariosDiretorio;
      };
      for (const order of [
        '',
        'orderBy: [{ email: desc }]',
        'orderBy: [{ descricao: asc }, { nome: DESC }]',
        'orderBy: [{ employeetype: desc }], filter: { nome: { contains: "a" } }',
        'retornarContasGerenciais: true',
      ]) {
        const whole = await read(`pagination: false, ${order}`);
        expect(whole).toMatchObject({ total: whole.data.length, page: 1, totalPages: 1 });
        for (const size of [10, 35]) {
          const pages = [];
          for (let page = 1; page <= Math.ceil(whole.total / size) + 1; page++)
            pages.push(await read(`page: ${page}, itemsPerPage: ${size}, ${order}`));
          expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
          const totalPages = Math.ceil(whole.total / size);
          for (const [i, page] of pages.entries())
            expect(page).toMatchObject({ total: whole.total, totalPages, page: i + 1, itemsPerPage: size });
        }
      }
      expect((await read('page: 1')).data).toHaveLength(10);
      const addresses = (await read('pagination: false, orderBy: [{ email: desc }]')).data.map(
        ({ email }: Entry) => email,
      );
      expect(addresses).toEqual(addresses.toSorted().toReversed());
    });

    it('pages in REST only when asked', async () => {
      const whole = (await admin.get(PATH)).body;
      const { body } = await admin.get(`${PATH}?pagination=true&itemsPerPage=7&page=2`);
      expect(body).toEqual({
        data: whole.data.slice(7, 14),
        total: whole.total,
        page: 2,
        itemsPerPage: 7,
        totalPages: Math.ceil(whole.total / 7),
      });
      expect((await admin.get(`${PATH}?page=2&itemsPerPage=7`)).body.total).toBe(whole.total);
      expectProblem(await admin.get(`${PATH}?pagination=true&itemsPerPage=1001`), 400, 'BAD_REQUEST');
    });

    it('nothing for an order of two attributes at a time, or of none', async () => {
      for (const order of ['{ nome: asc, email: asc }', '{}', '{ nome: null }']) {
        const { errors } = await admin.graphql(
          `{ usuariosDiretorio(orderBy: [{ email: asc }, ${order}]) { total } }`,
        );
        expect(errors![0]!.extensions).toMatchObject({
          code: 'BAD_REQUEST',
          errors: [{ field: 'orderBy[1]' }],
        });
      }
    });

    it('nothing for a filter that a directory cannot answer, and names the place', async () => {
      for (const [filter, field] of [
        ['or: [{ employeetype: { startsWith: "12" } }]', 'filter.or[0].employeetype.startsWith'],
        ['not: { nome: { eq: null } }', 'filter.not.nome.eq'],
        [`${'not: { '.repeat(13)}${'}'.repeat(13)}`, `filter${'.not'.repeat(12)}`],
        [`nome: { in: [${'"x" '.repeat(201)}] }`, 'filter.nome.in'],
      ] as const) {
        const { errors } = await admin.graphql(`{ usuariosDiretorio(filter: { ${filter} }) { total } }`);
        expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_REQUEST', errors: [{ field }] });
      }
    });

    it('only their own entry for a caller without a level', async () => {
      const docente = await directory.service.as('docente');
      const { body } = await docente.get(PATH);
      expect(body.data.map(({ email }: { email: string }) => email)).toEqual([mailOf('docente')]);
      const held = (await docente.get(`${PATH}?retornarContasGerenciais=true`)).body.data;
      expect(held.length).toBeGreaterThan(1);
      for (const { responsaveis } of held)
        expect(responsaveis).toContainEqual(expect.objectContaining({ email: mailOf('docente') }));
      const [[cpf]] = (await directory.service.sql(`select cpf from pessoa where usuario = 'tecnico'`)) as [
        [string],
      ];
      const others = await docente.get(`${PATH}?retornarContasGerenciais=true&employeetype=${cpf}`);
      expect(others.body.total).toBe(0);
      expect((await (await level('docente', 1)).get(PATH)).body.total).toBeGreaterThan(50);
    });

    it('no more than an unpaginated list may have', async () => {
      const { limits } = directory.service.services.listing;
      const before = limits.unpaginatedRows;
      limits.unpaginatedRows = 40;
      try {
        expectProblem(await admin.get(PATH), 422, 'RESULT_TOO_LARGE');
      } finally {
        limits.unpaginatedRows = before;
      }
    });
  });

  describe('shows', () => {
    it('a person, whatever the case of the address', async () => {
      expect(await entry('Patricia.Torres@Universidade.example')).toEqual({
        email: mailOf('patricia.torres'),
        nome: 'Patrícia Gusmão Torres',
        descricao: null,
        employeetype: expect.stringMatching(/^\d{11}$/),
        conta_gerencial: false,
        suspensa: false,
        possui_senha: false,
        contas_gerenciais: [{ email: mailOf('vestibular2019'), nome: 'Vestibular 2019' }],
        responsaveis: [],
      });
      expect(await entry(mailOf('carlos.valadao'))).toMatchObject({ suspensa: true });
      expect(await entry(mailOf('admin'))).toMatchObject({ possui_senha: true });
    });

    it('a managerial account', async () => {
      expect(await entry(mailOf('reitoria'))).toEqual({
        email: mailOf('reitoria'),
        nome: 'Gabinete da Reitoria',
        descricao: 'Correspondência oficial da Reitoria',
        employeetype: null,
        conta_gerencial: true,
        suspensa: false,
        possui_senha: true,
        contas_gerenciais: [],
        responsaveis: [
          { email: mailOf('admin'), nome: 'Helena Duarte Prado' },
          { email: mailOf('monica.albuquerque'), nome: 'Mônica Serra Albuquerque' },
        ],
      });
      expect(await entry(mailOf('vestibular2019'))).toMatchObject({ suspensa: true, possui_senha: false });
    });

    it('nobody at an address that no entry has', async () => {
      for (const email of ['nobody@universidade.example', '*', '%25', 'a)(mail=*', '%F0%9F%98%80'])
        expectProblem(await admin.get(`${PATH}/${email}`), 404, 'NOT_FOUND');
      expectProblem(await admin.get(`${PATH}/a%00b`), 400, 'BAD_REQUEST');
      const query = 'query ($email: String!) { usuarioDiretorio(email: $email) { nome } }';
      const { errors } = await admin.graphql(query, { email: 'a\ud800b' });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    });

    it('everybody their own entry, and other entries with level 1', async () => {
      const discente = await directory.service.as('discente');
      expect((await discente.get(`${PATH}/${mailOf('discente')}`)).body.nome).toBe('Ju Conceição');
      for (const email of [mailOf('docente'), mailOf('reitoria'), mailOf('nobody')])
        expectProblem(await discente.get(`${PATH}/${email}`), 403, 'FORBIDDEN');
      const docente = await directory.service.as('docente');
      expect((await docente.get(`${PATH}/${mailOf('dep.quimica')}`)).body).toMatchObject({
        conta_gerencial: true,
      });
      expect((await (await level('discente', 1)).get(`${PATH}/${mailOf('docente')}`)).status).toBe(200);
    });
  });

  describe('suspends', () => {
    it('a managerial account, and activates it again', async () => {
      const email = await account({ responsaveis: ['tecnico'] });
      const suspended = await put(email, { suspenderConta: 'true' });
      expect(suspended).toMatchObject({ status: 200, body: { email, suspensa: true, cvr: null } });
      expect(suspended.body).toEqual({
        ...(await entry(email)),
        cvr: null,
        codigo_cvr: null,
        codigo_cvr_expira_em: null,
      });
      expect((await put(email, { suspenderConta: 'TRUE' })).body.suspensa).toBe(true);
      expect((await put(email, { suspenderConta: '0' })).body.suspensa).toBe(false);
      expect((await entry(email))['responsaveis']).toHaveLength(1);
    });

    it('no person, and nothing with any other word', async () => {
      const refused = await put(mailOf('docente'), { suspenderConta: 'true' });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['email']);
      const wrong = await put(mailOf('reitoria'), { suspenderConta: 'sim' });
      expectProblem(wrong, 400, 'BAD_REQUEST');
      expect(fieldsOf(wrong)).toEqual(['suspenderConta']);
    });
  });

  describe('changes', () => {
    it('attributes of a managerial account, only if the request says so', async () => {
      const email = await account({ descricao: 'Antes' });
      const without = await put(email, {}, { nome: 'Outro', descricao: 'Depois' });
      expectProblem(without, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(without)).toEqual(['editarContasGerenciais']);
      expect(await entry(email)).toMatchObject({ descricao: 'Antes' });
      const changed = await put(email, { editarContasGerenciais: 'true' }, { descricao: 'Depois, à tarde' });
      expect(changed.body).toMatchObject({ nome: `Conta ${made}`, descricao: 'Depois, à tarde' });
      const both = { nome: 'Ouvidoria (*)', descricao: null };
      expect((await put(email, { editarContasGerenciais: '1' }, both)).body).toMatchObject(both);
    });

    it('attributes and suspension together', async () => {
      const email = await account();
      const query = { editarContasGerenciais: 'true', suspenderConta: 'true' };
      expect((await put(email, query, { nome: 'Extinta' })).body).toMatchObject({
        nome: 'Extinta',
        suspensa: true,
      });
    });

    it('nothing that breaks a rule, nor a person', async () => {
      const email = await account();
      const edit = { editarContasGerenciais: 'true' };
      for (const nome of ['x'.repeat(201), 'a\0b'])
        expect(fieldsOf(await put(email, edit, { nome }))).toEqual(['nome']);
      // An account always has a name, so this says nothing of it.
      for (const nome of [null, '']) {
        const nothing = await put(email, edit, { nome });
        expect([nothing.status, fieldsOf(nothing)]).toEqual([422, ['']]);
        expect((await put(email, edit, { nome, descricao: 'Secretaria' })).body.nome).toBeTruthy();
      }
      expect(fieldsOf(await put(email, edit, { descricao: 'x'.repeat(501) }))).toEqual(['descricao']);
      expect(fieldsOf(await put(mailOf('docente'), edit, { nome: 'Outro' }))).toEqual(['email']);
    });

    it('leave their row in the audit trail', async () => {
      const email = await account();
      await put(email, { suspenderConta: 'true' });
      const trail = await directory.trail(email);
      expect(JSON.stringify(trail)).toContain('"suspensa":[false,true]');
      expect(trail.at(-1)).toMatchObject({ usuario: 'admin' });
    });
  });

  describe('makes a code', () => {
    it('that attaches an account once', async () => {
      const email = await account();
      const { status, body } = await put(email, { gerarCodigoCvr: 'true' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        email,
        codigo_cvr: expect.stringMatching(/^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/),
      });
      expect(body.cvr).toBe(body.codigo_cvr);
      expect(Date.parse(body.codigo_cvr_expira_em) - Date.now()).toBeGreaterThan(71 * 3_600_000);
      const attached = await put(
        mailOf('discente'),
        { adicionarContaGerencialCvr: email },
        { cvr: ` ${(body.codigo_cvr as string).toLowerCase().replaceAll('-', ' ')}` },
      );
      expect(attached.body.contas_gerenciais).toContainEqual({ email, nome: body.nome });
      expect((await entry(email))['responsaveis']).toMatchObject([{ email: mailOf('discente') }]);
      const again = await put(
        mailOf('tecnico'),
        { adicionarContaGerencialCvr: email },
        { cvr: body.codigo_cvr },
      );
      expectProblem(again, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(again)).toEqual(['cvr']);
    });

    it('that works for one of many who send it at once', async () => {
      const email = await account();
      const cvr = await newCode(email);
      const users = ['admin', 'almoxarife', 'tecnico', 'docente'];
      const answers = await Promise.all(
        users.map(usuario => put(mailOf(usuario), { adicionarContaGerencialCvr: email }, { cvr })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422]);
      expect((await entry(email))['responsaveis']).toHaveLength(1);
    });

    it('that does not work after its time, or after another one is made', async () => {
      const email = await account();
      const first = await newCode(email);
      const second = await newCode(email);
      const attach = (cvr: string) => put(mailOf('docente'), { adicionarContaGerencialCvr: email }, { cvr });
      expect((await attach(first)).status).toBe(422);
      await directory.service.sql('update codigo_cvr set expira_em = now() where conta = $1', [email]);
      expect((await attach(second)).status).toBe(422);
      expect((await attach(await newCode(email))).status).toBe(200);
    });

    it('that is for no other account', async () => {
      const [one, other] = [await account(), await account()];
      const cvr = await newCode(one);
      await newCode(other);
      expect((await put(mailOf('docente'), { adicionarContaGerencialCvr: other }, { cvr })).status).toBe(422);
    });

    it('that does not work once its maker may not change the account any more', async () => {
      const [others, own] = [await account(), await account({ responsaveis: ['tecnico'] })];
      const tecnico = await level('tecnico', 3);
      const made = async (email: string) =>
        (await put(email, { gerarCodigoCvr: 'true' }, undefined, tecnico)).body.codigo_cvr;
      const attach = (email: string, cvr: string) =>
        put(mailOf('tecnico'), { adicionarContaGerencialCvr: email }, { cvr }, tecnico);
      const [cvr, kept] = [await made(others), await made(own)];
      expect(cvr).toMatch(/^\w/);
      await undo.pop()!();
      await level('tecnico', 2);
      const refused = await attach(others, cvr);
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      const wrong = await attach(others, 'AAAA-AAAA-AAAA');
      expect([fieldsOf(refused), refused.body.errors]).toEqual([['cvr'], wrong.body.errors]);
      expect((await entry(others))['responsaveis']).toEqual([]);
      // A holder's code needs no level 3.
      const byOwn = await put(mailOf('discente'), { adicionarContaGerencialCvr: own }, { cvr: kept });
      expect(byOwn.status).toBe(200);
    });

    it('that ends when the account is suspended, also when it may be used again', async () => {
      const email = await account();
      const cvr = await newCode(email);
      for (const suspenderConta of ['true', 'false'])
        expect((await put(email, { suspenderConta })).status).toBe(200);
      const attach = { adicionarContaGerencialCvr: email };
      expect(fieldsOf(await put(mailOf('docente'), attach, { cvr }))).toEqual(['cvr']);
      const next = await newCode(email);
      expect((await put(email, { editarContasGerenciais: 'true' }, { nome: 'Outro nome' })).status).toBe(200);
      expect((await put(mailOf('docente'), attach, { cvr: next })).status).toBe(200);
    });

    it('of which only a digest is stored, and nothing is in the trail', async () => {
      const email = await account();
      const code = await newCode(email);
      const rows = await directory.service.sql(
        `select row_to_json(c)::text from codigo_cvr c where conta = $1
         union all select alteracoes::text from auditoria where tabela = 'codigo_cvr'`,
        [email],
      );
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
    });

    it('for no account that has a password, is suspended, or is a person', async () => {
      expectProblem(await put(mailOf('reitoria'), { gerarCodigoCvr: 'true' }), 409, 'CONFLICT');
      expectProblem(await put(mailOf('vestibular2019'), { gerarCodigoCvr: 'true' }), 409, 'INVALID_STATE');
      expectProblem(await put(mailOf('docente'), { gerarCodigoCvr: 'true' }), 422, 'VALIDATION_FAILED');
      expectProblem(await put(mailOf('nobody'), { gerarCodigoCvr: 'true' }), 404, 'NOT_FOUND');
    });
  });

  describe('attaches', () => {
    const bySenha = (email: string, conta: string, senha: string, client = admin) =>
      put(email, { adicionarContaGerencialSenha: conta }, { senha }, client);

    it('an account by its password', async () => {
      const email = await account({ senha: 'a password of the office' });
      const wrong = await bySenha(mailOf('docente'), email, 'another password');
      expectProblem(wrong, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(wrong)).toEqual(['senha']);
      const right = await bySenha(mailOf('docente'), email, 'a password of the office');
      expect(right.body.contas_gerenciais).toContainEqual({ email, nome: `Conta ${made}` });
      expect(JSON.stringify(right.body)).not.toContain('a password of the office');
    });

    it('no account without a password by any password', async () => {
      const email = await account();
      expect(fieldsOf(await bySenha(mailOf('docente'), email, 'anything'))).toEqual(['senha']);
      const empty = await bySenha(mailOf('docente'), email, '');
      expect(empty.status).toBe(422);
      expect((await entry(email))['responsaveis']).toEqual([]);
    });

    it('nothing twice, and the code stays valid then', async () => {
      const email = await account({ responsaveis: ['docente'] });
      const cvr = await newCode(email);
      const by = (usuario: string) => put(mailOf(usuario), { adicionarContaGerencialCvr: email }, { cvr });
      expectProblem(await by('docente'), 409, 'DUPLICATE');
      expect((await by('discente')).status).toBe(200);
    });

    it('no suspended account, no person, nothing unknown, and nothing to an account', async () => {
      const suspended = await account({ senha: 'a password of the office', suspensa: true });
      const senha = 'a password of the office';
      expectProblem(await bySenha(mailOf('docente'), suspended, senha), 409, 'INVALID_STATE');
      for (const conta of [mailOf('tecnico'), mailOf('nobody'), '*'])
        expect(fieldsOf(await bySenha(mailOf('docente'), conta, senha))).toEqual([
          'adicionarContaGerencialSenha',
        ]);
      expect(fieldsOf(await bySenha(mailOf('biblioteca'), mailOf('reitoria'), senha))).toEqual(['email']);
      expectProblem(await bySenha(mailOf('nobody'), mailOf('reitoria'), senha), 404, 'NOT_FOUND');
    });

    it('nothing for a while after five wrong passwords or codes', async () => {
      const email = await account({ senha: 'a password of the office' });
      for (let i = 0; i < 5; i++)
        expect((await bySenha(mailOf('docente'), email, `wrong ${i}`)).status).toBe(422);
      const refused = await bySenha(mailOf('docente'), email, 'a password of the office');
      expectProblem(refused, 429, 'RATE_LIMITED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    it('an account although failed logins used a user name like it', async () => {
      const email = await account({ senha: 'a password of the office' });
      for (const name of [email, `conta ${email}`, `conta:${email}`])
        for (let i = 0; i < 5; i++) expect((await attempt(directory.service, name)).status).toBe(401);
      expect((await bySenha(mailOf('docente'), email, 'a password of the office')).status).toBe(200);
    });
  });

  describe('hands over', () => {
    const handOver = (email: string, body: object, client: Client) =>
      client.put(`/institucional/contas-gerenciais/${email}`, body);
    const holders = async (email: string) =>
      ((await entry(email))['responsaveis'] as { email: string }[]).map(one => one.email);

    it('an account from its holder to a person, without any level', async () => {
      const email = await account({ responsaveis: ['docente', 'admin'] });
      const docente = await directory.service.as('docente');
      const cvr = await newCode(email);
      const answer = await handOver(email, { para: mailOf('discente') }, docente);
      expect(answer).toMatchObject({ status: 200, body: { email, conta_gerencial: true } });
      expect(new Set(await holders(email))).toEqual(new Set([mailOf('admin'), mailOf('discente')]));
      expect(JSON.stringify(await directory.trail(email))).not.toContain(cvr);
      const attach = { adicionarContaGerencialCvr: email };
      expect(fieldsOf(await put(mailOf('docente'), attach, { cvr }))).toEqual(['cvr']);
      expectProblem(await handOver(email, { para: mailOf('docente') }, docente), 403, 'FORBIDDEN');
    });

    it('an account of others with level 3 alone', async () => {
      const email = await account({ responsaveis: ['tecnico', 'almoxarife'] });
      const body = { para: mailOf('discente'), de: mailOf('tecnico') };
      expectProblem(await handOver(email, body, await level('docente', 2)), 403, 'FORBIDDEN');
      const manager = await level('docente', 3);
      expect(fieldsOf(await handOver(email, { para: mailOf('discente') }, manager))).toEqual(['de']);
      expect((await handOver(email, body, manager)).status).toBe(200);
      expect(new Set(await holders(email))).toEqual(new Set([mailOf('almoxarife'), mailOf('discente')]));
      // A holder may not remove another holder.
      const almoxarife = await directory.service.as('almoxarife');
      const out = { para: mailOf('docente'), de: mailOf('discente') };
      expectProblem(await handOver(email, out, almoxarife), 403, 'FORBIDDEN');
    });

    it('nothing to an account, to nobody, or to who holds it, and nothing of who does not', async () => {
      const email = await account({ responsaveis: ['admin', 'tecnico'] });
      const fields = async (body: object) => fieldsOf(await handOver(email, body, admin));
      expect(await fields({})).toEqual(['para']);
      expect(await fields({ para: mailOf('reitoria') })).toEqual(['para']);
      expect(await fields({ para: mailOf('nobody') })).toEqual(['para']);
      expect(await fields({ para: mailOf('carlos.valadao') })).toEqual(['para']);
      expect(await fields({ para: mailOf('discente'), de: mailOf('docente') })).toEqual(['de']);
      expectProblem(await handOver(email, { para: mailOf('tecnico') }, admin), 409, 'DUPLICATE');
      expectProblem(await handOver(mailOf('nobody'), { para: mailOf('docente') }, admin), 404, 'NOT_FOUND');
      expect(fieldsOf(await handOver(mailOf('docente'), { para: mailOf('tecnico') }, admin))).toEqual([
        'email',
      ]);
      expect(await holders(email)).toHaveLength(2);
    });

    it('an account that nobody holds with level 3 alone, also if it has a password', async () => {
      const email = await account({ senha: 'a password of the office' });
      const body = { para: mailOf('discente') };
      expectProblem(await handOver(email, body, await level('docente', 2)), 403, 'FORBIDDEN');
      expect((await handOver(email, body, await level('docente', 3))).status).toBe(200);
      expect(await holders(email)).toEqual([mailOf('discente')]);
      expect(fieldsOf(await handOver(await account(), { ...body, de: mailOf('docente') }, admin))).toEqual([
        'de',
      ]);
    });

    it('an account by two of its holders at once to one of both people', async () => {
      const email = await account({ responsaveis: ['docente'] });
      const docente = await directory.service.as('docente');
      const answers = await Promise.all(
        ['discente', 'tecnico'].map(usuario => handOver(email, { para: mailOf(usuario) }, docente)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await holders(email)).toHaveLength(1);
    });
  });

  it('takes the accounts of somebody who is dismissed', async () => {
    const [alone, shared] = [
      await account({ responsaveis: ['sergio.nunes'] }),
      await account({ responsaveis: ['sergio.nunes', 'admin'] }),
    ];
    const [[id]] = (await directory.service.sql(`select id from pessoa where usuario = 'sergio.nunes'`)) as [
      [number],
    ];
    const { status, body } = await admin.delete(`/permissoes/pessoas/${id}`);
    expect(status).toBe(200);
    const emails = body.contas_gerenciais.map((one: { email: string }) => one.email);
    expect(emails).toEqual(expect.arrayContaining([alone, shared]));
    expect((await entry(alone))['responsaveis']).toEqual([]);
    expect((await entry(shared))['responsaveis']).toMatchObject([{ email: mailOf('admin') }]);
    const given = [
      await put(mailOf('sergio.nunes'), { adicionarContaGerencialCvr: alone }, { cvr: await newCode(alone) }),
      await admin.put(`/institucional/contas-gerenciais/${shared}`, { para: mailOf('sergio.nunes') }),
    ];
    expect(given.map(({ status }) => status)).toEqual([422, 422]);
    expect(given.map(fieldsOf)).toEqual([['email'], ['para']]);
    expect((await entry(alone))['responsaveis']).toEqual([]);
  });

  describe('asks for', () => {
    it('one act, with the fields that it needs', async () => {
      const email = mailOf('dep.fisica');
      const fields = async (query: Record<string, string>, body?: object) => {
        const answer = await put(email, query, body);
        expectProblem(answer, 422, 'VALIDATION_FAILED');
        return fieldsOf(answer);
      };
      expect(await fields({})).toEqual(['']);
      expect(await fields({}, {})).toEqual(['']);
      expect(await fields({ editarContasGerenciais: 'true' })).toEqual(['']);
      expect(await fields({ gerarCodigoCvr: 'false', editarContasGerenciais: 'false' })).toEqual(['']);
      expect(await fields({ adicionarContaGerencialCvr: email })).toEqual(['cvr']);
      expect(await fields({ adicionarContaGerencialSenha: email }, { cvr: 'x' })).toEqual([
        'senha',
        'adicionarContaGerencialCvr',
      ]);
      expect(await fields({}, { senha: 'x' })).toEqual(['adicionarContaGerencialSenha']);
      expect(await fields({ gerarCodigoCvr: 'true', suspenderConta: 'true' })).toEqual(['suspenderConta']);
      expect(
        await fields(
          { adicionarContaGerencialCvr: email, adicionarContaGerencialSenha: email },
          { cvr: 'x', senha: 'x' },
        ),
      ).toEqual(['adicionarContaGerencialSenha']);
    });

    it('flags in the query alone', async () => {
      const email = await account();
      const inBody = await put(
        email,
        {},
        { gerarCodigoCvr: true, gerar_codigo_cvr: true, suspenderConta: 'true' },
      );
      expect(fieldsOf(inBody)).toEqual(['gerarCodigoCvr', 'suspenderConta']);
      expect(fieldsOf(await put(email, { gerarCodigoCvr: 'maybe' }))).toEqual(['gerarCodigoCvr']);
    });

    it('level 2 for own entries and accounts, and level 3 for those of others', async () => {
      const own = await account({ responsaveis: ['docente'] });
      const others = await account({ senha: 'a password of the office' });
      const senha = 'a password of the office';
      const attach = (usuario: string, client: Client) =>
        put(mailOf(usuario), { adicionarContaGerencialSenha: others }, { senha }, client);
      const suspend = (email: string, client: Client) => put(email, { suspenderConta: 'false' }, {}, client);
      const reader = await level('docente', 1);
      expectProblem(await suspend(own, reader), 403, 'FORBIDDEN');
      const writer = await level('docente', 2);
      expect((await suspend(own, writer)).status).toBe(200);
      for (const email of [others, mailOf('tecnico'), mailOf('nobody')])
        expectProblem(await suspend(email, writer), 403, 'FORBIDDEN');
      expectProblem(await attach('tecnico', writer), 403, 'FORBIDDEN');
      expect((await attach('docente', writer)).status).toBe(200);
      const manager = await level('docente', 3);
      expect((await attach('tecnico', manager)).status).toBe(200);
      expect((await suspend(await account(), manager)).status).toBe(200);
    });
  });

  it('has a mutation for each act, and the same rules in GraphQL', async () => {
    const email = await account();
    const withPassword = await account({ senha: 'a password of the office' });
    const run = async (mutation: string) => {
      const { data, errors } = await admin.graphql(`mutation { result: ${mutation} }`);
      return errors?.[0]?.extensions.code ?? data.result;
    };
    expect(await run(`suspenderContaGerencial(email: "${email}") { suspensa }`)).toEqual({ suspensa: true });
    expect(await run(`gerarCodigoCvr(email: "${email}") { codigo }`)).toBe('INVALID_STATE');
    expect(await run(`reativarContaGerencial(email: "${email}") { suspensa }`)).toEqual({ suspensa: false });
    expect(
      await run(`editarContaGerencial(email: "${email}", input: { descricao: "Nova" }) { descricao }`),
    ).toEqual({ descricao: 'Nova' });
    const { codigo } = await run(`gerarCodigoCvr(email: "${email}") { codigo expiraEm }`);
    const person = mailOf('almoxarife');
    const byCode = `adicionarContaGerencialPorCvr(email: "${person}", conta: "${email}", cvr: "${codigo}")`;
    expect((await run(`${byCode} { contasGerenciais { email } }`)).contasGerenciais).toContainEqual({
      email,
    });
    const byPassword = (senha: string) =>
      `adicionarContaGerencialPorSenha(email: "${person}", conta: "${withPassword}", senha: "${senha}") { nome }`;
    expect(await run(byPassword('wrong'))).toBe('VALIDATION_FAILED');
    expect(await run(byPassword('a password of the office'))).toEqual({ nome: 'Antônio Ferraz Lima' });
    expect(await run(`gerarCodigoCvr(email: "${withPassword}") { codigo }`)).toBe('CONFLICT');
    expect(await run(`atualizarUsuarioDiretorio(email: "${email}") { nome }`)).toBe('VALIDATION_FAILED');
    expect(
      await run(`atualizarUsuarioDiretorio(email: "${email}", gerarCodigoCvr: true) { codigoCvr }`),
    ).toEqual({ codigoCvr: expect.any(String) });
  });
});
