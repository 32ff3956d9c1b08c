import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { PipeliningReader, Statement } from '../src/database/reader.ts';
import { makeCaller } from './support/administration.ts';
import type { Answer } from './support/client.ts';
import { inOneGo, newMaterial } from './support/make.ts';
import { atOnce } from './support/pair.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();

const together = (statements: readonly Statement[]): Promise<unknown[][][]> =>
  service().services.listing.reader.together!(statements);

const numbers = (text: string, ...values: unknown[]): Statement => ({ text, values });
const twice = numbers('select n, n * 2 from generate_series(1, $1::int) n', 3);
const quotient = (by: number): Statement => numbers('select 10 / $1::int', by);

it('statements of one trip answer in their order, at the first time and when they are prepared', async () => {
  for (let time = 0; time < 25; time++)
    expect(await together([twice, quotient(5), numbers('select 1 where false'), quotient(2)])).toEqual([
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
      [[2]],
      [],
      [[5]],
    ]);
});

it('statements of one trip have one transaction', async () => {
  const own = numbers('select pg_current_xact_id()::text');
  const [[[first]], , [[last]]] = (await together([own, twice, own])) as [[[string]], unknown, [[string]]];
  expect(first).toMatch(/^\d+$/);
  expect(last).toBe(first);
});

it('if a statement of a trip fails, the trip fails, and all of them still work afterwards', async () => {
  const unused = numbers('select $1::int + 1', 1);
  for (let time = 0; time < 3; time++)
    await expect(together([twice, quotient(0), unused])).rejects.toMatchObject({ code: '22012' });
  for (let time = 0; time < 25; time++)
    expect((await together([unused, quotient(1), twice])).map(rows => rows.length)).toEqual([1, 1, 3]);
});

it('the to-many fields of a page are read in one trip', async () => {
  const admin = await service().as('admin');
  const places = 'localDestinoFim { tecnicos { id } } localDestinoArm { tecnicos { id } }';
  const query = `{ movimentacoesEstoque(orderBy: [{ id: asc }]) { data { lote { material { riscos { id } } } ${places} } } }`;
  const { queryReader } = service().services;
  const trips: number[] = [];
  service().services.queryReader = {
    ...queryReader,
    together: statements => (trips.push(statements.length), queryReader.together!(statements)),
  };
  try {
    const { errors } = await admin.graphql(query);
    expect(errors).toBeUndefined();
  } finally {
    service().services.queryReader = queryReader;
  }
  expect(trips.at(-1)).toBe(3);
});

describe('quick reads that begin in the same turn of the event loop', () => {
  const quick = (statement: Statement): Statement => ({ ...statement, isQuick: true });
  const read = (...statements: Statement[]): Promise<unknown[][][]> =>
    service().services.queryReader.together!(statements);
  const transaction = numbers('select pg_current_xact_id()::text');

  it('share trips of eight, of which each has one connection and one transaction', async () => {
    const found = await atOnce(17, async turn =>
      read(quick(transaction), quick(numbers('select $1::int', turn))),
    );
    expect(found.map(([, rows]) => rows![0])).toEqual(found.map((_, turn) => [turn]));
    expect(new Set(found.map(([rows]) => rows![0]![0])).size).toBe(3);
  });

  it('share nothing with a read that has a statement which may be slow', async () => {
    const found = await atOnce(8, async turn =>
      read(turn === 3 ? transaction : quick(transaction), quick(twice)),
    );
    const ids = found.map(([rows]) => rows![0]![0]);
    expect(new Set(ids).size).toBe(2);
    expect(ids.filter(id => id === ids[3])).toHaveLength(1);
  });

  it('are done again by themselves if one of them fails, which fails alone', async () => {
    const found = await Promise.allSettled(
      [2, 5, 0, 10].map(async by => read(quick(twice), quick(quotient(by)))),
    );
    expect(
      found.map(one => (one.status === 'fulfilled' ? one.value[1] : (one.reason as { code: string }).code)),
    ).toEqual([[[5]], [[2]], '22012', [[1]]]);
  });

  it('do not wait for one of them that waits for a lock', async () => {
    const icons = numbers('select count(*)::int from icone_risco');
    // The time of a machine that does much else counts, too: one of several attempts is enough.
    await eventually(async () => {
      const lock = service().services.orm.em.fork();
      await lock.begin();
      await lock.execute('lock table icone_risco in access exclusive mode');
      let released = false;
      const waiting = sleep(1_000)
        .then(() => lock.rollback())
        .then(() => (released = true));
      const wait = read(quick(icons)).then(([rows]) => ({ rows, released }));
      const others = atOnce(7, async turn => {
        const [rows] = await read(quick(numbers('select $1::int', turn)));
        return { rows, released };
      });
      try {
        expect(await others).toEqual(
          Array.from({ length: 7 }, (_, turn) => ({ rows: [[turn]], released: false })),
        );
        expect(await wait).toEqual({ rows: [[expect.any(Number)]], released: true });
      } finally {
        await waiting;
      }
    });
  });

  /** The most statements of a trip while so many ask for the same. */
  async function most(on: TestService, query: string): Promise<number> {
    const admin = await on.as('admin');
    const trips = vi.spyOn(on.services.listing.reader as PipeliningReader, 'together');
    await atOnce(8, async () => expect((await admin.graphql(query)).errors).toBeUndefined());
    const sizes = trips.mock.calls.map(([statements]) => statements.length);
    trips.mockRestore();
    return Math.max(...sizes);
  }
  const page =
    '{ unidadesMedida(filter: { sigla: { contains: "g" } }, orderBy: [{ sigla: desc }]) { total data { sigla } } }';

  it('include pages of a table with few rows, unless they depend on other tables', async () => {
    await service().sql('analyze unidade_medida, material');
    const linked =
      '{ materiais(filter: { unidadeMedida: { sigla: { contains: "g" } } }) { total data { id } } }';
    // Each read has two statements, of which one is for the session.
    await eventually(async () => expect(await most(service(), page)).toBeGreaterThan(2));
    for (let time = 0; time < 3; time++) expect(await most(service(), linked)).toBe(2);
  });

  it('include pages of a small table that PostgreSQL has not analysed yet', async () => {
    const own = await startService();
    try {
      await own.sql(`update pg_class set reltuples = -1 where relname = 'unidade_medida'`);
      await eventually(async () => expect(await most(own, page)).toBeGreaterThan(2));
    } finally {
      await own.stop();
    }
  });

  it('include the first pages of a larger table, if an index has their order', async () => {
    const own = await startService();
    const pages = {
      ordered: '{ unidadesMedida(orderBy: [{ descricao: desc }]) { total data { sigla } } }',
      byId: '{ unidadesMedida(orderBy: [{ id: asc }]) { total data { sigla } } }',
      unindexed: '{ unidadesMedida(orderBy: [{ sigla: asc }]) { total data { sigla } } }',
      late: '{ unidadesMedida(orderBy: [{ descricao: asc }], page: 51, itemsPerPage: 20) { total data { sigla } } }',
      filtered: page,
    };
    const rows = (number: number) =>
      own.sql(`update pg_class set reltuples = $1 where relname = 'unidade_medida'`, [number]);
    try {
      await rows(20_000);
      for (const shared of [pages.ordered, pages.byId])
        await eventually(async () => expect(await most(own, shared)).toBeGreaterThan(2));
      for (const alone of [pages.unindexed, pages.late, pages.filtered])
        for (let time = 0; time < 3; time++) expect(await most(own, alone)).toBe(2);
    } finally {
      await own.stop();
    }
  });

  it('are answered each to its own caller, whatever befalls the others', async () => {
    const materials = await inOneGo(service(), em => Array.from({ length: 8 }, () => newMaterial(em)));
    const [admin, refused, gone] = await Promise.all([
      service().as('admin'),
      makeCaller(service(), []),
      makeCaller(service()),
    ]);
    const path = '/almoxarifadoquimicos/materiais';
    const place = '/almoxarifadoquimicos/locais/1';
    const callers: ((turn: number) => Promise<Answer>)[] = [
      turn => admin.get(`${path}/${materials[turn % 8]!.id}`),
      turn => refused.client.get(`${path}/${materials[turn % 8]!.id}`),
      () => gone.client.get(`${path}/${materials[0]!.id}`),
      () => admin.get(`${path}/2147483647`),
      () => admin.get(place),
    ];
    const expected = [200, 403, 401, 404, 500];
    // All are presumed to be as they were.
    for (const call of callers) await call(0);
    await service().sql('update sessao set encerrada_em = now() where id_pessoa = $1', [gone.idPessoa]);
    await service().sql('alter table local rename to local_de_antes');
    try {
      const answers = await atOnce(40, async turn => callers[turn % 5]!(turn));
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, turn) => expected[turn % 5]));
      for (const [turn, { body }] of answers.entries())
        if (turn % 5 === 0) expect(body).toMatchObject({ id: materials[turn % 8]!.id });
    } finally {
      await service().sql('alter table local_de_antes rename to local');
    }
  });
});
