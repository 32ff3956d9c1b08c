import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { area, makeWorld } from './support/administration.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { grant, makePerson } from './support/permissions.ts';
import { useImports } from './support/imports.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load } = useImports(service);
const DIRECTORY = '/institucional/usuarios-ldap';
const LABORATORIES = '/almoxarifadoquimicos/responsaveis-laboratorio';
const mailOf = (user: string): string => `${user}@universidade.example`;
const sql = (text: string, values: unknown[] = []) => service().sql(text, values);

let admin: Client;
beforeAll(async () => {
  admin = await service().as('admin');
});

async function somebody(): Promise<{ id: number; usuario: string }> {
  const usuario = `alguem-${randomUUID().slice(0, 8)}`;
  return { id: await makePerson(service(), usuario), usuario };
}
const dismiss = ({ id }: { id: number }): Promise<Answer> => admin.delete(`${area}/pessoas/${id}`);
async function dismissed() {
  const person = await somebody();
  expect((await dismiss(person)).status).toBe(200);
  return person;
}

/** A new managerial account with these holders. Returns its address. */
async function account(...holders: { usuario: string }[]): Promise<string> {
  const email = mailOf(`conta-${randomUUID().slice(0, 8)}`);
  await importAccount(email, ...holders);
  return email;
}
const importAccount = async (email: string, ...holders: { usuario: string }[]) =>
  load(
    'contas-gerenciais',
    await file(`email;nome;responsaveis\n${email};Conta;"${holders.map(one => one.usuario).join(',')}"`),
  );
const codeOf = async (email: string): Promise<string> =>
  (await admin.put(`${DIRECTORY}/${email}?gerarCodigoCvr=true`, {})).body.codigo_cvr;
const attach = ({ usuario }: { usuario: string }, email: string, cvr: string): Promise<Answer> =>
  admin.put(`${DIRECTORY}/${mailOf(usuario)}?adicionarContaGerencialCvr=${email}`, { cvr });
const holdersOf = async (email: string): Promise<unknown[]> =>
  (
    await sql(
      `select p.usuario from responsavel_conta r join conta_gerencial c on c.id = r.id_conta
       join pessoa p on p.id = r.id_pessoa where c.email = $1 order by 1`,
      [email],
    )
  ).flat();

describe('somebody who was dismissed', () => {
  it('gets no profile, neither a new one nor one that was taken from them', async () => {
    const { idPerfil, vazio } = await makeWorld(service());
    const person = await somebody();
    const given = await admin.post(`${area}/permissoes`, { id_pessoa: person.id, id_perfil: idPerfil });
    await dismiss(person);
    for (const id_perfil of [idPerfil, vazio]) {
      const answer = await admin.post(`${area}/permissoes`, { id_pessoa: person.id, id_perfil });
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual(['id_pessoa']);
    }
    const again = { id_pessoa: person.id, id_perfil: idPerfil, situacao: 'A' };
    expectProblem(await admin.put(`${area}/permissoes/${given.body.id}`, again), 422, 'VALIDATION_FAILED');
    expect((await sql(`select situacao from permissao where id_pessoa = $1`, [person.id])).flat()).toEqual([
      'I',
    ]);
  });

  it('becomes manager of no laboratory, by request or by import, but their past terms are kept', async () => {
    const { id, usuario } = await dismissed();
    const [[idLocal, sigla]] = (await sql(
      'select id, sigla from local where sigla is not null order by id limit 1',
    )) as [[number, string]];
    const answer = await admin.post(LABORATORIES, { id_local: idLocal, id_pessoa: id });
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['id_pessoa']);
    const terms = async (fim: string) =>
      load(
        'responsaveis-laboratorio',
        await file(`local_sigla;pessoa_usuario;data_inicio;data_fim\n${sigla};${usuario};2020-01-01;${fim}`),
      );
    await expect(terms('')).rejects.toThrow('expected an active person, or a period that has ended');
    await expect(terms('2999-12-31')).rejects.toThrow('expected an active person');
    expect(await terms('2020-12-31')).toMatchObject({ created: 1 });
    const withoutEnd = await file(`local_sigla;pessoa_usuario;data_inicio\n${sigla};${usuario};2021-01-01`);
    await expect(load('responsaveis-laboratorio', withoutEnd)).rejects.toThrow('expected an active person');
    const [[term]] = (await sql('select id from responsavel_laboratorio where id_pessoa = $1', [id])) as [
      [number],
    ];
    const change = (data_fim: string | null) => admin.put(`${LABORATORIES}/${term}`, { data_fim });
    for (const lasts of [null, '2999-12-31']) expect(fieldsOf(await change(lasts))).toEqual(['data_fim']);
    expect((await change('2020-11-30')).status).toBe(200);
  });

  it('does not become holder of a managerial account, by code, from another holder or by import', async () => {
    const [gone, holder] = [await dismissed(), await somebody()];
    const email = await account(holder);
    const answer = await attach(gone, email, await codeOf(email));
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['email']);
    const handed = await admin.put(`/institucional/contas-gerenciais/${email}`, {
      para: mailOf(gone.usuario),
    });
    expect([handed.status, fieldsOf(handed)]).toEqual([422, ['para']]);
    await expect(importAccount(email, holder, gone)).rejects.toThrow(
      `expected active people, besides those who hold the account already, found "${holder.usuario}, ${gone.usuario}"`,
    );
    expect(await holdersOf(email)).toEqual([holder.usuario]);
  });

  it('holds no account afterwards, whoever attaches one at the same time', async () => {
    for (let i = 0; i < 8; i++) {
      const person = await somebody();
      const email = await account();
      const cvr = await codeOf(email);
      const [ended, attached] = await Promise.all([dismiss(person), attach(person, email, cvr)]);
      expect(ended.status).toBe(200);
      expect([200, 422]).toContain(attached.status);
      expect(await holdersOf(email)).toEqual([]);
    }
  });
});

it('somebody whose address is also that of an account loses no account of whom it belongs to', async () => {
  const [person, holder] = [await somebody(), await somebody()];
  const email = await account(holder);
  // As in a database from before this was refused.
  await sql('alter table conta_gerencial disable trigger user');
  await sql(
    `insert into conta_gerencial (id, email, nome) overriding system value values ($1, $2, ' Before the person')`,
    [holder.id, mailOf(person.usuario)],
  );
  await sql('alter table conta_gerencial enable trigger user');
  const { status, body } = await dismiss(person);
  expect([status, body.contas_gerenciais]).toEqual([200, []]);
  expect(await holdersOf(email)).toEqual([holder.usuario]);
});

/** Statements that wait for a row. */
const LOCK_WAITS = `select pid from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'`;

it('somebody who logs in during their dismissal is out, also after they come back', async () => {
  const person = await somebody();
  const { idPerfil } = await makeWorld(service());
  await admin.post(`${area}/permissoes`, { id_pessoa: person.id, id_perfil: idPerfil });
  const password = 'a long enough password';
  const desk = admin.with(systemHeaders);
  await desk.put('/auth/senha', { username: person.usuario, password });
  let ended!: Promise<Answer>;
  let client!: Client;
  await service()
    .services.orm.em.fork()
    .transactional(async em => {
      await em.execute('select from permissao where id_pessoa = ? for update', [person.id]);
      ended = dismiss(person);
      await eventually(async () => expect(await sql(LOCK_WAITS)).toHaveLength(1));
      client = await service().anyone.login(person.usuario, password);
      expect((await client.get('/permissoes/autenticacoes')).status).toBe(200);
    });
  expect((await ended).body.sessoes).toBe(1);
  await admin.post(`${area}/pessoas`, { id_pessoa: person.id, id_perfil: idPerfil });
  expectProblem(await client.get('/permissoes/autenticacoes'), 401, 'UNAUTHENTICATED');
});

it('an import gives no profile to somebody who was dismissed, unless it makes them active', async () => {
  const { usuario } = await dismissed();
  await sql('update pessoa set nome_civil = coalesce(nome_civil, nome) where usuario = $1', [usuario]);
  const people = async (headers: string, cells: string) =>
    load(
      'pessoas',
      await file(
        `usuario;nome;email;perfil${headers}\n${usuario};${usuario};${mailOf(usuario)};Administrador${cells}`,
      ),
    );
  for (const [headers, cells] of [
    ['', ''],
    [';situacao', ';I'],
  ] as const)
    await expect(people(headers, cells)).rejects.toThrow(
      'expected no profile for a person whose situacao is I',
    );
  expect(
    (
      await sql(
        `select a.situacao from acesso_ambiente a join pessoa p on p.id = a.id_pessoa where usuario = $1`,
        [usuario],
      )
    ).flat(),
  ).toEqual(['I']);
  expect(await people(';situacao', ';A')).toMatchObject({ changed: 1 });
});

describe('the code of a managerial account', () => {
  it('ends when an import takes the account from a holder, and not when it leaves all of them', async () => {
    const [holder, other] = [await somebody(), await somebody()];
    const email = await account(holder);
    const kept = await codeOf(email);
    await importAccount(email, holder, other);
    await load('contas-gerenciais', await file(`email;nome\n${email};Outro nome`));
    const next = await somebody();
    expect((await attach(next, email, kept)).status).toBe(200);
    const known = await codeOf(email);
    await importAccount(email, other);
    expect(fieldsOf(await attach(holder, email, known))).toEqual(['cvr']);
    expect(await holdersOf(email)).toEqual([other.usuario]);
  });

  it('ends when an import suspends the account, also when it may be used again', async () => {
    const email = await account();
    const [known, other] = [await codeOf(email), await account()];
    const kept = await codeOf(other);
    for (const suspensa of ['S', 'N'])
      await load(
        'contas-gerenciais',
        await file(`email;nome;suspensa\n${email};Conta;${suspensa}\n${other};Conta;N`),
      );
    expect(fieldsOf(await attach(await somebody(), email, known))).toEqual(['cvr']);
    expect((await attach(await somebody(), other, kept)).status).toBe(200);
  });

  it('ends when an import says that a holder has left', async () => {
    const holder = await somebody();
    const email = await account(holder);
    const known = await codeOf(email);
    const row = `${holder.usuario};${holder.usuario};${mailOf(holder.usuario)};I`;
    await load('pessoas', await file(`usuario;nome;email;situacao\n${row}`));
    expect(fieldsOf(await attach(await somebody(), email, known))).toEqual(['cvr']);
    // A file with all people is imported every night.
    const next = await codeOf(email);
    await load('pessoas', await file(`usuario;nome;email;situacao\n${row}`));
    expect((await attach(await somebody(), email, next)).status).toBe(200);
  });
});

it('a help desk that may take profiles away cannot take over whom it took them from', async () => {
  const { idPerfil } = await makeWorld(service());
  const person = await somebody();
  const { body } = await admin.post(`${area}/permissoes`, { id_pessoa: person.id, id_perfil: idPerfil });
  const undo = [
    await grant(service(), 'tecnico', { controller: 'auth/senha', nivel: 3 }),
    await grant(service(), 'tecnico', { controller: 'permissoes/permissoes', nivel: 2 }),
  ];
  const desk = (await service().as('tecnico')).with({ 'app-name': 'SII', 'api-key': 'sii-demo-key' });
  const reset = () =>
    desk.put('/auth/senha', { username: person.usuario, password: 'taken over by somebody' });
  expect((await reset()).status).toBe(403);
  expect((await desk.delete(`${area}/permissoes/${body.id}`)).status).toBe(200);
  expectProblem(await reset(), 403, 'FORBIDDEN');
  for (const back of undo) await back();
});
