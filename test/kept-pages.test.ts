import { ReferenceKind } from '@mikro-orm/core';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isUnaudited } from '../src/entities/column.ts';
import { ParametroAcessoApi } from '../src/entities/permissoes/parametro-acesso-api.ts';
import { manyOf } from '../src/listing/builder.ts';
import { Audited, ReadCache } from '../src/listing/kept.ts';
import { makeMaterial } from './support/make.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { statementsOn } from './support/statements.ts';

const service = useService();
const RARE = 'Raríssimo';
const page = (fields = 'total'): string => `{
  materiais(titulo: "rarissimo", pagination: true, itemsPerPage: 2, orderByTitulo: asc) {
    ${fields} data { id titulo unidadeMedida { sigla } riscos { classificacaoRisco { risco } } }
  }
}`;

async function shown(on: TestService, query = page()): Promise<{ page: any; statements: number }> {
  const { data, statements } = await statementsOn(on, query);
  return { page: data.materiais, statements: statements.length };
}

const TRUTH = `select m.titulo, u.sigla, count(*) over ()::int,
  coalesce((select array_agg(c.risco order by r.id) from risco_material r
    join classificacao_risco c on c.id = r.id_classificacao_risco where r.id_material = m.id), '{}')
from material m join unidade_medida u on u.id = m.id_unidade_medida
where fold(m.titulo) like '%rarissimo%' order by m.titulo collate pt_br, m.id limit 2`;

const truth = async (): Promise<unknown[]> =>
  (await service().sql(TRUTH)).map(([titulo, sigla, total, riscos]) => ({ titulo, sigla, total, riscos }));

const asTruth = ({ page: { total, data } }: { page: any }): unknown[] =>
  data.map(({ titulo, unidadeMedida, riscos }: any) => ({
    titulo,
    sigla: unidadeMedida.sigla,
    total,
    riscos: riscos.map(({ classificacaoRisco: { risco } }: any) => risco as string),
  }));

describe('a page of a list', () => {
  beforeAll(async () => {
    for (const letter of ['a', 'b', 'c'])
      await makeMaterial(service(), { titulo: `${RARE} ${letter}`, riscos: 2 });
  });

  it('is answered again with one statement, to-many fields included, while nothing of it was written', async () => {
    const first = await shown(service());
    expect(asTruth(first)).toEqual(await truth());
    const again = await shown(service());
    expect(again.page).toEqual(first.page);
    expect([first.statements, again.statements]).toEqual([2, 1]);
  });

  it.each([
    ['a record of it', `update material set titulo = '${RARE} aa' where titulo = '${RARE} a'`],
    ['what a record of it is linked to', `update unidade_medida set sigla = left('x' || sigla, 10)`],
    ['what is shown below a record of it', `update classificacao_risco set risco = 'Novo ' || id`],
    [
      'that something is shown below it',
      `delete from risco_material where id in (select max(id) from risco_material)`,
    ],
  ])('is read anew, with its total in the same statement, after a change of %s', async (_what, change) => {
    await shown(service());
    await service().sql(change);
    const anew = await shown(service());
    expect(asTruth(anew)).toEqual(await truth());
    // Statements: the check for writes, the page with its total, the to-many fields.
    expect(anew.statements).toBe(3);
    expect((await shown(service())).statements).toBe(1);
  });

  it.each([
    [
      'version, which what belongs to it raises too',
      '{ materiais(titulo: "rarissimo", pagination: true) { data { id versao } } }',
      `insert into risco_material (id_material, id_classificacao_risco) select m.id, c.id from material m, classificacao_risco c
        where m.titulo like '${RARE}%' and not exists (select from risco_material r
          where r.id_material = m.id and r.id_classificacao_risco = c.id) order by random() limit 1`,
    ],
    [
      'last use, of which the audit trail does not tell',
      '{ materiais: chavesApi(pagination: true) { data { id ultimoUso } } }',
      `update chave_api set ultimo_uso = coalesce(ultimo_uso, now()) + interval '1 minute'`,
    ],
  ])('shows the newest %s', async (_what, query, change) => {
    const before = await shown(service(), query);
    expect((await shown(service(), query)).page).toEqual(before.page);
    await service().sql(change);
    expect((await shown(service(), query)).page).not.toEqual(before.page);
  });

  it('is still valid after a change of something that it does not show', async () => {
    await shown(service());
    await service().sql('update tipo_controle set descricao = descricao || id');
    expect((await shown(service())).statements).toBe(1);
  });

  it('is read anew when a write that was open when it was read is committed', async () => {
    const writer = new Client(service().databaseUrl);
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query(`update material set titulo = '${RARE} 0' where titulo = '${RARE} b'`);
      const before = await shown(service());
      expect((await shown(service())).page).toEqual(before.page);
      await writer.query('commit');
      expect((await shown(service())).page.data[0].titulo).toBe(`${RARE} 0`);
    } finally {
      await writer.end();
    }
  });

  it('is read anew on another day, because some links are valid for days', async () => {
    await shown(service());
    const { listing } = service().services;
    const { reader } = listing;
    const yesterday = new Date(Date.now() - 48 * 3600 * 1000).toISOString().slice(0, 10);
    listing.reader = {
      rows: (text, values) =>
        reader.rows(
          text,
          values.map(value => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? yesterday : value)),
        ),
    };
    try {
      expect((await shown(service())).statements).toBe(3);
    } finally {
      listing.reader = reader;
    }
  });

  it('is read once for all clients that ask at once', async () => {
    const admin = await service().as('admin');
    const query = page('totalPages').replace('itemsPerPage: 2', 'itemsPerPage: 1');
    const { listing } = service().services;
    const { reader } = listing;
    let reads = 0;
    listing.reader = {
      rows: (text, values) => ((reads += /from "material"/.test(text) ? 1 : 0), reader.rows(text, values)),
    };
    try {
      const answers = await Promise.all(Array.from({ length: 20 }, () => admin.graphql(query)));
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      expect(reads).toBeLessThan(10);
    } finally {
      listing.reader = reader;
    }
  });

  describe('with another process on the same database', () => {
    let other: TestService;
    beforeAll(async () => {
      other = await startService({}, service());
    });
    afterAll(() => other.stop());

    it('is correct on both, whatever either writes meanwhile', async () => {
      const write = fc.constantFrom(...Object.values(WRITES));
      const step = fc.oneof(write, fc.constant(undefined));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
          for (const sql of steps) {
            if (sql) await service().sql(sql);
            const pages = await Promise.all([shown(service()), shown(other)]);
            const expected = await truth();
            expect(pages.map(asTruth)).toEqual([expected, expected]);
          }
        }),
        { numRuns: 15 },
      );
    });
  });
});

const WRITES = {
  make: `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
    select '${RARE} ' || substr(md5(random()::text), 1, 3), 'x', 'L', min(id) from unidade_medida`,
  rename: `update material set titulo = '${RARE} ' || substr(md5(random()::text), 1, 3)
    where id = (select min(id) from material where titulo like '${RARE}%')`,
  remove: `delete from material where id = (select max(m.id) from material m where titulo like '${RARE}%'
    and not exists (select from risco_material r where r.id_material = m.id))`,
  link: `update material set id_unidade_medida = (select id from unidade_medida order by random() limit 1)
    where titulo like '${RARE}%'`,
  below: `insert into risco_material (id_material, id_classificacao_risco)
    select m.id, c.id from material m, classificacao_risco c where m.titulo like '${RARE}%' order by random() limit 1
    on conflict do nothing`,
  apart: `delete from risco_material where id in (select r.id from risco_material r join material m on m.id = r.id_material
    where m.titulo like '${RARE}%' order by random() limit 1)`,
};

describe('what is kept', () => {
  const kept = (): ReadCache<{ snapshot: string; size: number }> =>
    new ReadCache(new Audited({ rows: () => Promise.resolve([['material']]) }), {
      most: 10,
      weigh: ({ size }) => size,
    });
  const reading = (size: number) => ({ snapshot: '1:1:', size });

  it('never exceeds its memory limit, and the oldest goes first', async () => {
    const pages = kept();
    for (const [key, size] of [
      ['a', 4],
      ['b', 4],
      ['a', 1],
      ['c', 4],
      ['d', 3],
    ] as const)
      await pages.keep(key, ['material'], reading(size));
    expect(['a', 'b', 'c', 'd'].filter(key => pages.find(key))).toEqual(['a', 'c', 'd']);
    await pages.keep('e', ['material'], reading(11));
    expect(pages.find('e')).toBeUndefined();
  });

  it('covers every column that the audit trail leaves out', async () => {
    const columns = [...service().services.orm.getMetadata().getAll().values()].flatMap(
      ({ class: entity, props }) =>
        props
          .filter(({ kind }) => kind !== ReferenceKind.ONE_TO_MANY)
          .flatMap(({ name, fieldNames }) => fieldNames.map(column => ({ entity, name, column }))),
    );
    const silent = await service().sql(
      `select c from unnest($1::text[]) c
       where auditoria_alteracoes(jsonb_build_object(c, 1), jsonb_build_object(c, 2)) = '{}' order by c`,
      [[...new Set(columns.map(({ column }) => column))]],
    );
    expect(silent.map(([column]) => String(column))).toEqual(['ultimo_uso', 'versao']);
    const unknown = columns.filter(
      ({ entity, name, column }) => column === 'ultimo_uso' && !isUnaudited(entity, name),
    );
    // The table of a view, which has no audit trail.
    expect(unknown.map(({ entity }) => entity)).toEqual([ParametroAcessoApi]);
  });

  it('covers every table whose records raise the version of others', async () => {
    const raising = await service().sql(`
      select distinct split_part(encode(t.tgargs, 'escape'), '\\000', 2) || ' by ' || c.relname
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where p.proname = 'versionar_dono'`);
    const known = [...service().services.orm.getMetadata().getAll().values()].flatMap(entity =>
      manyOf(entity).map(({ targetMeta }) => `${entity.tableName} by ${targetMeta!.tableName}`),
    );
    expect(raising.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(raising.flat()));
  });

  it('is waited for only by requests that will use it', async () => {
    const pages = kept();
    let finish!: () => void;
    const slow = (key: string, table: string): void =>
      void pages.read(key, [table], () => new Promise(resolve => (finish = () => resolve(reading(1)))));
    slow('report', 'fila');
    await new Promise(setImmediate);
    expect(await pages.wasRead('report')).toBe(false);
    slow('kept', 'material');
    await new Promise(setImmediate);
    const waiting = pages.wasRead('kept');
    finish();
    expect(await waiting).toBe(true);
  });

  it('is nothing, and the read is answered, when it cannot be learnt what is audited', async () => {
    const lost = new ReadCache<{ snapshot: string }>(
      new Audited({ rows: () => Promise.reject(new Error('connection lost')) }),
      { most: 10, weigh: () => 1 },
    );
    expect(await lost.read('a', ['material'], async () => reading(1))).toEqual(reading(1));
    await lost.keep('b', ['material'], reading(1));
    expect([lost.find('a'), lost.find('b')]).toEqual([undefined, undefined]);
  });

  it('is nothing after a failed read, and the next read is answered', async () => {
    const pages = kept();
    const failing = pages.read('a', ['material'], () => Promise.reject(new Error('connection lost')));
    await expect(failing).rejects.toThrow('connection lost');
    expect(await pages.wasRead('a')).toBe(false);
    expect(await pages.read('a', ['material'], async () => reading(1))).toEqual(reading(1));
    expect(pages.find('a')).toEqual(reading(1));
  });

  it('has no tables without an audit trail, and no keys of unlimited length', async () => {
    const pages = kept();
    const long = 'a'.repeat(2000);
    await pages.keep('a', ['material', 'fila'], reading(1));
    await pages.keep(long, ['material'], reading(1));
    expect([pages.find('a'), pages.find(long)]).toEqual([undefined, undefined]);
  });
});
