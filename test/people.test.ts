import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { everything, hold, makeCaller, makeWorld } from './support/administration.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { graphqlFace, restFace, type Face } from './support/faces.ts';
import { makePerson, makeProfile, makeSession, personOf, type ProfileItem } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const PATH = '/permissoes/pessoas';
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);
const unique = (word: string): string => `${word}-${randomUUID().slice(0, 8)}`;

let admin: Client;
let faces: [string, Face][];

beforeAll(async () => {
  admin = await service().as('admin');
  const schema = await createSchema();
  faces = [
    ['REST', restFace(admin)],
    ['GraphQL', graphqlFace(admin, schema)],
  ];
});

/** A person who may give and end access, and manages the controllers of these items. */
const doorkeeper = (...more: { controller: string; nivel: number }[]) =>
  makeCaller(service(), [
    { controller: 'permissoes/acesso-ambiente', nivel: 3 },
    { controller: 'permissoes/permissoes', nivel: 2 },
    ...more,
  ]);

describe('the list of people', () => {
  it('finds them by either name, and orders them by the one by which they are called', async () => {
    for (const [, face] of faces)
      for (const nome of ['ju conceicao', 'julia araujo']) {
        const page = await face.call(`GET ${PATH}`, { query: { nome } });
        expect(page.data).toMatchObject([
          {
            nome: 'Ju Conceição',
            nome_civil: 'Júlia Araújo Conceição',
            nome_social: 'Ju Conceição',
            usuario: 'discente',
            acesso: 'A',
          },
        ]);
      }
    const { body } = await admin.get(`${PATH}?itemsPerPage=1000`);
    const names = body.data.map(({ nome }: { nome: string }) => nome);
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b, 'pt-BR')));
    expect(body.total).toBe((await sql('select count(*)::int from pessoa'))[0]![0]);
  });

  it('comes in pages, and finds one by user name, address or CPF', async () => {
    const [[cpf]] = (await sql(`select cpf from pessoa where usuario = 'docente'`)) as [[string]];
    const written = cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
    for (const query of ['usuario=Docente', 'email=DOCENTE@universidade.example', `cpf=${written}`])
      expect((await admin.get(`${PATH}?${query}`)).body.data).toMatchObject([{ usuario: 'docente', cpf }]);
    const pages = await Promise.all(
      [1, 2].map(async page => (await admin.get(`${PATH}?itemsPerPage=2&page=${page}`)).body.data),
    );
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(4);
    const { data } = await admin.graphql(
      `{ pessoas(filter: { acesso: { eq: INATIVO }, pessoa: { permissoes: { none: {} } } }) { data { acesso } } }`,
    );
    expect(data.pessoas.data.length).toBeGreaterThan(0);
  });

  it('has only oneself for a person without level 1 on the access to the environment', async () => {
    const discente = await service().as('discente');
    const id = await personOf(service(), 'discente');
    const other = await personOf(service(), 'docente');
    expect((await discente.get(PATH)).body).toMatchObject({ total: 1, data: [{ id, usuario: 'discente' }] });
    expect((await discente.get(`${PATH}?nome=caio`)).body.total).toBe(0);
    expect((await discente.get(`${PATH}/${id}`)).body.nome_civil).toBe('Júlia Araújo Conceição');
    for (const hidden of [other, 999_999])
      expectProblem(await discente.get(`${PATH}/${hidden}`), 403, 'FORBIDDEN');
    expectProblem(await admin.get(`${PATH}/999999`), 404, 'NOT_FOUND');
    const { client } = await makeCaller(service(), [{ controller: 'permissoes/acesso-ambiente', nivel: 1 }]);
    expect((await client.get(`${PATH}/${other}`)).body.usuario).toBe('docente');
  });
});

const newcomer = () => {
  const usuario = unique('nova');
  return { usuario, nome_civil: 'Nome Civil', nome_social: 'Nome Social', email: `${usuario}@x.example` };
};

describe('an admission', () => {
  it('creates a person who may log in with a profile, in one act on both faces', async () => {
    const perfil = await makeProfile(service(), {
      nome: 'Consulta',
      itens: [{ controller: 'almoxarifadoquimicos/materiais', nivel: 1 }],
    });
    for (const [, face] of faces) {
      const body = { ...newcomer(), id_perfil: perfil, cpf: '' };
      const person = await face.call(`POST ${PATH}`, { body });
      const { usuario, nome_civil, nome_social, email } = body;
      expect(person).toMatchObject({
        usuario,
        nome: nome_social,
        nome_civil,
        email,
        acesso: 'A',
        situacao: 'A',
      });
      const password = 'a long enough password';
      await admin.with(systemHeaders).put('/auth/senha', { username: usuario, password });
      const client = await service().anyone.login(usuario, password);
      expect((await client.get('/almoxarifadoquimicos/materiais?pagination=true')).status).toBe(200);
      expect((await client.get('/permissoes/permissoes')).body.data).toMatchObject([{ id_perfil: perfil }]);
    }
  });

  it('can be sent again, and brings back somebody who left', async () => {
    const perfil = await makeProfile(service(), {});
    const body = { ...newcomer(), id_perfil: perfil };
    const first = await admin.post(PATH, body);
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`${PATH}/${first.body.id}`);
    const trail = async () => (await sql('select count(*)::int from auditoria'))[0]![0];
    const before = await trail();
    expect((await admin.post(PATH, body)).body).toEqual(first.body);
    expect(await trail()).toBe(before);
    expect((await admin.delete(`${PATH}/${first.body.id}`)).status).toBe(200);
    expect((await admin.get(`${PATH}/${first.body.id}`)).body).toMatchObject({ situacao: 'I', acesso: 'I' });
    const back = await admin.post(PATH, { id_pessoa: first.body.id, id_perfil: perfil });
    expect(back.body).toMatchObject({ situacao: 'A', acesso: 'A' });
  });

  it('names everything that is wrong with it', async () => {
    const perfil = await makeProfile(service(), {});
    const fields = async (body: object) => {
      const answer = await admin.post(PATH, body);
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      return fieldsOf(answer);
    };
    expect(await fields({ id_perfil: perfil })).toEqual(['usuario', 'nome_civil', 'email']);
    expect(await fields({ ...newcomer(), id_perfil: perfil, email: 'x', cpf: '123' })).toEqual([
      'email',
      'cpf',
    ]);
    expect(await fields({ ...newcomer(), id_perfil: perfil, id_pessoa: 1 })).toHaveLength(4);
    expect(await fields({ id_perfil: perfil, id_pessoa: 999_999 })).toEqual(['id_pessoa']);
    expect(await fields({ ...newcomer(), id_perfil: 999_999 })).toEqual(['id_perfil']);
    // The shape of such a text would take minutes to check.
    const endless = `a@${'.'.repeat(500_000)}@`;
    expect(await fields({ ...newcomer(), id_perfil: perfil, email: endless })).toContain('email');
    const held = { ...newcomer(), email: 'reitoria@universidade.example', id_perfil: perfil };
    expect(await fields(held)).toEqual(['email']);
    for (const taken of [{ usuario: 'docente' }, { email: 'docente@universidade.example' }])
      expectProblem(await admin.post(PATH, { ...newcomer(), ...taken, id_perfil: perfil }), 409, 'DUPLICATE');
  });

  it('gives nothing that the caller does not manage, and leaves nothing then', async () => {
    const { sigla, idPerfil } = await makeWorld(service());
    const clerk = await doorkeeper();
    const body = { ...newcomer(), id_perfil: idPerfil };
    expectProblem(await clerk.client.post(PATH, body), 403, 'FORBIDDEN');
    expectProblem(
      await clerk.client.post(PATH, { id_pessoa: clerk.idPessoa, id_perfil: idPerfil }),
      403,
      'FORBIDDEN',
    );
    expect(await sql('select id from pessoa where usuario = $1', [body.usuario])).toEqual([]);
    await hold(
      service(),
      clerk.idPessoa,
      await makeProfile(service(), { sistema: sigla, itens: [{ nivel: 3 }] }),
    );
    expect((await clerk.client.post(PATH, body)).status).toBe(201);
  });

  it('does not bring other profiles into effect that the caller does not manage', async () => {
    const clerk = await doorkeeper();
    const harmless = await makeProfile(service(), {});
    const usuario = unique('fora');
    const outside = await makePerson(service(), usuario);
    await hold(service(), outside, await makeProfile(service(), { itens: everything }));
    await sql(`update acesso_ambiente set situacao = 'I' where id_pessoa = $1`, [outside]);
    const admission = { id_pessoa: outside, id_perfil: harmless };
    expectProblem(await clerk.client.post(PATH, admission), 403, 'FORBIDDEN');
    expect((await admin.post(PATH, admission)).status).toBe(201);
    // After that, a further profile without permissions gives nothing more.
    const another = { id_pessoa: outside, id_perfil: await makeProfile(service(), {}) };
    expect((await clerk.client.post(PATH, another)).status).toBe(201);
  });

  it('needs level 2 on access and on permissions', async () => {
    const perfil = await makeProfile(service(), {});
    for (const controller of ['permissoes/acesso-ambiente', 'permissoes/permissoes']) {
      const { client } = await makeCaller(service(), [{ controller, nivel: 3 }]);
      expectProblem(await client.post(PATH, { ...newcomer(), id_perfil: perfil }), 403, 'FORBIDDEN');
    }
  });
});

/** Somebody with a session, a profile, terms as manager and a managerial account. */
async function employee(itens: readonly ProfileItem[]) {
  const [usuario, token, conta] = [unique('sai'), randomUUID(), `${unique('conta')}@x.example`];
  const id = await makePerson(service(), usuario);
  await makeSession(service(), id, token);
  const idPerfil = await makeProfile(service(), { nome: `Perfil ${usuario}`, itens, usuarios: [usuario] });
  return { id, usuario, token, idPerfil, conta };
}

async function charged(person: { id: number; conta: string }): Promise<void> {
  await sql(
    `insert into responsavel_laboratorio (id_local, id_pessoa, data_inicio, data_fim) values
       (1, $1, current_date - 10, null), (2, $1, current_date, null), (3, $1, current_date + 5, null),
       (2, $1, current_date - 20, current_date - 10)`,
    [person.id],
  );
  await sql(
    `with conta as (insert into conta_gerencial (email, nome) values ($1, 'Conta') returning id)
     insert into responsavel_conta (id_conta, id_pessoa) select id, $2 from conta`,
    [person.conta, person.id],
  );
}

describe('a dismissal', () => {
  it('ends everything at once, says what, and ends nothing twice, on both faces', async () => {
    for (const [, face] of faces) {
      const person = await employee([{ controller: 'almoxarifadoquimicos/materiais', nivel: 2 }]);
      await charged(person);
      const client = service().anyone.with({ token: person.token });
      expect((await client.get('/permissoes/permissoes')).status).toBe(200);
      const report = await face.call(`DELETE ${PATH}/{id}`, { keys: { id: person.id } });
      expect(report).toMatchObject({ id_pessoa: person.id, nome: person.usuario, acesso: true, sessoes: 1 });
      expect((await client.get('/permissoes/permissoes')).status).toBe(401);
      const [now] = await sql(
        `select p.situacao, a.situacao,
           (select count(*)::int from permissao m where m.id_pessoa = p.id and m.situacao = 'A'),
           (select count(*)::int from responsavel_laboratorio r where r.id_pessoa = p.id),
           (select bool_and(data_fim is not null and data_fim < current_date) from responsavel_laboratorio r
             where r.id_pessoa = p.id),
           (select count(*)::int from responsavel_conta c where c.id_pessoa = p.id)
         from pessoa p join acesso_ambiente a on a.id_pessoa = p.id where p.id = $1`,
        [person.id],
      );
      expect(now).toEqual(['I', 'I', 0, 2, true, 0]);
      expect(await face.call(`DELETE ${PATH}/{id}`, { keys: { id: person.id } })).toMatchObject({
        acesso: false,
        sessoes: 0,
      });
    }
  });

  it('names profiles, laboratories and accounts', async () => {
    const person = await employee([{ controller: 'almoxarifadoquimicos/materiais', nivel: 2 }]);
    await charged(person);
    const { body } = await admin.delete(`${PATH}/${person.id}`);
    expect(body.perfis).toEqual([{ id: person.idPerfil, nome: `Perfil ${person.usuario}` }]);
    expect(body.laboratorios).toHaveLength(3);
    expect(body.laboratorios[0]).toMatchObject({ id: expect.any(Number), nome: expect.any(String) });
    expect(body.contas_gerenciais).toEqual([{ email: person.conta, nome: 'Conta' }]);
    expect((await admin.delete(`${PATH}/${person.id}`)).body).toMatchObject({
      perfis: [],
      laboratorios: [],
      contas_gerenciais: [],
    });
  });

  it('ends the codes of the accounts, which the person may know', async () => {
    const person = await employee([]);
    await charged(person);
    const accounts = '/institucional/usuarios-ldap';
    const made = await admin.put(`${accounts}/${person.conta}?gerarCodigoCvr=true`);
    await admin.delete(`${PATH}/${person.id}`);
    const attach = `${accounts}/docente@universidade.example?adicionarContaGerencialCvr=${person.conta}`;
    expect(fieldsOf(await admin.put(attach, { cvr: made.body.codigo_cvr }))).toEqual(['cvr']);
  });

  it('takes level 3 on all that the person may do and holds, or changes nothing', async () => {
    const laboratories = 'almoxarifadoquimicos/responsaveis-laboratorio';
    const accounts = 'institucional/usuarios-ldap';
    const materials = 'almoxarifadoquimicos/materiais';
    const all = [laboratories, accounts, materials].map(controller => ({ controller, nivel: 3 }));
    const person = await employee([{ controller: materials, nivel: 2 }]);
    await charged(person);
    for (const missing of all) {
      const { client } = await doorkeeper(...all.filter(one => one !== missing));
      expectProblem(await client.delete(`${PATH}/${person.id}`), 403, 'FORBIDDEN');
    }
    const { client } = await makeCaller(service(), [
      ...all,
      { controller: 'permissoes/acesso-ambiente', nivel: 2 },
    ]);
    expectProblem(await client.delete(`${PATH}/${person.id}`), 403, 'FORBIDDEN');
    expect((await service().anyone.with({ token: person.token }).get('/permissoes/permissoes')).status).toBe(
      200,
    );
    expect((await (await doorkeeper(...all)).client.delete(`${PATH}/${person.id}`)).status).toBe(200);
  });

  it('is refused for the last administrator, and for nobody', async () => {
    const holders = await sql(
      `update permissao set situacao = 'I' where situacao = 'A' and id_perfil in (
         select id_perfil from perfil_recurso r join perfil_recurso_item i on i.id_perfil_recurso = r.id
         where i.id_controller is null and i.nivel = 3
       ) and id_pessoa <> (select id from pessoa where usuario = 'admin') returning id`,
    );
    const id = await personOf(service(), 'admin');
    expectProblem(await admin.delete(`${PATH}/${id}`), 409, 'CONFLICT');
    expect((await admin.get(`${PATH}/${id}`)).body).toMatchObject({ acesso: 'A', situacao: 'A' });
    expectProblem(await admin.delete(`${PATH}/999999`), 404, 'NOT_FOUND');
    await sql(`update permissao set situacao = 'A' where id = any($1)`, [holders.flat()]);
  });
});
