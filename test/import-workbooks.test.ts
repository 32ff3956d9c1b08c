import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { useImports } from './support/imports.ts';
import { useService } from './support/service.ts';

// Imports in the test's process have the time limits of requests, which a busy machine may exceed.
const service = useService({ STATEMENT_TIMEOUT_MS: '120000' });
const { file, load } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

/** A workbook of these rows, with number formats by cell. */
async function workbook(
  rows: ExcelJS.CellValue[][],
  formats: Readonly<Record<string, string>> = {},
): Promise<string> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Dados');
  sheet.addRows(rows);
  for (const [cell, format] of Object.entries(formats)) sheet.getCell(cell).numFmt = format;
  return file(Buffer.from(await book.xlsx.writeBuffer()), 'xlsx');
}

const error = (text: string) => ({ error: text }) as ExcelJS.CellErrorValue;
const calculated = (result?: ExcelJS.CellFormulaValue['result'] | ExcelJS.CellErrorValue) =>
  ({ formula: 'B1*C1', result }) as ExcelJS.CellFormulaValue;

describe('a formula in a workbook', () => {
  it('counts as its result, also if that is 0, FALSE, a day, or shared with other cells', async () => {
    const path = await workbook(
      [
        ['descricao', 'orgao_controlador', 'exige_aprovacao'],
        [calculated('Calculado'), calculated(0), calculated(true)],
        ['Outro', calculated(false), calculated(false)],
        ['Terceiro', { sharedFormula: 'B2', result: 7 }, 'sim'],
        ['Quarto', calculated(new Date('2027-01-02T00:00:00Z')), true],
        ['Quinto', calculated(''), false],
      ],
      { B5: 'dd/mm/yyyy' },
    );
    expect(await load('tipos-controle', path)).toMatchObject({ created: 5 });
    const found = await sql(
      `select descricao, orgao_controlador, exige_aprovacao from tipo_controle order by id desc limit 5`,
    );
    expect(found.toReversed()).toEqual([
      ['Calculado', '0', true],
      ['Outro', 'FALSE', false],
      ['Terceiro', '7', true],
      ['Quarto', '2027-01-02', true],
      ['Quinto', null, false],
    ]);
  });

  it('that shows an error, or was not calculated yet, is a problem in every kind of column', async () => {
    const titles = ['sigla', 'descricao', 'unidade_controle', 'fator_controle'];
    const path = await workbook([
      titles,
      [calculated(error('#N/A')), error('#N/A'), calculated(error('#REF!')), calculated(error('#DIV/0!'))],
      ['ok', '#NOME?', calculated(), calculated()],
    ]);
    await expect(load('unidades-medida', path)).rejects.toThrow(
      `has 7 problems.
  row 2, sigla: expected a value: at most 20 characters, without invisible characters, found "#N/A"
  row 2, descricao: expected a value: at most 100 characters, found "#N/A"
  row 2, unidade_controle: expected a value: K or L, found "#REF!"
  row 2, fator_controle: expected a value: a number above 0, found "#DIV/0!"
  row 3, descricao: expected a value: at most 100 characters, found "#NOME?"
  row 3, unidade_controle: expected a value: K or L, found "#CALC!"
  row 3, fator_controle: expected a value: a number above 0, found "#CALC!"`,
    );
  });

  it('may be split anywhere between two chunks of the file', async () => {
    // Each title takes the formulas to other places in their chunks.
    const rows = Array.from({ length: 6_000 }, (_, i) => [
      calculated(`F${i}`),
      { formula: `"N"&${'A'.repeat(i % 97)}1`, result: `Nome ${i}` },
    ]);
    expect(await load('lotacoes', await workbook([['sigla', 'nome'], ...rows]))).toMatchObject({
      created: 6_000,
    });
    expect(
      await sql(
        `select count(*)::int from lotacao where sigla ~ '^F' and nome = 'Nome ' || substr(sigla, 2)`,
      ),
    ).toEqual([[6_000]]);
  });
});

describe('a number in a workbook', () => {
  const titles = ['sigla', 'descricao', 'unidade_controle', 'fator_controle'];

  it('has 15 digits, as spreadsheets show it, and no exponent', async () => {
    const path = await workbook([
      titles,
      ['n1', 1.1 * 1.1, 'K', calculated(1.1 * 1.1)],
      ['n2', 1e-7, 'K', 1e-7],
      ['n3', 1e21, 'K', 1 / 3],
      ['n4', 1234567890123456, 'K', 1],
    ]);
    expect(await load('unidades-medida', path)).toMatchObject({ created: 4 });
    expect(
      await sql(
        `select descricao, fator_controle from unidade_medida where sigla ~ '^n[1-4]$' order by sigla`,
      ),
    ).toEqual([
      ['1.21', 1.21],
      ['0.0000001', 1e-7],
      ['1000000000000000000000', 0.333333333333333],
      ['1234567890123456', 1],
    ]);
  });

  it('that is shown as a percentage is read as one, like in a csv', async () => {
    const formats = { B2: '0%', B3: '0.0%;[Red]-0.0%', B4: '0"%"', D2: '0.00%' };
    const rows = [titles, ['p1', 0.37, 'K', 0.37], ['p2', 0.375, 'K', 1], ['p3', 37, 'K', 1]];
    await expect(load('unidades-medida', await workbook(rows, formats))).rejects.toThrow(
      'row 2, fator_controle: expected a number above 0, found "37%"',
    );
    expect(
      await load('unidades-medida', await workbook(rows.toSpliced(1, 1), { B2: '0%', B3: '0"%"' })),
    ).toMatchObject({ created: 2 });
    expect(await sql(`select descricao from unidade_medida where sigla ~ '^p[23]$' order by sigla`)).toEqual([
      ['37.5%'],
      ['37'],
    ]);
  });

  it('is a CNPJ without its leading zeros, if the check digits are right', async () => {
    const titles = ['nome', 'cnpj', 'tipo_empresa_descricao'];
    await load('empresas', await workbook([titles, ['Banco', 191, 'Fornecedor']]));
    expect(await sql(`select cnpj from empresa where nome = 'Banco'`)).toEqual([['00000000000191']]);
    await expect(load('empresas', await workbook([titles, ['Outro', 192, 'Fornecedor']]))).rejects.toThrow(
      'row 2, cnpj: expected a CNPJ',
    );
  });
});

describe('the titles of a file', () => {
  it.each(['xlsx', 'csv'])('cannot have an empty one between or before them: %s', async type => {
    for (const titles of [
      ['sigla', '', 'nome'],
      ['', 'sigla', '', 'nome'],
    ]) {
      const row = titles.map(title => title && 'x');
      const path =
        type === 'csv'
          ? await file([titles, row].map(cells => cells.join(';')).join('\n'))
          : await workbook([titles, row].map(cells => cells.map(cell => cell || null)));
      await expect(load('lotacoes', path)).rejects.toThrow(
        /row 1 of the file are wrong:\n( {2}column \d has no header\n)+Columns of lotacoes/,
      );
    }
  });

  it.each(['\n', '\r\n'])('name the separator, also after a blank line: %j', async end => {
    const lines = ['', '  ', 'sigla,nome', `BL${end.length},Depois`];
    expect(await load('lotacoes', await file(lines.join(end)))).toMatchObject({ created: 1 });
  });
});
