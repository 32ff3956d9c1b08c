import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  consumed,
  entered,
  fileAt,
  makeChemical,
  makePartner,
  noon,
  post,
  type Chemical,
} from './support/controlled.ts';
import { useImports } from './support/imports.ts';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { readSiproquim } from './support/siproquim-reader.ts';
import { batchBody, makeBatch, makeInvoice, invoiceBody, move, paths, type Body } from './support/stock.ts';

const service = useService({ INSTITUTION_CNPJ: '11222333000181', INSTITUTION_PURPOSE: '2' });
const { file, load } = useImports(service);
const area = '/almoxarifadoquimicos';
const map = `${area}/mapa-mensal`;
const almoxarife = () => service().as('almoxarife');
const close = async (ano: number, mes: number, more: object = {}) =>
  (await almoxarife()).post(`${map}/fechar`, { ano, mes, ...more });
const reopen = async (ano: number, mes: number) =>
  (await almoxarife()).post(`${map}/reabrir`, { ano, mes, motivo: 'Faltou uma nota' });
const approve = async (id: number) => (await almoxarife()).post(paths.approvals, { id_movimentacao: id });

afterAll(() => expectBalanced(service()));

/** The error for a change of a closed month, which says what to do. */
function expectClosed(answer: Parameters<typeof expectProblem>[0], month: string): void {
  expectProblem(answer, 409, 'CONFLICT');
  expect(answer.body.detail).toMatch(`O mapa de ${month} está fechado`);
  expect(answer.body.detail).toMatch(/, ou reabra o mapa\.$/);
}

/** Moves the entry of a batch to a day, also of a closed month. */
async function enterOn(idLote: number, day: string): Promise<void> {
  await service().sql('alter table movimentacao disable trigger user');
  await service().sql('update movimentacao set data = $2 where id_lote = $1', [idLote, noon(day)]);
  await service().sql('alter table movimentacao enable trigger user');
}

describe('a closed month', () => {
  let acid: Chemical;
  let waiting: number[];
  let closing: Body;
  const month = `${map}?ano=2025&mes=4`;

  beforeAll(async () => {
    acid = await makeChemical(service(), { titulo: 'Ácido' });
    await post(service(), consumed(acid, 500, '2025-04-10'));
    const watched = await makeChemical(service(), { controlado: true });
    await approveEntry(watched);
    await enterOn(watched.idLote, '2025-04-01');
    waiting = await post(
      service(),
      consumed(watched, 1, '2025-04-30'),
      consumed(watched, 2, '2025-04-30'),
      consumed(watched, 3, '2025-04-30'),
    );
  });

  /** The entry of a batch that is pending because its material requires approval. */
  async function approveEntry({ idLote }: Chemical): Promise<void> {
    const rows = await service().sql(
      'select id from movimentacao where id_lote = $1 and id_status_movimentacao = 1',
      [idLote],
    );
    for (const [id] of rows) expect((await approve(id as number)).status).toBe(200);
  }

  it('is closed by a person who manages the map, after the month has ended, if they confirm the open findings', async () => {
    const technician = await service().as('tecnico');
    expectProblem(await technician.post(`${map}/fechar`, { ano: 2025, mes: 4 }), 403, 'FORBIDDEN');
    expectProblem(await close(2025, 13), 422, 'VALIDATION_FAILED');
    const now = new Date();
    expectProblem(await close(now.getFullYear(), now.getMonth() + 1), 409, 'INVALID_STATE');
    const refused = await close(2025, 4);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.errors).toMatchObject([{ field: 'ciente_pendencias' }]);
    expect(refused.body.detail).toContain('veja o relatório “Pendências do mapa de controle”');
    const { status, body } = await close(2025, 4, { ciente_pendencias: true });
    expect(status, JSON.stringify(body)).toBe(200);
    closing = body;
    const { text } = await fileAt(service(), month);
    expect(closing).toMatchObject({
      ano: 2025,
      mes: 4,
      nome_arquivo: 'M2025ABR11222333000181.txt',
      tamanho: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      protocolo: null,
      reaberto_em: null,
    });
    expect(readSiproquim(text).consumos).toMatchObject([{ milesimos: 500 }]);
    expectProblem(await close(2025, 4, { ciente_pendencias: true }), 409, 'INVALID_STATE');
  });

  it('refuses what would take effect in it or leave it, and says what to do', async () => {
    const client = await almoxarife();
    const [first, second, third] = waiting as [number, number, number];
    expectClosed(await approve(first), '4/2025');
    const movement = `${paths.movements}/${first}`;
    const { body } = await client.get(movement);
    expectClosed(await client.put(movement, { ...body, quantidade: 9 }), '4/2025');
    expectClosed(await client.delete(movement), '4/2025');
    expect((await client.post(`${paths.approvals}?rejeitar=true`, { id_movimentacao: second })).status).toBe(
      200,
    );
    const { data, errors } = await client.graphql(
      'mutation ($id: Int!) { aprovarMovimentacao(idMovimentacao: $id) { id } }',
      { id: third },
    );
    expect([data.aprovarMovimentacao, errors![0]!.extensions.code]).toEqual([null, 'CONFLICT']);
  });

  it('keeps its batches, which cannot get another material or be deleted', async () => {
    const base = await makeChemical(service());
    const other = await makeChemical(service());
    await enterOn(base.idLote, '2025-04-20');
    const client = await almoxarife();
    const path = `${paths.batches}/${base.idLote}`;
    const { body } = await client.get(path);
    expectClosed(await client.put(path, { ...body, id_material: other.id }), '4/2025');
    expectClosed(await client.delete(path), '4/2025');
    const free = await makeBatch(service());
    await enterOn(free.id, '2025-04-20');
    expectClosed(
      await client.put(`${paths.batches}/${free.id}`, { ...free, id_material: acid.id }),
      '4/2025',
    );
    expect((await client.delete(`${paths.batches}/${free.id}`)).status).toBe(200);
  });

  it('keeps its file, whatever changes in the records behind it', async () => {
    const client = await almoxarife();
    const before = await fileAt(service(), month);
    const { body: shown } = await client.get(month);
    await service().sql(
      `update material set titulo = 'Outro', densidade = 1, concentracao = 5, codigo_pf = 'TPN11112222' where id = $1`,
      [acid.id],
    );
    await service().sql(
      'update unidade_medida set fator_controle = 7 where id = (select id_unidade_medida from material where id = $1)',
      [acid.id],
    );
    await service().sql('update "local" set finalidade = 5 where id = $1', [acid.place]);
    const [[used]] = (await service().sql(
      `select id from movimentacao where id_lote = $1 and id_tipo_movimentacao = 4`,
      [acid.idLote],
    )) as [[number]];
    // It counts in the month in which it is registered.
    const { errors } = await client.graphql(
      'mutation ($id: Int!) { estornarMovimentacao(id: $id, quantidade: 50) { id } }',
      { id: used },
    );
    expect(errors).toBeUndefined();
    expect(await fileAt(service(), month)).toEqual(before);
    const { body: after } = await client.get(month);
    expect(after).toMatchObject({
      situacao: 'fechado',
      fechamento: { id: closing.id, sha256: closing.sha256 },
    });
    expect([after.consumos, after.produtos]).toEqual([shown.consumos, shown.produtos]);
    const lines = '/relatorios/almoxarifado-quimicos/linhas-mapa?ano=2025&mes=4';
    expect((await client.get(lines)).body.data).toMatchObject([{ quantidade: 0.5, codigo: acid.codigo }]);
  });

  it('is sent once, with its protocol number', async () => {
    const client = await almoxarife();
    const sending = { ano: 2025, mes: 4, protocolo: '2025.04.000123' };
    const { body } = await client.post(`${map}/registrar-envio`, sending);
    expect(body).toMatchObject({
      id: closing.id,
      protocolo: sending.protocolo,
      enviado_por: expect.any(Number),
    });
    expect((await client.get(month)).body.situacao).toBe('enviado');
    expectProblem(await client.post(`${map}/registrar-envio`, sending), 409, 'INVALID_STATE');
    expectProblem(await client.post(`${map}/registrar-envio`, { ...sending, mes: 5 }), 409, 'INVALID_STATE');
  });

  it('is reopened with a reason, changes again, and what was sent is still there', async () => {
    const client = await almoxarife();
    expectProblem(
      await client.post(`${map}/reabrir`, { ano: 2025, mes: 4, motivo: '' }),
      422,
      'VALIDATION_FAILED',
    );
    const sent = await fileAt(service(), month);
    const { body } = await reopen(2025, 4);
    expect(body).toMatchObject({
      id: closing.id,
      motivo: 'Faltou uma nota',
      reaberto_em: expect.any(String),
    });
    expectProblem(await reopen(2025, 4), 409, 'INVALID_STATE');
    expect((await approve(waiting[0]!)).status).toBe(200);
    const { text } = await fileAt(service(), month);
    expect(text).not.toBe(sent.text);
    expect(await fileAt(service(), `${area}/fechamentos-mapa/${closing.id}`)).toEqual(sent);
    const again = await close(2025, 4, { ciente_pendencias: true });
    expect([again.status, again.body.protocolo]).toEqual([200, null]);
    const { body: all } = await client.get(`${area}/fechamentos-mapa?ano=2025&mes=4`);
    expect(all.data.map(({ id }: Body) => id)).toEqual([again.body.id, closing.id]);
    const trail = await service().sql(
      `select operacao, p.usuario from auditoria a join pessoa p on p.id = a.id_pessoa
       where tabela = 'fechamento_mapa' and id_registro = $1 order by a.id`,
      [closing.id],
    );
    expect(trail).toEqual([
      ['insert', 'almoxarife'],
      ['update', 'almoxarife'],
      ['update', 'almoxarife'],
    ]);
  });

  it.each([
    `update fechamento_mapa set sha256 = repeat('0', 64)`,
    `update fechamento_mapa set protocolo = 'x' where protocolo is not null`,
    `update fechamento_mapa set materiais = '{}'`,
    'update fechamento_mapa set reaberto_em = null, motivo = null, reaberto_por = null where reaberto_em is not null',
    'delete from fechamento_mapa',
    'truncate fechamento_mapa, conteudo_mapa, informado_mapa',
    `update conteudo_mapa set arquivo = ''`,
    'delete from conteudo_mapa',
    'update informado_mapa set finalidade = 1',
    'delete from informado_mapa',
    'truncate informado_mapa',
  ])('is not changed by SQL either: %s', async statement => {
    await expect(service().sql(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses a movement in it that SQL writes', async () => {
    const movement = consumed(acid, 1, '2025-04-02');
    await expect(post(service(), movement)).rejects.toMatchObject({ code: 'SI003' });
    await expect(post(service(), consumed(acid, 1, '2025-03-31'), movement)).rejects.toMatchObject({
      code: 'SI003',
    });
    await post(service(), consumed(acid, 1, '2025-05-01'));
  });
});

describe('a closed month, whatever becomes of its materials,', () => {
  let monthsUsed = 0;
  /** A month that no other test closes: its name in texts, and a day in it. */
  const nextMonth = () => {
    monthsUsed += 1;
    return {
      mes: monthsUsed,
      name: `${monthsUsed}/2024`,
      day: `2024-${String(monthsUsed).padStart(2, '0')}-15`,
    };
  };
  const change = async (id: number, changes: object): Promise<void> => {
    const client = await almoxarife();
    const path = `${area}/materiais/${id}`;
    const { body } = await client.get(path);
    const { status, body: answer } = await client.put(path, { ...body, alterado_por: 1, ...changes });
    expect(status, JSON.stringify(answer)).toBe(200);
  };
  /** The control of the Army, whose chemicals wait for approval but are not in the map. */
  const outside = async (): Promise<number> =>
    (await service().sql(`select id from tipo_controle where descricao = 'Exército'`))[0]![0] as number;
  const makeMixture = async ({ id, codigo }: Chemical): Promise<void> => {
    await service().sql(
      'insert into substancia_controlada (id_material, codigo_pf, concentracao) values ($1, $2, 30)',
      [id, codigo],
    );
    await change(id, { codigo_pf: null, ncm: '3824.99.89', id_tipo_controle: await outside() });
  };
  const mapFederalPolice = (mapped: boolean) =>
    service().sql(`update tipo_controle set mapa_pf = $1 where descricao = 'Polícia Federal'`, [mapped]);
  afterEach(() => mapFederalPolice(true));

  type Step = (acid: Chemical) => Promise<unknown>;
  it.each<[string, Step, Step?]>([
    [
      'loses its code, and gets a control outside the map',
      async ({ id }) => change(id, { codigo_pf: null, id_tipo_controle: await outside() }),
    ],
    ['moves to a list that the map leaves out', ({ id }) => change(id, { lista_pf: 'VII' })],
    [
      'is a mixture that loses its controlled chemical',
      ({ id }) => service().sql('delete from substancia_controlada where id_material = $1', [id]),
      makeMixture,
    ],
    [
      'has a control that leaves the map',
      () => mapFederalPolice(false),
      ({ id }) => change(id, { codigo_pf: null }),
    ],
  ])('keeps the movements and batches of one that %s', async (_how, leave, prepare) => {
    const { mes, name, day } = nextMonth();
    const acid = await makeChemical(service(), { controlado: true });
    await prepare?.(acid);
    const [first, second] = await post(service(), consumed(acid, 1, day), consumed(acid, 2, day));
    const batch = await makeBatch(service(), { id_material: acid.id });
    await enterOn(batch.id, day);
    expect((await close(2024, mes, { ciente_pendencias: true })).status).toBe(200);
    await leave(acid);
    const client = await almoxarife();
    expectClosed(await approve(first!), name);
    expectClosed(await client.delete(`${paths.movements}/${second}`), name);
    expectClosed(await client.delete(`${paths.batches}/${batch.id}`), name);
    const { id_material } = await makeBatch(service());
    for (const write of [
      service().sql('update lote set id_material = $2 where id = $1', [batch.id, id_material]),
      post(service(), consumed(acid, 1, day)),
    ])
      await expect(write).rejects.toMatchObject({ code: 'SI003' });
  });

  it('is kept from materials that entered the map later, too', async () => {
    const { mes, name, day } = nextMonth();
    const plain = await makeBatch(service());
    await enterOn(plain.id, day);
    expect((await close(2024, mes)).status).toBe(200);
    await change(plain.id_material, { codigo_pf: 'TPN11112222', concentracao: 50, densidade: 1 });
    expectClosed(await (await almoxarife()).delete(`${paths.batches}/${plain.id}`), name);
  });

  it('is kept with the materials of today if it was closed by an earlier version', async () => {
    const { migrator } = service().services.orm;
    const kept = { migrations: ['Migration20261127000111'] };
    const triggers = `select array_agg(pg_get_functiondef(oid) order by proname)::text from pg_proc where proname ~ '^mapa_'`;
    const today = await service().sql(triggers);
    await migrator.down(kept);
    const before = await service().sql(triggers);
    expect(before.join()).not.toContain('materiais');
    await migrator.up(kept);
    expect(await service().sql(triggers)).toEqual(today);
    const found = await service().sql(
      `select distinct materiais = array(select id from material where material_no_mapa(id) order by id), cardinality(materiais) > 5
       from fechamento_mapa`,
    );
    expect(found).toEqual([[true, true]]);
  });
});

/** Every way to change the ledger. Movements get the database's time, so SQL closes the current month. */
describe('a closed month of today', () => {
  let base: Chemical;
  let nota: Body;
  let used: Body;
  beforeAll(async () => {
    base = await makeChemical(service());
    nota = await makeInvoice(service(), { id_fornecedor: await makePartner(service(), 'Fornecedor') });
    used = (await move(service(), consumption())).body.data[0];
    await service().sql(
      `insert into fechamento_mapa (ano, mes, inicio, fim, nome_arquivo, tamanho, sha256)
       select extract(year from m), extract(month from m), m, m + interval '1 month', 'M.txt', 0, repeat('0', 64)
       from date_trunc('month', now()) m`,
    );
  });
  afterAll(() =>
    service().sql(
      `update fechamento_mapa set reaberto_em = now(), motivo = 'fim' where nome_arquivo = 'M.txt'`,
    ),
  );

  const consumption = (more: object = {}) => ({
    id_lote: base.idLote,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: base.place,
    quantidade: 5,
    fl_estorno: 'N',
    ...more,
  });
  const thisMonth = (): string => {
    const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })
      .format()
      .split('-');
    return `${Number(month)}/${year}`;
  };
  const arrival = (more: object = {}) => batchBody(service(), { id_material: base.id, ...more });

  it.each<[string, () => Promise<Parameters<typeof expectProblem>[0]>]>([
    ['a movement', () => move(service(), consumption())],
    ['a reversal', () => move(service(), consumption({ fl_estorno: 'S' }))],
    ['a transfer', () => move(service(), consumption({ id_tipo_movimentacao: 3, id_local_destino_fim: 1 }))],
    ['a batch', async () => (await almoxarife()).post(paths.batches, await arrival())],
    [
      'stock',
      async () =>
        (await almoxarife()).post(paths.stock, {
          id_lote: base.idLote,
          id_local_fim: base.place,
          id_local_armazenado: base.place,
          quantidade: 1,
        }),
    ],
    [
      'an invoice with items',
      async () =>
        (await almoxarife()).post(paths.invoices, await invoiceBody(service(), { lotes: [await arrival()] })),
    ],
    [
      'an item of an invoice',
      async () =>
        (await almoxarife()).put(`${paths.invoices}/${nota.id}`, { ...nota, lotes: [await arrival()] }),
    ],
  ])('refuses %s', async (_what, ask) => {
    expectClosed(await ask(), thisMonth());
  });

  it('refuses a reversal by GraphQL, and an import of opening stock', async () => {
    const client = await almoxarife();
    const { errors } = await client.graphql('mutation ($id: Int!) { estornarMovimentacao(id: $id) { id } }', {
      id: used.id,
    });
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
    const [[titulo]] = (await service().sql('select titulo from material where id = $1', [base.id])) as [
      [string],
    ];
    const [[fabricante]] = (await service().sql(
      'select nome from empresa where id = (select id_fabricante from lote where id = $1)',
      [base.idLote],
    )) as [[string]];
    const batches = await file(`material_titulo;fabricante_nome;cod_lote\n${titulo};${fabricante};IMP-1`);
    await load('lotes', batches);
    const [[sigla]] = (await service().sql('select sigla from "local" where id = $1', [base.place])) as [
      [string],
    ];
    const opening = await file(
      `lote_material_titulo;lote_fabricante_nome;lote_cod_lote;local_fim_sigla;local_armazenado_sigla;quantidade\n${titulo};${fabricante};IMP-1;${sigla};${sigla};3`,
    );
    await expect(load('saldos-iniciais', opening, false, 'almoxarife')).rejects.toThrow('is closed');
  });

  it('does not prevent other movements', async () => {
    const free = await makeBatch(service());
    const answer = await move(service(), {
      ...consumption(),
      id_lote: free.id,
      id_local_origem_fim: free.id_local,
    });
    expect(answer.status).toBe(201);
  });
});

test('a movement that is approved while its month is closed is in the file, or is refused', async () => {
  const watched = await makeChemical(service(), { controlado: true });
  await enterOn(watched.idLote, '2025-08-01');
  const ids = await post(
    service(),
    ...Array.from({ length: 12 }, (_, i) => consumed(watched, 2 ** i, '2025-08-15')),
  );
  const before = await post(service(), entered(watched, 1, '2025-08-01'));
  expect((await approve(before[0]!)).status).toBe(200);
  const answers = await Promise.all([
    ...ids.slice(0, 5).map(approve),
    close(2025, 8, { ciente_pendencias: true }),
    ...ids.slice(5).map(approve),
  ]);
  const [closed] = answers.splice(5, 1);
  expect(closed!.status, JSON.stringify(closed!.body)).toBe(200);
  const lines = readSiproquim((await fileAt(service(), `${map}?ano=2025&mes=8`)).text).consumos;
  const amount = lines.reduce((sum, { milesimos }) => sum + milesimos, 0);
  const taken = answers.reduce((sum, { status }, i) => sum + (status === 200 ? 2 ** i : 0), 0);
  expect(amount).toBe(taken);
  for (const answer of answers) if (answer.status !== 200) expectClosed(answer, '8/2025');
});
