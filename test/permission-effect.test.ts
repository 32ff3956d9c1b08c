import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELD } from '../src/access/granted.ts';
import { active, area, inactive, items, makeCaller } from './support/administration.ts';
import { Client } from './support/client.ts';
import { addSystem, personOf } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
const MATERIAIS = 'almoxarifadoquimicos/materiais';
let second: TestService;
beforeAll(async () => {
  second = await startService({}, service());
});
afterAll(() => second.stop());

/** The error code for a token on both faces of both processes, if any. */
async function meets({ headers }: Client): Promise<(string | undefined)[]> {
  const clients = [service().url, second.url].map(url => new Client(url, headers));
  const faces = clients.flatMap(client => [
    client.get(`/${MATERIAIS}/1`).then(({ body }) => body.code as string | undefined),
    client.graphql('{ material(id: 1) { id } }').then(({ errors }) => errors?.[0]!.extensions.code),
  ]);
  return Promise.all(faces);
}
const everywhere = (code?: string) => [code, code, code, code];

/**
 * A person who may read materials, logged in through a separate system, with the ids of the records that give the
 * permission.
 */
async function reader(sigla: string) {
  await addSystem(service(), sigla, `${sigla}-key`);
  const { client, idPessoa, idPerfil, idPermissao } = await makeCaller(service(), [
    { controller: MATERIAIS, nivel: 1 },
  ]);
  const [row] = await service().sql(
    `select pr.id, i.id, i.id_controller, s.id, p.id_sistema, pr.id_recurso
     from perfil p join perfil_recurso pr on pr.id_perfil = p.id
     join perfil_recurso_item i on i.id_perfil_recurso = pr.id
     join sistema s on s.sigla = $2 where p.id = $1`,
    [idPerfil, sigla],
  );
  const [link, item, controller, caller, sistema, recurso] = row as number[];
  await service().sql('update sessao set id_sistema = $1 where id_pessoa = $2', [caller, idPessoa]);
  const records = {
    permission: [`${area}/permissoes/${idPermissao}`, { id_pessoa: idPessoa, id_perfil: idPerfil }],
    profile: [`${area}/perfis/${idPerfil}`, { nome: 'Leitor', id_sistema: sistema }],
    resource: [`${area}/recursos/${recurso}`, { nome: 'Materiais', id_sistema: sistema }],
    item: [`${items}/${item}`, { descricao: 'Ler', id_perfil_recurso: link }],
    controller: [`${area}/controllers/${controller}`, { nome: MATERIAIS, id_sistema: sistema }],
    'calling system': [`${area}/sistemas/${caller}`, { nome: sigla, sigla }],
  } as const;
  return { client, idPessoa, records };
}

describe('something that is inactivated', () => {
  let somebody: Awaited<ReturnType<typeof reader>>;
  beforeAll(async () => {
    somebody = await reader('APP');
  });

  it.each([
    ['permission', 'FORBIDDEN', undefined],
    ['profile', 'FORBIDDEN', undefined],
    ['resource', 'FORBIDDEN', undefined],
    ['item', 'FORBIDDEN', undefined],
    ['controller', 'FORBIDDEN', undefined],
    // Its sessions never become valid again.
    ['calling system', 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
  ] as const)(
    'as %s takes its rights away at the next request (%s), and when it is active again the code is %s',
    async (name, code, afterwards) => {
      const admin = await service().as('admin');
      const { client, records } = somebody;
      const [path, body] = records[name];
      expect(await meets(client)).toEqual(everywhere());
      expect((await admin.put(path, { ...body, ...inactive })).body.situacao).toBe('I');
      expect(await meets(client)).toEqual(everywhere(code));
      expect((await admin.put(path, { ...body, ...active })).body.situacao).toBe('A');
      expect(await meets(client)).toEqual(everywhere(afterwards));
    },
  );

  it('as the system of the profile gives no rights, and gives them again when it is active', async () => {
    const admin = await service().as('admin');
    const { body: sistema } = await admin.post(`${area}/sistemas`, { nome: 'Outro', sigla: 'OUTRO' });
    const { body: perfil } = await admin.post(`${area}/perfis`, { nome: 'Leitor', id_sistema: sistema.id });
    // A resource of this service, so that only the profile belongs to the other system.
    const { body: recurso } = await admin.post(`${area}/recursos`, { nome: 'Tudo', id_sistema: 1 });
    await admin.post(items, { descricao: 'Ler', id_perfil: perfil.id, id_recurso: recurso.id });
    const { client, idPessoa } = await makeCaller(service(), []);
    await admin.post(`${area}/permissoes`, { id_pessoa: idPessoa, id_perfil: perfil.id });
    const given = async () =>
      (await client.graphql('{ permissoesEfetivas { sistema } }')).data.permissoesEfetivas as object[];
    const set = (situacao: object) =>
      admin.put(`${area}/sistemas/${sistema.id}`, { nome: 'Outro', sigla: 'OUTRO', ...situacao });
    expect(await given()).toEqual([{ sistema: 'OUTRO' }]);
    await set(inactive);
    expect(await given()).toEqual([]);
    await set(active);
    expect(await given()).toEqual([{ sistema: 'OUTRO' }]);
  });
});

it('a right that was taken away shows nothing, whatever else the request asks or gets wrong', async () => {
  const admin = await service().as('admin');
  const { client, records } = await reader('OTHER');
  const codes = async (query: string, variables?: Record<string, unknown>): Promise<unknown> => {
    const { data, errors } = await client.graphql(query, variables);
    expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
    return errors!.map(error => error.extensions.code);
  };
  const several = '{ a: material(id: 1) { id } b: materiais { total } c: material(id: 2) { titulo } }';
  const wrong = 'query ($id: Int!) { material(id: $id) { id } }';
  await client.graphql(several);
  const [path, body] = records.item;
  await admin.put(path, { ...body, ...inactive });
  expect(await codes(several)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  await admin.put(path, { ...body, ...active });
  await client.graphql(several);
  await admin.put(path, { ...body, ...inactive });
  expect(await codes(wrong, { id: 'x' })).toEqual(['FORBIDDEN']);
  await admin.put(path, { ...body, ...active });
  await client.graphql(several);
  await admin.put(path, { ...body, ...inactive });
  expectProblem(await client.get('/almoxarifadoquimicos/materiais/1?inexistente=1'), 403, 'FORBIDDEN');
  expectProblem(await client.get('/almoxarifadoquimicos/materiais?export=true'), 403, 'FORBIDDEN');
});

describe('the access of a person', () => {
  it('that is taken away ends their sessions for good, and that is given again lets them log in', async () => {
    const admin = await service().as('admin');
    const idPessoa = await personOf(service(), 'tecnico');
    const before = await service().anyone.login('tecnico');
    expect(await meets(before)).toEqual(everywhere());
    expect((await admin.delete(`${area}/acesso-ambiente/${idPessoa}`)).body.situacao).toBe('I');
    expect(await meets(before)).toEqual(everywhere('UNAUTHENTICATED'));
    await expect(service().anyone.login('tecnico')).rejects.toThrow('401');
    const given = await admin.post(`${area}/acesso-ambiente`, { id_pessoa: idPessoa });
    expect(given.body.situacao).toBe('A');
    expect(await meets(before)).toEqual(everywhere('UNAUTHENTICATED'));
    expect(await meets(await service().anyone.login('tecnico'))).toEqual(everywhere());
  });

  it('cannot be taken from a person who never had it', async () => {
    expectProblem(
      await (await service().as('admin')).delete(`${area}/acesso-ambiente/999999`),
      404,
      'NOT_FOUND',
    );
  });
});

describe('the state of all permissions', () => {
  it('gets a new name by a change of any table from which levels are computed', async () => {
    await service().sql(`create view held as select * from ${HELD} held`);
    const tables = await service().sql(
      `select distinct d.refobjid::regclass::text, exists (
         select from pg_trigger t where t.tgrelid = d.refobjid and t.tgname = 'permissoes_mudaram' and t.tgenabled = 'O'
           -- after each statement that inserts, deletes, updates or truncates
           and t.tgtype = 4 + 8 + 16 + 32)
       from pg_rewrite r join pg_depend d on d.objid = r.oid
       where r.ev_class = 'held'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
       order by 1`,
    );
    await service().sql('drop view held');
    expect(tables).toEqual(
      [
        'controller',
        'perfil',
        'perfil_recurso',
        'perfil_recurso_item',
        'permissao',
        'recurso',
        'sistema',
      ].map(table => [table, true]),
    );
  });

  it('is not known by levels that a transaction computed and rolled back', async () => {
    const { client, idPessoa } = await makeCaller(service(), [{ controller: MATERIAIS, nivel: 1 }]);
    const session = () => service().services.sessions.find(client.headers['token']!);
    expect((await session())!.levels).toEqual({ [MATERIAIS]: 1 });
    const { orm, sessions } = service().services;
    const changed = orm.em.fork().transactional(async em => {
      await em.execute('update permissao set situacao = ? where id_pessoa = ?', ['I', idPessoa]);
      expect((await sessions.findIn(em, client.headers['token']!))!.levels).toEqual({});
      throw new Error('rolled back');
    });
    await expect(changed).rejects.toThrow('rolled back');
    expect((await session())!.levels).toEqual({ [MATERIAIS]: 1 });
    expect(await meets(client)).toEqual(everywhere());
  });
});
