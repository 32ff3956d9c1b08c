import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { fileAt, rowsOf } from '../src/imports/rows.ts';
import type { Table } from '../src/reports/table.ts';
import { temporaryFolder } from './support/folder.ts';
import { needs } from './support/needs.ts';
import { download } from './support/spreadsheets.ts';

const isInstalled = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some(folder => existsSync(join(folder, 'soffice')));

const table: Table = {
  name: 'estoque',
  title: 'Estoque',
  columns: [
    { title: 'Material', path: 'material', type: 'text' },
    { title: 'Quantidade', path: 'quantidade', type: 'integer', total: true },
    { title: 'Densidade', path: 'densidade', type: 'decimal' },
    { title: 'Validade', path: 'validade', type: 'date' },
    { title: 'Criado em', path: 'criadoEm', type: 'timestamp' },
  ],
};
const rows = [
  {
    material: '=SOMA(1;1)',
    quantidade: -3,
    densidade: '-1.25',
    validade: '2026-11-20',
    criadoEm: '2026-11-19 22:30:00-03',
  },
  { material: 'µ α ≥ ç <&> "x"', quantidade: 10, densidade: 0.5, validade: null, criadoEm: null },
];

/** Saves the file in another format by LibreOffice, in a new folder below this one. Returns its path. */
async function saved(
  file: Buffer,
  folder: string,
  from: 'xlsx' | 'csv',
  to: 'xlsx' | 'fods',
): Promise<string> {
  await writeFile(join(folder, `file.${from}`), file);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  // Semicolons, quotes, UTF-8, columns as they come, in Portuguese, quoted cells as text, numbers recognized.
  const filter = from === 'csv' ? ['--infilter=CSV:59,34,76,1,,1046,true,true'] : [];
  const out = join(folder, 'saved');
  const convert = [
    '--headless',
    ...filter,
    '--convert-to',
    to,
    '--outdir',
    out,
    join(folder, `file.${from}`),
  ];
  await promisify(execFile)('soffice', [profile, ...convert]);
  return join(out, `file.${to}`);
}

/** The file as LibreOffice understands it, as its XML. */
const opened = async (file: Buffer, folder: string, format: 'xlsx' | 'csv'): Promise<string> =>
  readFile(await saved(file, folder, format, 'fods'), 'utf8');

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const unescaped = (xml: string): string => xml.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name]!);

/** The rows of a sheet, each cell as its type and what it holds; empty cells left out. */
function cellsOf(xml: string, sheet: string): string[][] {
  const [, content = ''] =
    new RegExp(`<table:table table:name="${sheet}"[^>]*>(.*?)</table:table>`, 's').exec(xml) ?? [];
  return [...content.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)]
    .map(([, row]) =>
      [...row!.matchAll(/<table:table-cell([^>]*?)>\s*<text:p>(.*?)<\/text:p>/gs)].map(
        ([, attributes, text]) => {
          const value = /office:(?:date-)?value="([^"]*)"/.exec(attributes!)?.[1];
          return `${/calcext:value-type="([^"]*)"/.exec(attributes!)![1]!} ${value ?? unescaped(text!)}`;
        },
      ),
    )
    .filter(row => row.length > 0);
}

describe.skipIf(!needs('LibreOffice', isInstalled))('a spreadsheet opened by LibreOffice', () => {
  async function open(
    format: 'xlsx' | 'csv',
    of: Readonly<Record<string, unknown>>[] = rows,
    as = table,
  ): Promise<string> {
    const folder = await temporaryFolder();
    try {
      return await opened((await download(format, [of], as)).body, folder, format);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('has typed cells, totals, a filter over its rows, and no formula', async () => {
    const xml = await open('xlsx');
    expect(cellsOf(xml, 'Estoque')).toEqual([
      table.columns.map(({ title }) => `string ${title}`),
      ['string =SOMA(1;1)', 'float -3', 'float -1.25', 'date 2026-11-20', 'date 2026-11-19T22:30:00'],
      [`string ${rows[1]!.material}`, 'float 10', 'float 0.5'],
      ['string Total', 'float 7'],
    ]);
    expect(cellsOf(xml, 'Filtros')).toEqual([
      ['string Título', 'string =ácido'],
      ['string Emitido em', 'string 20/11/2026, 22:30'],
      ['string Emitido por', 'string Ana Souza'],
    ]);
    expect(xml).not.toContain('table:formula');
    expect(xml).toMatch(/target-range-address="Estoque.A1:Estoque.E3" table:display-filter-buttons="true"/);
  });

  it('is right as csv too, negative numbers and dates included', async () => {
    const xml = await open('csv');
    expect(cellsOf(xml, 'file')).toEqual([
      table.columns.map(({ title }) => `string ${title}`),
      ["string '=SOMA(1;1)", 'float -3', 'float -1.25', 'date 2026-11-20', 'date 2026-11-19T22:30:00'],
      [`string ${rows[1]!.material}`, 'float 10', 'float 0.5'],
    ]);
    expect(xml).not.toContain('table:formula');
  });

  const texts: Table = {
    name: 't',
    title: 'Textos',
    columns: [{ title: 'Texto', path: 'texto', type: 'text' }],
  };

  it('keeps the blanks around a text', async () => {
    const xml = await open('xlsx', [{ texto: '  before' }, { texto: 'after  ' }, { texto: ' ' }], texts);
    const shown = xml.replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = 1) => ' '.repeat(Number(count)));
    expect(cellsOf(shown, 'Textos').flat()).toEqual([
      'string Texto',
      'string   before',
      'string after  ',
      'string  ',
    ]);
  });

  it('shows every text as it was given, its lines as lines', async () => {
    const values = ['first\r\nsecond\rthird', '_x0041_', ' _x0041_x000D_ & <b>', 'x_x005F_y'];
    const xml = await open(
      'xlsx',
      values.map(texto => ({ texto })),
      texts,
    );
    const lines = xml.replace(/<\/text:p>\s*<text:p>|<text:line-break\/>/g, '\n');
    const shown = lines.replaceAll('<text:s/>', ' ');
    expect(cellsOf(shown, 'Textos').flat()).toEqual([
      'string Texto',
      'string first\nsecond\nthird',
      ...values.slice(1).map(text => `string ${text}`),
    ]);
  });

  it('shows no CAS number of a csv as a date', async () => {
    const firsts = [10, 31, 75, 108, 1344, 2026, 7440];
    const numbers = firsts.flatMap(first =>
      Array.from(
        { length: 1000 },
        (_, i) => `${first}-${String(Math.floor(i / 10)).padStart(2, '0')}-${i % 10}`,
      ),
    );
    const xml = await open(
      'csv',
      numbers.map(texto => ({ texto })),
      texts,
    );
    const cells = cellsOf(xml, 'file').flat().slice(1);
    expect(cells.map(cell => cell.replace("string '", 'string '))).toEqual(
      numbers.map(cas => `string ${cas}`),
    );
  });
});

describe.skipIf(!needs('LibreOffice', isInstalled))('a workbook saved by LibreOffice', () => {
  it.each([true, false])('is imported as it shows it, with days since 1904: %s', async date1904 => {
    const book = new ExcelJS.Workbook();
    book.properties.date1904 = date1904;
    const sheet = book.addWorksheet('Dados');
    sheet.addRows([
      ['texto', 'dia', 'momento', 'hora', 'volume', 'parte', 'logico', 'calculado', 'erro'],
      [
        { richText: [{ text: 'p &lt; 5 ' }, { font: { bold: true }, text: '& <b> R&amp;D' }] },
        new Date('2026-11-20T00:00:00Z'),
        new Date('2026-11-20T10:30:00Z'),
        0.3125,
        5,
        0.375,
        true,
        { formula: 'A2&"!"', result: '' },
        { formula: '1/0' },
      ],
      ['Linha 1\nLinha 2', null, null, null, 1.1, null, false, { formula: 'E3*E3' }, null],
    ]);
    const formats = { 2: 'dd/mm/yyyy', 3: 'dd/mm/yyyy hh:mm', 4: 'hh:mm', 5: '0.0\\ \\m\\L', 6: '0.0%' };
    for (const [column, format] of Object.entries(formats)) sheet.getColumn(Number(column)).numFmt = format;
    const folder = await temporaryFolder();
    try {
      const path = await saved(Buffer.from(await book.xlsx.writeBuffer()), folder, 'xlsx', 'xlsx');
      const rows: (readonly string[])[] = [];
      for await (const { cells } of rowsOf(await fileAt(path))) rows.push(cells);
      expect(rows.slice(1)).toEqual([
        [
          'p &lt; 5 & <b> R&amp;D',
          '2026-11-20',
          '2026-11-20 10:30:00',
          '07:30:00',
          '5',
          '37.5%',
          'TRUE',
          'p &lt; 5 & <b> R&amp;D!',
          '#DIV/0!',
        ],
        ['Linha 1\nLinha 2', '', '', '', '1.1', '', 'FALSE', '1.21'],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
