import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Local } from '../src/entities/almoxarifado/local.ts';
import { useImports } from './support/imports.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, move, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

// Imports in the test's process have the time limits of requests, which a busy machine may exceed.
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, run, load } = useImports(service);
const almoxarife = () => service().as('almoxarife');

let material: string;
let controlled: string;
let maker: string;
let here: Local;
let there: Local;

beforeAll(async () => {
  material = (await makeMaterial(service())).titulo;
  controlled = (await makeMaterial(service(), { controlado: true })).titulo;
  maker = (await makeCompany(service())).nome!;
  [here, there] = [await makePlace(service()), await makePlace(service())];
});
afterEach(() => expectBalanced(service()));

const rows = (header: string, ...lines: string[]): Promise<string> => file([header, ...lines].join('\n'));

const importBatches = async (...lines: string[]) =>
  load('lotes', await rows('material_titulo;fabricante_nome;cod_lote;data_venc', ...lines));
const BALANCES =
  'lote_material_titulo;lote_fabricante_nome;lote_cod_lote;local_fim_sigla;local_armazenado_sigla;quantidade';
const importBalances = async (lines: string[], dryRun = false) =>
  load('saldos-iniciais', await rows(BALANCES, ...lines), dryRun, 'almoxarife');
const balance = (code: string, at: { sigla: string | null }, quantity: number, titulo = material) =>
  [titulo, maker, code, at.sigla, at.sigla, quantity].join(';');

const batchOf = async (code: string | null, titulo = material): Promise<Body> => {
  const list = await (await almoxarife()).get(`${paths.batches}?titulo=${encodeURIComponent(titulo)}`);
  return list.body.data.find((batch: Body) => batch.cod_lote === code);
};

describe('an import of batches', () => {
  it('creates batches without stock, and knows them again by material, manufacturer and code', async () => {
    const created = { created: 3, changed: 0, same: 0 };
    const lines = [
      `${material};${maker};A-1;2031-01-31`,
      `${material};${maker};;`,
      `${material};${maker};A-2;`,
    ];
    expect(await importBatches(...lines)).toEqual(created);
    expect(await importBatches(`${material};${maker};A-1;31/01/2032`, ...lines.slice(1))).toEqual({
      created: 0,
      changed: 1,
      same: 2,
    });
    expect(await batchOf('A-1')).toMatchObject({ data_venc: '2032-01-31', quantidade: 0, id_local: null });
    expect(await movementsOf(service(), (await batchOf('A-1')).id)).toEqual([]);
    // A file without the column finds the batch without a code.
    const path = await rows('material_titulo;fabricante_nome;data_venc', `${material};${maker};2030-02-28`);
    expect(await load('lotes', path)).toEqual({ created: 0, changed: 1, same: 0 });
    expect(await batchOf(null)).toMatchObject({ data_venc: '2030-02-28' });
    expect(await batchOf('A-2')).toMatchObject({ data_venc: null });
  });

  it('refuses rows of the same batch, with or without a code, and cells without a header', async () => {
    const twice = importBatches(`${material};${maker};B-1;`, `${material};${maker};B-1;2030-01-01`);
    await expect(twice).rejects.toThrow(
      'row 3, material_titulo, fabricante_nome, cod_lote: expected a value that no earlier row has',
    );
    await expect(importBatches(`${material};${maker};;`, `${material};${maker};;2030-01-01`)).rejects.toThrow(
      'row 3, material_titulo, fabricante_nome, cod_lote: expected a value that no earlier row has',
    );
    const stray = await rows('material_titulo;fabricante_nome', `${material};${maker};B-2`);
    await expect(load('lotes', stray)).rejects.toThrow('row 2, column 3: expected no value');
  });
});

describe('an import of opening balances', () => {
  it('enters each by a movement of type 2 in the name of a person, and nothing when it is repeated', async () => {
    await importBatches(`${material};${maker};C-1;`, `${material};${maker};C-2;`);
    const lines = [balance('C-1', here, 5), balance('C-1', there, 3), balance('C-2', there, 8)];
    expect(await importBalances(lines)).toEqual({ created: 3, changed: 0, same: 0 });
    const person = (await service().sql(`select id from pessoa where usuario = 'almoxarife'`))[0]![0];
    const batch = await batchOf('C-1');
    expect(batch).toMatchObject({
      quantidade: 8,
      id_local: here.id,
      id_local_destino: here.id,
      alterado_por: person,
    });
    expect([
      await stockAt(service(), batch.id, here.id),
      await stockAt(service(), batch.id, there.id),
    ]).toEqual([5, 3]);
    const entry = {
      id_tipo_movimentacao: 2,
      id_status_movimentacao: 2,
      fl_estorno: 'N',
      observacao: 'Saldo inicial',
    };
    expect(await movementsOf(service(), batch.id)).toMatchObject([
      { ...entry, quantidade: 5, id_local_destino_fim: here.id, criado_por: person },
      { ...entry, quantidade: 3, id_local_destino_fim: there.id, criado_por: person },
    ]);
    const trail = await service().sql(
      `select distinct id_pessoa, requisicao from auditoria
       where tabela = 'movimentacao' and alteracoes -> 'id_lote' ->> 1 = $1`,
      [String(batch.id)],
    );
    expect(trail).toEqual([[person, 'import saldos-iniciais']]);
    // Also after use: only the opening of each cell counts.
    const used = {
      id_lote: batch.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: here.id,
      quantidade: 5,
      fl_estorno: 'N',
    };
    expect((await move(service(), used)).status).toBe(201);
    expect(await importBalances(lines)).toEqual({ created: 0, changed: 0, same: 3 });
    expect(await stockAt(service(), batch.id, here.id)).toBe(0);
  });

  it('keeps separate what one location answers for and another one stores', async () => {
    await importBatches(`${material};${maker};D-1;`);
    const line = [material, maker, 'D-1', here.sigla, there.sigla, 4].join(';');
    await importBalances([line, balance('D-1', here, 1)]);
    const { id } = await batchOf('D-1');
    expect([await stockAt(service(), id, here.id, there.id), await stockAt(service(), id, here.id)]).toEqual([
      4, 1,
    ]);
  });

  it('refuses another quantity than a place opened with, and a place that something moved through', async () => {
    await importBatches(`${material};${maker};E-1;`);
    await importBalances([balance('E-1', here, 5)]);
    const expected =
      'row 2, quantidade: expected the quantity with which this place opened, which only a movement corrects';
    await expect(importBalances([balance('E-1', here, 6)])).rejects.toThrow(expected);
    const { id } = await batchOf('E-1');
    const transfer = {
      id_lote: id,
      id_tipo_movimentacao: 3,
      id_local_origem_fim: here.id,
      id_local_destino_fim: there.id,
    };
    expect((await move(service(), { ...transfer, quantidade: 2, fl_estorno: 'N' })).status).toBe(201);
    await expect(importBalances([balance('E-1', there, 3)])).rejects.toThrow(expected);
    expect([await stockAt(service(), id, here.id), await stockAt(service(), id, there.id)]).toEqual([3, 2]);
  });

  it('opens a place that a movement names but does not use', async () => {
    await importBatches(`${material};${maker};Q-1;`);
    await importBalances([balance('Q-1', here, 5)]);
    const { id } = await batchOf('Q-1');
    const out = { id_lote: id, id_tipo_movimentacao: 4, id_local_origem_fim: here.id, quantidade: 2 };
    expect((await move(service(), { ...out, id_local_destino_fim: there.id, fl_estorno: 'N' })).status).toBe(
      201,
    );
    expect(await importBalances([balance('Q-1', there, 3)])).toEqual({ created: 1, changed: 0, same: 0 });
    expect([await stockAt(service(), id, here.id), await stockAt(service(), id, there.id)]).toEqual([3, 3]);
  });

  it('counts a batch that was entered by a form as opened with what the form entered', async () => {
    const batch = await makeBatch(service(), { cod_lote: 'F-1', quantidade: 9 });
    const { titulo } = batch.material;
    const { nome } = batch.fabricante;
    const { sigla } = (
      await service().sql('select to_json(l) from local l where id = $1', [batch.id_local])
    )[0]![0] as {
      sigla: string;
    };
    const line = (quantity: number) => [titulo, nome, 'F-1', sigla, sigla, quantity].join(';');
    expect(await importBalances([line(9)])).toEqual({ created: 0, changed: 0, same: 1 });
    await expect(importBalances([line(8)])).rejects.toThrow('the quantity with which this place opened');
    expect(await batchOf('F-1', titulo)).toMatchObject({ quantidade: 9 });
  });

  it('waits for approval where the material is controlled, and is not entered again meanwhile', async () => {
    await importBatches(`${controlled};${maker};G-1;`, `${controlled};${maker};G-2;`);
    const lines = [balance('G-1', here, 2, controlled), balance('G-2', here, 2, controlled)];
    await importBalances(lines);
    expect(await importBalances(lines)).toEqual({ created: 0, changed: 0, same: 2 });
    const [first, second] = [await batchOf('G-1', controlled), await batchOf('G-2', controlled)];
    expect(await stockAt(service(), first.id, here.id)).toBeNull();
    const decide = async (batch: Body, query = '') => {
      const [{ id }] = await movementsOf(service(), batch.id);
      return (await service().as('admin')).post(`${paths.approvals}${query}`, { id_movimentacao: id });
    };
    expect((await decide(first)).status).toBe(200);
    expect(await stockAt(service(), first.id, here.id)).toBe(2);
    // A rejected movement does not open the cell.
    await decide(second, '?rejeitar=true');
    expect(await importBalances([lines[0]!, balance('G-2', here, 1, controlled)])).toMatchObject({
      created: 1,
      same: 1,
    });
  });

  it('gives a batch whose opening was rejected the quantity and the place of the file that corrects it', async () => {
    await importBatches(...['R-1', 'R-2'].map(code => `${controlled};${maker};${code};`));
    const lines = [balance('R-1', here, 10, controlled), balance('R-2', here, 10, controlled)];
    await importBalances([...lines, balance('R-2', there, 5, controlled)]);
    const decide = async (id: number, query = '') =>
      expect(
        (await (await service().as('admin')).post(`${paths.approvals}${query}`, { id_movimentacao: id }))
          .status,
      ).toBe(200);
    const openingsOf = async (code: string): Promise<Body[]> =>
      movementsOf(service(), (await batchOf(code, controlled)).id);
    const [first] = await openingsOf('R-1');
    await decide(first.id, '?rejeitar=true');
    expect(await importBalances([balance('R-1', there, 8, controlled)])).toMatchObject({ created: 1 });
    await decide((await openingsOf('R-1'))[1].id);
    const batch = await batchOf('R-1', controlled);
    expect(batch).toMatchObject({ quantidade: 8, id_local: there.id, id_local_destino: there.id });
    expect(await stockAt(service(), batch.id, there.id)).toBe(8);
    // A place more does not change with how much the batch arrived.
    const [, kept] = await openingsOf('R-2');
    await decide(kept.id);
    expect(await importBalances([balance('R-1', here, 3, controlled)])).toMatchObject({ created: 1 });
    expect(await batchOf('R-1', controlled)).toMatchObject({ quantidade: 8, id_local: there.id });
    expect(await batchOf('R-2', controlled)).toMatchObject({ quantidade: 15, id_local: here.id });
  });

  it('refuses a sum that a batch cannot have also where its opening was rejected', async () => {
    await importBatches(`${controlled};${maker};R-3;`);
    await importBalances([balance('R-3', here, 10, controlled)]);
    const [{ id }] = await movementsOf(service(), (await batchOf('R-3', controlled)).id);
    const client = await service().as('admin');
    expect((await client.post(`${paths.approvals}?rejeitar=true`, { id_movimentacao: id })).status).toBe(200);
    const most = balance('R-3', here, 2_147_483_647, controlled);
    await expect(importBalances([most, balance('R-3', there, 1, controlled)], true)).rejects.toThrow(
      'expected a sum of at most 2147483647 for the batch',
    );
  });

  it('reports what is wrong by row, and then enters nothing', async () => {
    await importBatches(`${material};${maker};H-1;`);
    const wrong = importBalances([
      balance('H-1', here, 5),
      balance('H-1', here, 6),
      balance('H-1', there, 0),
      balance('none', here, 1),
      [material, maker, 'H-1', there.sigla, there.sigla, ''].join(';'),
      balance('H-1', { sigla: 'NOWHERE' }, 1),
    ]);
    await expect(wrong).rejects.toThrow(/has 7 problems/);
    await expect(wrong).rejects.toThrow(/row 4, quantidade: expected a whole number from 1, found "0"/);
    await expect(wrong).rejects.toThrow(/row 5, .*expected exactly one record of lote/);
    expect(await importBalances([balance('H-1', here, 5)], true)).toMatchObject({ created: 1 });
    expect(await movementsOf(service(), (await batchOf('H-1')).id)).toEqual([]);
  });

  it('refuses quantities whose sum no batch can have, already when it only checks', async () => {
    await importBatches(`${material};${maker};S-1;`, `${material};${maker};S-2;`);
    const most = 2_147_483_647;
    const lines = [balance('S-1', here, most), balance('S-2', here, most), balance('S-2', there, 1)];
    await expect(importBalances(lines, true)).rejects.toThrow(
      /has 2 problems\.\n {2}row 3, .*lote_cod_lote, quantidade: expected a sum of at most 2147483647 for the batch.*\n {2}row 4/,
    );
    expect(await importBalances(lines.slice(0, 2))).toMatchObject({ created: 2 });
  });

  it('needs an active person, whom the command names', async () => {
    await importBatches(`${material};${maker};I-1;`);
    const path = await rows(BALANCES, balance('I-1', here, 5));
    expect(await run(1, 'saldos-iniciais', path)).toContain(
      'saldos-iniciais are entered in the name of a person. Say whose: --as <user>.',
    );
    expect(await run(1, '--as', 'ninguem', 'saldos-iniciais', path)).toContain(
      'No active person has the user name "ninguem".',
    );
    expect(await run(0, '--as', 'Tecnico', 'saldos-iniciais', path)).toContain(
      '1 created, 0 changed, 0 unchanged.',
    );
    const { id } = await batchOf('I-1');
    // The batch has an entry, like a batch that was created by a request.
    expect((await (await almoxarife()).delete(`${paths.batches}/${id}`)).status).toBe(200);
    expectProblem(await (await almoxarife()).get(`${paths.batches}/${id}`), 404, 'NOT_FOUND');
  });
});
