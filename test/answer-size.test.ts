import { beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders } from './support/client.ts';
import { costOf } from './support/cpu.ts';
import { makeCompany, makeMaterial } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService, type TestService } from './support/service.ts';
import { readThrough } from './support/statements.ts';

const service = useService();
const small = useService({
  MAX_ROWS_PER_REQUEST: '1000',
  MAX_ANSWER_BYTES: '100000',
  FILES_MAX_BYTES: '1000',
});

/** An invoice with this number of batches. */
async function makeInvoice(on: TestService, batches: number): Promise<number> {
  const { id: company } = await makeCompany(on);
  const { id: material } = await makeMaterial(on, {});
  const [[invoice]] = (await on.sql(
    `insert into nota_fiscal (numero_nf, id_transportadora, id_fornecedor) values ('1', $1, $1) returning id`,
    [company],
  )) as [[number]];
  await on.sql(
    `with made as (insert into lote (id_material, id_fabricante, cod_lote, quantidade)
       select $1, $2, 'L' || i, 1 from generate_series(1, $3::int) i returning id)
     insert into item_nota_fiscal (id_nota_fiscal, id_lote) select $4, id from made`,
    [material, company, batches, invoice],
  );
  return invoice;
}

const cycle = (id: number) =>
  `{ notaFiscal(id: ${id}) { lotes { notasFiscais { notaFiscal { lotes { id } } } } } }`;
const tooLarge = [{ extensions: { code: 'RESULT_TOO_LARGE' } }];

describe('an invoice whose batches link back to it', () => {
  it.each([2_000, 6_000])('is refused with %i batches before its answer is made', async batches => {
    const admin = await service().as('admin');
    const query = cycle(await makeInvoice(service(), batches));
    const before = process.memoryUsage().rss;
    const { answer, cost } = await costOf(() => admin.graphql(query), 130);
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
    if (process.env['SHOW_CPU']) process.stderr.write(`${batches}: ${grown} MB\n`);
    expect(answer.errors).toMatchObject(tooLarge);
    expect(answer.data).toEqual({ notaFiscal: null });
    expect(cost).toBeLessThanOrEqual(130);
    expect(grown).toBeLessThan(400);
  });

  it('is answered up to the limit', async () => {
    const admin = await service().as('admin');
    const { data } = await admin.graphql(cycle(await makeInvoice(service(), 200)));
    const { lotes } = data.notaFiscal;
    expect(lotes).toHaveLength(200);
    const all = lotes.flatMap((lote: any) => lote.notasFiscais.flatMap((item: any) => item.notaFiscal.lotes));
    expect(all).toHaveLength(200 * 200);
    expect(new Set(all.map(({ id }: { id: number }) => id)).size).toBe(200);
  });
});

/** A field under forty names. */
const names = (field: string): string => Array.from({ length: 40 }, (_, i) => `a${i}: ${field}`).join(' ');

/** Creates this number of materials with a title and a description of 4,000 letters. */
const makeMaterials = (titulo: string, letter: string, count: number) =>
  small().sql(
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select $1, repeat($2, 4000), 'L', (select min(id) from unidade_medida) from generate_series(1, $3::int)`,
    [titulo, letter, count],
  );

describe('a request over the limits of an answer', () => {
  beforeAll(async () => {
    await makeMaterials('Grande', 'x', 1);
    await makeMaterials('Vasto', 'x', 30);
    await makeMaterials('Controle', '\u0001', 6);
  });

  const refusedFor = async (query: string) => {
    const { data, errors } = await (await small().as('admin')).graphql(query);
    expect(errors).toMatchObject(tooLarge);
    expect(errors![0]!.message).toMatch(/1000 registros.*100000 bytes/);
    return data;
  };

  it('is refused for the size of its pages, before any is read', async () => {
    await makeInvoice(small(), 600);
    const admin = await small().as('admin');
    const query = (fields: string) =>
      admin.graphql(`query ($size: Int = 600) { ${fields} }`, undefined).then(({ errors }) => errors);
    const list = 'lotes(pagination: true, itemsPerPage: $size) { data { id } }';
    expect(await query(`a: ${list}`)).toBeUndefined();
    const errors = await query(`a: ${list} b: ${list}`);
    expect(errors).toMatchObject(tooLarge);
    expect(errors![0]!.message).toMatch(/1200 registros.*1000 registros/);
  });

  it('is refused for the rows of several fields together', async () => {
    const id = await makeInvoice(small(), 600);
    const field = `notaFiscal(id: ${id}) { lotes { id } }`;
    const admin = await small().as('admin');
    expect((await admin.graphql(`{ a: ${field} }`)).errors).toBeUndefined();
    await refusedFor(`{ a: ${field} b: ${field} }`);
  });

  it('is refused for the rows of one to-many field', async () => {
    const id = await makeInvoice(small(), 1_200);
    expect(await refusedFor(`{ notaFiscal(id: ${id}) { lotes { id } } }`)).toEqual({ notaFiscal: null });
    const over = await (await small().as('admin')).get(`/almoxarifadoquimicos/notas-fiscais/${id}`);
    expectProblem(over, 422, 'RESULT_TOO_LARGE');
    expect(over.body.detail).toMatch(/1000 registros/);
  });

  it.each([
    ['names', `{ materiais(pagination: true, itemsPerPage: 20) { data { ${'a'.repeat(6_000)}: id } } }`],
    ['one text under many names', `{ materiais(titulo: "grande") { data { ${names('descricao')} } } }`],
    [
      'a link under many names',
      `{ lotes(pagination: false) { data { ${names('material { descricao }')} } } }`,
    ],
    ['many texts', '{ materiais(titulo: "vasto", pagination: false) { data { descricao } } }'],
    ['letters that JSON escapes', '{ materiais(titulo: "controle") { data { descricao } } }'],
  ])('is refused for its bytes: %s', async (_, query) => {
    expect(Object.values(await refusedFor(query))).toEqual([null]);
  });

  it('is refused over REST, too', async () => {
    const admin = await small().as('admin');
    expectProblem(await admin.get('/almoxarifadoquimicos/materiais?titulo=vasto'), 422, 'RESULT_TOO_LARGE');
  });

  it('leaves its connections usable', async () => {
    const ids = async () =>
      await small().sql(
        `select pid from pg_stat_activity where datname = current_database() and application_name = current_setting('application_name') order by 1`,
      );
    const before = await ids();
    await refusedFor('{ materiais(titulo: "vasto", pagination: false) { data { descricao catmat } } }');
    expect(await ids()).toEqual(before);
  });

  it('is refused for the content of a file under several names', async () => {
    const admin = (await small().as('admin')).with(systemHeaders);
    const conteudo = Buffer.alloc(600).toString('base64');
    const origin = { id_tabela_origem: 1, nome_tabela_origem: 'material', nome: 'a.bin', tipo_mime: 'a/b' };
    const { status, body } = await admin.post('/arquivosdigitais/arquivos-digitais', { ...origin, conteudo });
    expect(status).toBe(201);
    const ask = (fields: string) =>
      admin.graphql(`{ arquivosDigitais(idsDosArquivos: [${body.id}]) { data { ${fields} } } }`);
    expect((await ask('a: conteudo')).data.arquivosDigitais.data).toEqual([{ a: conteudo }]);
    expect((await ask('a: conteudo b: conteudo')).errors).toMatchObject(tooLarge);
  });

  it('counts a field once if several fragments have it under one name', async () => {
    const spreads = Array.from({ length: 20 }, () => '...F').join(' ');
    const query = `{ materiais(titulo: "grande") { data { ${spreads} } } } fragment F on Material { descricao }`;
    const { data, errors } = await (await small().as('admin')).graphql(query);
    expect(errors).toBeUndefined();
    expect(data.materiais.data[0].descricao).toHaveLength(4_000);
  });
});

it('other requests get their turn while a long answer is made', async () => {
  const admin = await service().as('admin');
  const id = await makeInvoice(service(), 6_000);
  let turns = 0;
  let atLastRows = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await new Promise(resolve => setImmediate(resolve));
  })();
  const restore = readThrough(service(), async (read, ...asked) => {
    const rows = await read(...asked);
    atLastRows = turns;
    return rows;
  });
  try {
    const { data } = await admin.graphql(`{ notaFiscal(id: ${id}) { lotes { ${names('quantidade')} } } }`);
    expect(data.notaFiscal.lotes).toHaveLength(6_000);
  } finally {
    restore();
    isDone = true;
    await others;
  }
  // Twelve timers fire while 6,000 rows become records, the others while the records become the answer.
  expect(turns - atLastRows).toBeGreaterThan(18);
});
