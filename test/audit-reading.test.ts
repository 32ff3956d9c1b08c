import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../src/request/context.ts';
import { systemHeaders } from './support/client.ts';
import { lockWaits } from './support/lock-waits.ts';
import { grant, makePerson, personOf } from './support/permissions.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
const kinds = '/almoxarifadoquimicos/tipos-empresas';

interface Row {
  id: string;
  momento: string;
  idPessoa: number | null;
  pessoa: { usuario: string } | null;
  sistema: { sigla: string } | null;
  endereco: string | null;
  requisicao: string | null;
  operacao: string;
  tabela: string | null;
  idRegistro: number | null;
  acao: string | null;
  vezes: number;
  alteracoes: { campo: string; antes: string | null; depois: string | null }[];
}

const FIELDS = `id momento idPessoa pessoa { usuario } sistema { sigla } endereco requisicao operacao tabela idRegistro
  acao vezes alteracoes { campo antes depois }`;

/** The rows that these arguments, as GraphQL literals, find for the administrator. */
async function trail(args: string): Promise<Row[]> {
  const admin = await service().as('admin');
  const { data, errors } = await admin.graphql(
    `{ trilhaAuditoria(itemsPerPage: 1000, ${args}) { data { ${FIELDS} } } }`,
  );
  expect(errors).toBeUndefined();
  return data.trilhaAuditoria.data as Row[];
}

const logInWrongly = (username: string, client = service().anyone): Promise<{ status: number }> =>
  client.with(systemHeaders).post('/auth/login', { username, password: 'not the password' });

describe('the audit trail', () => {
  let id: number;
  let requests: string[];
  beforeAll(async () => {
    const tecnico = await service().as('tecnico');
    const created = await tecnico.post(kinds, { descricao: 'Laboratório', obriga_cnpj: 'N' });
    id = created.body.id as number;
    const changed = await tecnico.put(`${kinds}/${id}`, { descricao: 'Laboratório credenciado' });
    const gone = await (await service().as('almoxarife')).delete(`${kinds}/${id}`);
    requests = [created, changed, gone].map(({ headers }) => headers.get('x-request-id')!);
  });

  it('shows for a record who changed it, by which operation, and the values before and after', async () => {
    const rows = await trail(`tabela: "tipo_empresa", idRegistro: ${id}`);
    expect(rows.map(({ operacao, pessoa, requisicao }) => [operacao, pessoa?.usuario, requisicao])).toEqual([
      ['INCLUSAO', 'tecnico', requests[0]],
      ['ALTERACAO', 'tecnico', requests[1]],
      ['EXCLUSAO', 'almoxarife', requests[2]],
    ]);
    expect(rows[1]).toMatchObject({ sistema: { sigla: 'SII' }, endereco: '127.0.0.1', acao: null, vezes: 1 });
    const { antes, depois } = rows[1]!.alteracoes.find(({ campo }) => campo === 'descricao')!;
    expect([antes, depois]).toEqual(['Laboratório', 'Laboratório credenciado']);
  });

  it('can be filtered by person and by operation', async () => {
    const idPessoa = await personOf(service(), 'tecnico');
    const rows = await trail(`idPessoa: ${idPessoa}, operacao: ALTERACAO`);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(row => `${row.idPessoa} ${row.operacao}`))).toEqual(
      new Set([`${idPessoa} ALTERACAO`]),
    );
    expect(rows.map(({ requisicao }) => requisicao)).toContain(requests[1]);
  });

  it('can be limited in time, both ends included', async () => {
    const [made, changed, gone] = await trail(`tabela: "tipo_empresa", idRegistro: ${id}`);
    const between = (from: string, to: string) =>
      trail(`tabela: "tipo_empresa", idRegistro: ${id}, desde: "${from}", ate: "${to}"`);
    const moments = [made!, changed!, gone!].map(({ momento }) => momento);
    expect(await between(moments[0]!, moments[2]!)).toHaveLength(3);
    const later = new Date(Date.parse(moments[2]!) + 1).toISOString();
    const earlier = new Date(Date.parse(moments[0]!) - 1).toISOString();
    expect(await between(later, '2101-01-01T00:00:00Z')).toEqual([]);
    expect(await between('2001-01-01T00:00:00Z', earlier)).toEqual([]);
    expect((await between(moments[2]!, later)).at(-1)).toEqual(gone);
  });

  it('comes in pages, newest first on request', async () => {
    const admin = await service().as('admin');
    const page = async (number: number) => {
      const { data } = await admin.graphql(
        `{ trilhaAuditoria(tabela: "tipo_empresa", idRegistro: ${id}, orderByMomento: desc, itemsPerPage: 2, page: ${number}) {
          total totalPages data { operacao momento } } }`,
      );
      return data.trilhaAuditoria;
    };
    const pages = [await page(1), await page(2)];
    expect(pages).toMatchObject([
      { total: 3, totalPages: 2 },
      { total: 3, totalPages: 2 },
    ]);
    const moments = pages.flatMap(({ data }) => data).map(({ momento }) => momento as string);
    expect(moments).toEqual(moments.toSorted().toReversed());
    expect(pages[1].data).toHaveLength(1);
  });

  it('finds a record with its index', async () => {
    const plan = await service().sql(
      `explain select * from registro_auditoria where tabela collate "pt_br" = 'tipo_empresa' and id_registro = 1`,
    );
    expect(plan.flat().join('\n')).toContain('tabela_id_registro_id_idx');
  });

  it.each([
    [1, 'FORBIDDEN'],
    [2, 'FORBIDDEN'],
    [3, undefined],
  ])('needs level 3: %i', async (nivel, code) => {
    const revoke = await grant(service(), 'docente', { controller: 'permissoes/auditoria', nivel });
    const { errors } = await (await service().as('docente')).graphql('{ trilhaAuditoria { total } }');
    await revoke();
    expect(errors?.[0]!.extensions.code).toBe(code);
  });
});

describe('a refusal in the audit trail', () => {
  const failed = (more = '') => trail(`operacao: LOGIN_RECUSADO ${more}`);

  it('can be a failed login, under the person whose login was tried', async () => {
    const id = await personOf(service(), 'docente');
    const { status } = await logInWrongly(' DOCENTE ');
    expect(status).toBe(401);
    expect(await failed(`, tabela: "pessoa", idRegistro: ${id}`)).toMatchObject([
      { idPessoa: null, endereco: '127.0.0.1', acao: null, vezes: 1, alteracoes: [] },
    ]);
  });

  it('does not have an unknown user name, which may be a password', async () => {
    const [before] = await service().sql('select coalesce(max(id), 0) from auditoria');
    await logInWrongly('a-secret-in-the-wrong-field');
    await failed();
    const rows = await service().sql('select a::text from auditoria a where id > $1', before);
    expect(rows).toHaveLength(1);
    expect(rows.join()).not.toContain('wrong-field');
  });

  it('can be an operation that the person may not use, on either face, refused by the guard or later', async () => {
    const discente = await service().as('discente');
    const idPessoa = await personOf(service(), 'discente');
    const other = await personOf(service(), 'admin');
    await discente.post(kinds, { descricao: 'X', obriga_cnpj: 'N' });
    const mutation = 'mutation { criarTipoEmpresa(input: { descricao: "X", obrigaCnpj: false }) { id } }';
    await discente.graphql(mutation);
    await discente.get(`/permissoes/permissoes/${other}`);
    const rows = await trail(`operacao: ACESSO_RECUSADO, idPessoa: ${idPessoa}`);
    expect(rows).toMatchObject([
      { acao: 'criarTipoEmpresa', vezes: 2, sistema: { sigla: 'SII' }, tabela: null, endereco: '127.0.0.1' },
      { acao: 'permissoesDaPessoa', vezes: 1 },
    ]);
    expect(rows[0]!.requisicao).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is found by all readers at the same time', async () => {
    const id = await personOf(service(), 'discente');
    const look = () => failed(`, tabela: "pessoa", idRegistro: ${id}`);
    expect(await look()).toEqual([]);
    await logInWrongly('discente');
    const holder = service().services.orm.em.fork();
    await holder.begin();
    await holder.execute('lock table auditoria in share mode');
    const first = look();
    await eventually(async () =>
      expect(await service().sql(lockWaits(`relation = 'auditoria'::regclass`))).toHaveLength(1),
    );
    const second = look();
    await Promise.race([second, sleep(200)]);
    await holder.rollback();
    expect([await first, await second].map(rows => rows.length)).toEqual([1, 1]);
  });

  it('shares one row with all equal ones, however many there are', async () => {
    const docente = await service().as('docente');
    await trail('operacao: ACESSO_RECUSADO');
    const before = await service().sql('select count(*)::int from auditoria');
    await Promise.all(Array.from({ length: 300 }, () => docente.get('/permissoes/sistemas')));
    await trail('operacao: ACESSO_RECUSADO');
    expect(await service().sql('select count(*)::int from auditoria')).toEqual([
      [(before[0]![0] as number) + 1],
    ]);
    expect(await service().sql('select vezes from auditoria order by id desc limit 1')).toEqual([[300]]);
  });

  /** Many refusals at the same time, each for a user name from an address, without a password check. */
  function refuse(on: TestService, count: number, of: (i: number) => [string, string, number?]): void {
    for (let i = 0; i < count; i++) {
      const [usuario, address, idPessoa] = of(i);
      on.services.refusals.login({ address, requestId: randomUUID() } as Context, usuario, idPessoa);
    }
  }
  const newEntries = (before: unknown[]) =>
    service().sql(
      `select id_registro, endereco is null, count(*)::int, sum(vezes)::int from auditoria
       where id > $1 and operacao = 'login_recusado' group by 1, 2 order by 1 nulls first, 2`,
      before,
    );

  it('cannot fill the disk: above a limit, different ones are only counted', async () => {
    const other = await startService({}, service());
    const [before] = await service().sql('select max(id) from auditoria');
    try {
      await logInWrongly('nobody', other.anyone);
      refuse(other, 259, i => [`nobody-${i}`, '10.0.0.1']);
      await other.services.refusals.write();
      expect(await newEntries(before!)).toEqual([
        [null, false, 200, 200],
        [null, true, 1, 60],
      ]);
    } finally {
      await other.stop();
    }
  });

  it('of a known person is stored, however many invented names are tried', async () => {
    const id = await makePerson(service(), 'alguem');
    const other = await startService({}, service());
    const [before] = await service().sql('select max(id) from auditoria');
    try {
      refuse(other, 210, i => [`invented-${i}`, '10.0.0.1']);
      await logInWrongly('alguem', other.anyone);
      await other.services.refusals.write();
      expect((await newEntries(before!)).slice(2)).toEqual([[id, false, 1, 1]]);
    } finally {
      await other.stop();
    }
  });

  it('of one person does not push out those of another', async () => {
    const [one, another] = [await makePerson(service(), 'uma'), await makePerson(service(), 'outra')];
    const other = await startService({}, service());
    const [before] = await service().sql('select max(id) from auditoria');
    try {
      refuse(other, 30, i => ['uma', `10.2.${i}.1`, one]);
      await logInWrongly('outra', other.anyone);
      await other.services.refusals.write();
      expect(await newEntries(before!)).toEqual([
        [one, false, 20, 20],
        [one, true, 1, 10],
        [another, false, 1, 1],
      ]);
    } finally {
      await other.stop();
    }
  });

  it('after too many failures is counted, not listed', async () => {
    const other = await startService({}, service());
    const [before] = await service().sql('select max(id) from auditoria');
    try {
      await Promise.all(Array.from({ length: 40 }, () => logInWrongly('one-and-the-same', other.anyone)));
      await other.services.refusals.write();
      const rows = await service().sql(
        `select endereco is null, count(*)::int, sum(vezes)::int from auditoria where id > $1 group by 1 order by 1`,
        before,
      );
      expect(rows).toEqual([
        [false, 1, 5],
        [true, 1, 35],
      ]);
    } finally {
      await other.stop();
    }
  });

  it('is written when the process ends', async () => {
    const other = await startService({}, service());
    await logInWrongly('tecnico', other.anyone);
    await other.stop();
    const id = await personOf(service(), 'tecnico');
    expect(await failed(`, tabela: "pessoa", idRegistro: ${id}`)).toHaveLength(1);
  });

  it('does not wait for the database, and is not lost while that is away', async () => {
    const other = await startService({}, service());
    const { refusals, listing } = other.services;
    const { reader } = listing;
    const rows = reader.rows.bind(reader);
    try {
      await logInWrongly('almoxarife', other.anyone);
      listing.reader.rows = () => Promise.reject(new Error('away'));
      await expect(refusals.write()).rejects.toThrow('away');
      listing.reader.rows = rows;
      await refusals.write();
      const id = await personOf(service(), 'almoxarife');
      expect(await failed(`, tabela: "pessoa", idRegistro: ${id}`)).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });
});
