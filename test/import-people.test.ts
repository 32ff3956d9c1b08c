import { afterEach, describe, expect, it } from 'vitest';
import type { EntryName } from '../src/directory/directory.ts';
import { takeTurn } from '../src/domain/administration.ts';
import { useImports } from './support/imports.ts';
import { lockWaits } from './support/lock-waits.ts';
import { eventually } from './support/process.ts';
import { useService } from './support/service.ts';

// Imports in the test's process have the time limits of requests, which a busy machine may exceed.
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load, run } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const person = (usuario: string, situacao: string): string =>
  `${usuario};Fulana;${usuario}@universidade.example;${situacao}`;
const people = (...rows: string[]): Promise<string> =>
  file(['usuario;nome;email;situacao', ...rows].join('\n'));
const giveAdministration = (usuario: string) =>
  sql(
    `insert into permissao (id_pessoa, id_perfil) select p.id, f.id from pessoa p, perfil f
     where p.usuario = $1 and f.nome = 'Administrador'`,
    [usuario],
  );

afterEach(async () => {
  await sql(`update pessoa set situacao = 'A' where usuario in ('admin', 'docente')`);
  await sql(`delete from permissao where id_pessoa = (select id from pessoa where usuario = 'docente')`);
});

describe('an import of people', () => {
  it('compares addresses in lower case, so that nobody is mistaken for another', async () => {
    const twins = await file(
      'usuario;nome;email\ngemeo;Gêmeo;DOCENTE@Universidade.example\nana;Ana;Ana@universidade.example\nana2;Ana;ANA@universidade.example',
    );
    await expect(load('pessoas', twins)).rejects.toThrow(
      /2 problems\.\n {2}row 2, email: expected a value that no other record has.*\n {2}row 4, email: expected a value that no earlier row has/,
    );
    await load('pessoas', await file('usuario;nome;email\nana;Ana;Ana.Sá@Universidade.example'));
    expect(await sql(`select email from pessoa where usuario = 'ana'`)).toEqual([
      ['ana.sá@universidade.example'],
    ]);
    await expect(
      sql(
        `insert into pessoa (usuario, nome, email) values ('gemeo', 'Gêmeo', 'Docente@universidade.example')`,
      ),
    ).rejects.toThrow('pessoa_email_lower');
  });

  it('cannot inactivate the last person who manages the service, nor all of them at once', async () => {
    const only = await people(person('docente', 'A'), person('admin', 'I'));
    for (const flags of [[], ['--dry-run']])
      expect(await run(1, 'pessoas', only, ...flags)).toContain(
        'row 3, situacao: expected A, because at least one administrator must remain who can log in, found "I"',
      );
    await giveAdministration('docente');
    const both = await people(person('docente', 'I'), person('admin', 'I'));
    await expect(load('pessoas', both)).rejects.toThrow('has 2 problems');
    expect(await sql(`select situacao from pessoa where usuario = 'admin'`)).toEqual([['A']]);
    expect(await load('pessoas', only)).toMatchObject({ changed: 2 });
    expect(await sql(`select situacao from pessoa where usuario = 'admin'`)).toEqual([['I']]);
  });

  it('waits for changes of permissions that run meanwhile', async () => {
    await giveAdministration('docente');
    const path = await people(person('admin', 'I'));
    let importing!: Promise<unknown>;
    await service()
      .services.orm.em.fork()
      .transactional(async em => {
        await takeTurn(em);
        importing = load('pessoas', path).catch((error: Error) => error.message);
        await em.execute(
          `delete from permissao where id_pessoa = (select id from pessoa where usuario = 'docente')`,
        );
        await eventually(async () => expect(await sql(lockWaits(`locktype = 'advisory'`))).toHaveLength(1));
      });
    expect(await importing).toContain('at least one administrator must remain');
  });

  it('ends the logins of those who left, for good', async () => {
    const docente = await service().as('docente');
    expect((await docente.get('/permissoes/autenticacoes')).status).toBe(200);
    await load('pessoas', await people(person('docente', 'I')));
    await load('pessoas', await people(person('docente', 'A')));
    expect((await docente.get('/permissoes/autenticacoes')).status).toBe(401);
  });
});

describe('an import of people with profiles', () => {
  const named = (...rows: string[]): Promise<string> =>
    file(['usuario;nome;email;perfil', ...rows].join('\n'));
  const row = (usuario: string, perfil: string) =>
    `${usuario};Fulana;${usuario}@universidade.example;${perfil}`;

  it('lets them in with their profile, and nobody whose cell is empty', async () => {
    const path = await named(row('entra1', 'Almoxarife'), row('entra2', 'Almoxarife'), row('fica', ''));
    expect(await load('pessoas', path)).toEqual({ created: 3, changed: 0, same: 0 });
    expect(await load('pessoas', path)).toEqual({ created: 0, changed: 0, same: 3 });
    const held = () =>
      sql(
        `select p.usuario, a.situacao, f.nome, m.situacao from pessoa p
         left join acesso_ambiente a on a.id_pessoa = p.id
         left join permissao m on m.id_pessoa = p.id left join perfil f on f.id = m.id_perfil
         where p.usuario in ('entra1', 'entra2', 'fica') order by 1`,
      );
    const all = [
      ['entra1', 'A', 'Almoxarife', 'A'],
      ['entra2', 'A', 'Almoxarife', 'A'],
      ['fica', null, null, null],
    ];
    expect(await held()).toEqual(all);
    await sql(`delete from acesso_ambiente a using pessoa p where p.id = id_pessoa and usuario = 'entra1'`);
    await sql(`delete from permissao m using pessoa p where p.id = id_pessoa and usuario = 'entra2'`);
    expect(await load('pessoas', path, true)).toEqual({ created: 0, changed: 2, same: 1 });
    await load('pessoas', path);
    expect(await held()).toEqual(all);
  });

  it('does not give back an access or a profile that was taken, and says who can', async () => {
    const admin = await service().as('admin');
    const [[id, name]] = (await sql(`select id, nome from pessoa where usuario = 'tecnico'`)) as [
      [number, string],
    ];
    const [[permission, profile]] = (await sql(
      `select m.id, f.nome from permissao m join perfil f on f.id = m.id_perfil
       where m.id_pessoa = $1 and m.situacao = 'A'`,
      [id],
    )) as [[number, string]];
    const content = `usuario;nome;email;perfil\ntecnico;${name};tecnico@universidade.example;${profile}`;
    const path = await file(content);
    const imported = async (aceitar: boolean) =>
      (
        await admin.post('/institucional/importacoes', {
          registros: 'pessoas',
          nome_arquivo: 'pessoas.csv',
          conteudo: Buffer.from(content).toString('base64'),
          aceitar_validas: aceitar,
        })
      ).body;
    const login = () => service().anyone.login('tecnico');
    expect(await imported(false)).toMatchObject({ situacao: 'concluida', alteradas: 0, recusadas: 0 });
    const taken: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'access',
        () => admin.delete(`/permissoes/acesso-ambiente/${id}`),
        () => admin.post('/permissoes/acesso-ambiente', { id_pessoa: id }),
      ],
      [
        'profile',
        () => admin.delete(`/permissoes/permissoes/${permission}`),
        () => sql(`update permissao set situacao = 'A' where id = $1`, [permission]),
      ],
    ];
    for (const [what, take, giveBack] of taken) {
      expect(await take(), what).toMatchObject({ status: 200 });
      const state = () =>
        sql(
          `select a.situacao, m.situacao from acesso_ambiente a join permissao m on m.id_pessoa = a.id_pessoa
           where a.id_pessoa = $1 and m.id = $2`,
          [id, permission],
        );
      const before = await state();
      expect(before.flat(), what).toContain('I');
      for (const accepted of [false, true]) {
        const answer = await imported(accepted);
        expect(answer, what).toMatchObject({ alteradas: accepted ? 0 : null, recusadas: 1 });
        expect(answer.problemas, what).toMatchObject([
          { linha: 2, coluna: 'perfil', esperado: expect.stringContaining('POST /permissoes/pessoas') },
        ]);
      }
      await expect(load('pessoas', path), what).rejects.toThrow('POST /permissoes/pessoas');
      expect(await state(), what).toEqual(before);
      if (what === 'access') await expect(login()).rejects.toThrow('login of tecnico: 401');
      await giveBack();
      expect(await imported(false), what).toMatchObject({
        situacao: 'concluida',
        alteradas: 0,
        recusadas: 0,
      });
    }
    await login();
  });

  it('is refused for a profile that does not exist, and for somebody who left', async () => {
    await expect(load('pessoas', await named(row('x1', 'Ninguém')))).rejects.toThrow(
      'row 2, perfil: expected the name of exactly one active profile, found "Ninguém"',
    );
    const left = await file('usuario;nome;email;perfil;situacao\nx2;X;x2@x.example;Almoxarife;I');
    await expect(load('pessoas', left)).rejects.toThrow(
      'expected no profile for a person whose situacao is I',
    );
  });

  it('gives nothing that the person in whose name it is made does not manage', async () => {
    const path = await named(row('y1', 'Almoxarife'));
    await expect(load('pessoas', path, false, 'tecnico')).rejects.toThrow(
      'perfil: expected a profile of which the person who imports manages everything',
    );
    expect(await load('pessoas', path, false, 'almoxarife')).toMatchObject({ created: 1 });
    const administrator = await named(row('y2', 'Administrador'));
    await expect(load('pessoas', administrator, false, 'almoxarife')).rejects.toThrow('has 1 problem');
    await sql(
      `insert into permissao (id_pessoa, id_perfil) select p.id, f.id from pessoa p, perfil f
       where p.usuario = 'fica' and f.nome = 'Administrador'`,
    );
    const dormant = await named(row('fica', 'Almoxarife'));
    await expect(load('pessoas', dormant, false, 'almoxarife')).rejects.toThrow('has 1 problem');
    expect(await load('pessoas', dormant, false, 'admin')).toMatchObject({ changed: 1 });
  });
});

describe('an import of managerial accounts', () => {
  const accounts = (...rows: string[]): Promise<string> =>
    file(['email;nome;descricao;suspensa;responsaveis', ...rows].join('\n'));
  const accountOf = async (email: string) => {
    const admin = await service().as('admin');
    const { body } = await admin.get(`/institucional/usuarios-ldap/${email}`);
    return [
      body.nome,
      body.suspensa,
      body.possui_senha,
      body.responsaveis.map((one: EntryName) => one.email),
    ];
  };

  it('creates them with their holders, and does not change their passwords', async () => {
    const path = await accounts(
      'Ouvidoria@Universidade.example;Ouvidoria;;sim;Tecnico, docente',
      'reitoria@universidade.example;Reitoria;;não;docente',
    );
    expect(await run(0, 'contas-gerenciais', path)).toContain('1 created, 1 changed');
    const both = ['tecnico@universidade.example', 'docente@universidade.example'];
    expect(await accountOf('ouvidoria@universidade.example')).toEqual(['Ouvidoria', true, false, both]);
    expect(await accountOf('reitoria@universidade.example')).toEqual([
      'Reitoria',
      false,
      true,
      both.slice(1),
    ]);
  });

  it('is refused if a person has the address, and so is a person with the address of an account', async () => {
    await expect(
      load('contas-gerenciais', await accounts('Docente@universidade.example;X;;;')),
    ).rejects.toThrow(
      'row 2, email: expected an address that no person has, found "docente@universidade.example"',
    );
    const person = await file('usuario;nome;email\nbib;Bib;biblioteca@universidade.example');
    await expect(load('pessoas', person)).rejects.toThrow(
      'row 2, email: expected an address that no managerial account has',
    );
  });

  it('waits for admissions that run meanwhile, whatever columns it has', async () => {
    const email = 'tambem@universidade.example';
    const path = await file(`email;nome\n${email};Também`);
    let importing!: Promise<unknown>;
    await service()
      .services.orm.em.fork()
      .transactional(async em => {
        await takeTurn(em);
        importing = load('contas-gerenciais', path).catch((error: Error) => error.message);
        await em.execute(`insert into pessoa (usuario, nome, email) values ('tambem', 'Também', '${email}')`);
        await eventually(async () => expect(await sql(lockWaits(`locktype = 'advisory'`))).toHaveLength(1));
      });
    expect(await importing).toContain('expected an address that no person has');
  });
});

describe('an address', () => {
  const person = `insert into pessoa (usuario, nome, email) select u, u, u || '@enderecos.example' from unnest($1::text[]) u`;
  const account = `insert into conta_gerencial (nome, email) select u, u || '@enderecos.example' from unnest($1::text[]) u`;
  const REFUSED = 'is the address of a person and of an account';

  it('belongs to a person or to a managerial account, whoever writes it', async () => {
    await sql(person, [['p1', 'p2']]);
    await sql(account, [['c1']]);
    await expect(sql(account, [['c2', 'p2']])).rejects.toThrow(REFUSED);
    await expect(sql(person, [['p3', 'c1']])).rejects.toThrow(REFUSED);
    const moved = (table: string, from: string, to: string) =>
      sql(`update ${table} set email = $2 where email = $1`, [
        `${from}@enderecos.example`,
        `${to}@enderecos.example`,
      ]);
    await expect(moved('pessoa', 'p1', 'c1')).rejects.toThrow(REFUSED);
    await expect(moved('conta_gerencial', 'c1', 'p1')).rejects.toThrow(REFUSED);
    await moved('conta_gerencial', 'c1', 'c3');
    await moved('pessoa', 'p1', 'c1');
  });

  it('belongs to one of them also if both are written at once', async () => {
    const both = Array.from({ length: 20 }, (_, i) => [[`ao-mesmo-tempo-${i}`]]);
    const outcomes = await Promise.all(
      both.map(value =>
        Promise.allSettled([sql(person, value), sql(account, value)]).then(
          results => results.filter(({ status }) => status === 'fulfilled').length,
        ),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set([1]));
  });
});
