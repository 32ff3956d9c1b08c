/** A person's entry on an LDAP server is the one that a login with their user name finds, whatever its addresses. */
import { randomUUID } from 'node:crypto';
import { Attribute, Change } from 'ldapts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { mailOf, onLdap } from './support/directories.ts';
import { hasSlapd, USERS_DN } from './support/ldap-server.ts';
import { makePerson, makeProfile, personOf } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';

const PATH = '/institucional/usuarios-ldap';
const PEOPLE = '/permissoes/pessoas';
const OTHER = 'ju@alunos.example';

describe.runIf(hasSlapd())('on an LDAP server', () => {
  let directory: Awaited<ReturnType<typeof onLdap>>;
  let admin: Client;
  const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;
  const dnOf = (usuario: string): string => `uid=${usuario},${USERS_DN}`;
  const setMail = (usuario: string, ...values: string[]): Promise<void> =>
    directory.server.asRoot(client =>
      client.modify(
        dnOf(usuario),
        new Change({ operation: 'replace', modification: new Attribute({ type: 'mail', values }) }),
      ),
    );
  const account = (...responsaveis: string[]): Promise<string> =>
    directory.addAccount(unique('conta'), { nome: 'Conta', responsaveis });
  const handOver = (email: string, body: object, client = admin): Promise<Answer> =>
    client.put(`/institucional/contas-gerenciais/${email}`, body);
  const dismiss = async (usuario: string): Promise<Answer> =>
    admin.delete(`${PEOPLE}/${await personOf(directory.service, usuario)}`);
  const holdersOf = async (email: string): Promise<string[]> =>
    (await admin.get(`${PATH}/${email}`)).body.responsaveis.map((one: { email: string }) => one.email);
  /** Somebody with an entry there who is also a person of the service. */
  const somebody = async (...mail: string[]): Promise<string> => {
    const usuario = unique('alguem');
    await directory.server.add(USERS_DN, usuario, { mail: mail.length > 0 ? mail : mailOf(usuario) });
    await makePerson(directory.service, usuario);
    return usuario;
  };

  beforeAll(async () => {
    directory = await onLdap();
    admin = await directory.service.as('admin');
  });
  afterAll(() => directory?.stop());

  describe('somebody with two addresses, of which the service knows the second one', () => {
    let conta: string;
    let discente: Client;
    beforeAll(async () => {
      await setMail('discente', OTHER, mailOf('discente'));
      conta = await account('discente');
      discente = await directory.service.as('discente');
    });

    it('is called by their social name, at that address, alone, in lists and as a holder', async () => {
      const ju = { nome: 'Ju Conceição', email: mailOf('discente') };
      for (const address of [OTHER, mailOf('discente')])
        for (const client of [admin, discente])
          expect((await client.get(`${PATH}/${address}`)).body).toMatchObject(ju);
      const list = (await admin.get(PATH)).body.data;
      expect(list.filter(({ nome }: typeof ju) => nome.includes('Conceição'))).toMatchObject([ju]);
      expect(list.find(({ email }: typeof ju) => email === conta).responsaveis).toEqual([ju]);
      expect((await admin.get(`${PATH}/${conta}`)).body.responsaveis).toEqual([ju]);
      const { data } = await discente.graphql('{ usuariosDiretorio { data { nome email } } }');
      expect(data.usuariosDiretorio.data).toEqual([ju]);
    });

    it('sees the accounts that they hold, and hands them over, without a level', async () => {
      const held = (await discente.get(`${PATH}?retornarContasGerenciais=true`)).body.data;
      expect(held.map(({ email }: { email: string }) => email)).toContain(conta);
      expect((await discente.get(`${PATH}/${conta}`)).status).toBe(200);
      const { data } = await discente.graphql(`{ usuarioDiretorio(email: "${conta}") { email } }`);
      expect(data.usuarioDiretorio).toEqual({ email: conta });
      expect((await handOver(conta, { para: mailOf('docente') }, discente)).status).toBe(200);
      expect(await holdersOf(conta)).toEqual([mailOf('docente')]);
    });

    it('is the same holder under either address', async () => {
      const email = await account('discente', 'admin');
      for (const para of [OTHER, mailOf('discente')])
        expectProblem(await handOver(email, { para }), 409, 'DUPLICATE');
      const given = await handOver(email, { de: mailOf('discente'), para: mailOf('docente') });
      expect(given.status).toBe(200);
    });
  });

  it('somebody who was dismissed gets no account at any of their addresses', async () => {
    const [gone, alias] = [unique('alguem'), `${unique('apelido')}@alunos.example`];
    await directory.server.add(USERS_DN, gone, { mail: [alias, mailOf(gone)] });
    await makePerson(directory.service, gone);
    const held = await account(gone);
    const { status, body } = await dismiss(gone);
    expect({ status, contas: body.contas_gerenciais.map((one: { email: string }) => one.email) }).toEqual({
      status: 200,
      contas: [held],
    });
    const email = await account('tecnico');
    for (const para of [alias, mailOf(gone)]) {
      const answer = await handOver(email, { para });
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual(['para']);
    }
    const { cvr } = (await admin.put(`${PATH}/${email}?gerarCodigoCvr=true`)).body;
    expect(
      fieldsOf(await admin.put(`${PATH}/${alias}?adicionarContaGerencialCvr=${email}`, { cvr })),
    ).toEqual(['email']);
    expect(await holdersOf(email)).toEqual([mailOf('tecnico')]);
  });

  describe('a dismissal', () => {
    it('takes the accounts of somebody whose address has changed there', async () => {
      const usuario = await somebody(`${unique('novo')}@universidade.example`);
      const email = await account(usuario, 'tecnico');
      const { body } = await dismiss(usuario);
      expect(body).toMatchObject({ contas_gerenciais: [{ email }], entrada_diretorio: 'ENCONTRADA' });
      expect(await holdersOf(email)).toEqual([mailOf('tecnico')]);
    });

    it('says that there is no entry with the user name', async () => {
      const usuario = unique('local');
      const id = await makePerson(directory.service, usuario);
      const { data } = await admin.graphql(
        `mutation { desligarPessoa(id: ${id}) { entradaDiretorio contasGerenciais { email } } }`,
      );
      expect(data.desligarPessoa).toEqual({ entradaDiretorio: 'NAO_ENCONTRADA', contasGerenciais: [] });
    });

    it('takes nothing from an entry of which the person only has the address', async () => {
      const real = unique('reitora');
      await directory.server.add(USERS_DN, real, { mail: mailOf(real) });
      const email = await account(real);
      const other = unique('laranja');
      await makePerson(directory.service, other);
      await directory.service.sql('update pessoa set email = $1 where usuario = $2', [mailOf(real), other]);
      expect((await dismiss(other)).body).toMatchObject({
        contas_gerenciais: [],
        entrada_diretorio: 'NAO_ENCONTRADA',
      });
      expect(await holdersOf(email)).toEqual([mailOf(real)]);
      expect((await handOver(await account('tecnico'), { para: mailOf(real) })).status).toBe(200);
    });
  });

  it('an address alone makes no entry the caller’s own', async () => {
    const real = unique('reitora');
    await directory.server.add(USERS_DN, real, { mail: mailOf(real), employeeType: '12345678909' });
    const email = await account(real);
    await directory.service.sql(`update pessoa set email = $1 where usuario = 'almoxarife'`, [mailOf(real)]);
    const client = await directory.service.as('almoxarife');
    try {
      for (const path of [PATH, `${PATH}?retornarContasGerenciais=true`]) {
        const addresses = (await client.get(path)).body.data.map((one: { email: string }) => one.email);
        expect(addresses).not.toContain(mailOf(real));
        expect(addresses).not.toContain(email);
      }
      expectProblem(await client.get(`${PATH}/${mailOf(real)}`), 403, 'FORBIDDEN');
      expectProblem(await client.get(`${PATH}/${email}`), 403, 'FORBIDDEN');
      expectProblem(await handOver(email, { para: mailOf('tecnico') }, client), 403, 'FORBIDDEN');
    } finally {
      await directory.service.sql(`update pessoa set email = $1 where usuario = 'almoxarife'`, [
        mailOf('almoxarife'),
      ]);
    }
  });

  describe('an admission', () => {
    let id_perfil: number;
    beforeAll(async () => {
      id_perfil = await makeProfile(directory.service, {});
    });
    const admit = (body: object): Promise<Answer> =>
      admin.post(PEOPLE, { nome_civil: 'Nome Civil', id_perfil, ...body });

    it('is refused with an address of another entry, be it a person or an account', async () => {
      const [real, alias] = [unique('reitora'), `${unique('apelido')}@universidade.example`];
      await directory.server.add(USERS_DN, real, { mail: [mailOf(real), alias] });
      const own = unique('nova');
      await directory.server.add(USERS_DN, own, { mail: mailOf(own) });
      for (const email of [mailOf(real), alias.toUpperCase(), await account(real)])
        for (const usuario of [own, unique('ninguem')]) {
          const answer = await admit({ usuario, email });
          expectProblem(answer, 422, 'VALIDATION_FAILED');
          expect(fieldsOf(answer)).toEqual(['email']);
        }
      const input = `usuario: "${own}", nomeCivil: "Nova", email: "${alias}", idPerfil: ${id_perfil}`;
      const { errors } = await admin.graphql(`mutation { admitirPessoa(input: { ${input} }) { id } }`);
      expect(errors![0]!.extensions).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ field: 'email' }],
      });
      expect((await admit({ usuario: real, email: alias })).status).toBe(201);
    });

    it('is refused under another name of an entry that is a person already', async () => {
      const [first, alias] = [unique('primeira'), `${unique('apelido')}@universidade.example`];
      await directory.server.add(USERS_DN, first, { mail: [mailOf(first), alias] });
      expect((await admit({ usuario: first, email: mailOf(first) })).status).toBe(201);
      const again = await admit({ usuario: alias, email: alias });
      expectProblem(again, 409, 'DUPLICATE');
      expect(fieldsOf(again)).toEqual(['usuario']);
      expect((await admit({ usuario: first, email: mailOf(first) })).status).toBe(201);
    });

    it('under two names of one entry at once succeeds once', async () => {
      const [first, alias] = [unique('primeira'), `${unique('apelido')}@universidade.example`];
      await directory.server.add(USERS_DN, first, { mail: [mailOf(first), alias] });
      const answers = await Promise.all([
        admit({ usuario: first, email: mailOf(first) }),
        admit({ usuario: alias, email: alias }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    });
  });

  describe('an account whose holders have left the directory', () => {
    it('is handed over with level 3 alone, and whoever gets their user name next does not hold it', async () => {
      const [gone, tecnico] = [unique('saiu'), await directory.service.as('tecnico')];
      const dn = await directory.server.add(USERS_DN, gone, { mail: mailOf(gone) });
      const email = await directory.addAccount(unique('conta'), {
        nome: 'Conta',
        responsaveis: [gone],
        senha: 'a password of the office',
      });
      await directory.server.asRoot(client => client.del(dn));
      expectProblem(await handOver(email, { para: mailOf('tecnico') }, tecnico), 403, 'FORBIDDEN');
      expect(fieldsOf(await handOver(email, { de: mailOf(gone), para: mailOf('tecnico') }))).toEqual(['de']);
      expect((await handOver(email, { para: mailOf('tecnico') })).status).toBe(200);
      await directory.server.add(USERS_DN, gone, { mail: mailOf(gone) });
      expect(await holdersOf(email)).toEqual([mailOf('tecnico')]);
    });
  });
});
