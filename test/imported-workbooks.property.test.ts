import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fileAt, rowsOf } from '../src/imports/rows.ts';
import type { Table } from '../src/reports/table.ts';
import { temporaryFolder } from './support/folder.ts';
import { fuzzing } from './support/fuzzing.ts';
import { download } from './support/spreadsheets.ts';

vi.setConfig({ testTimeout: 600_000 });

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => rm(folder, { recursive: true }));

interface Values {
  texto: string;
  numero: number;
  dia: Date;
  logico: boolean;
}

/** Texts, many of them with what XML or Excel gives a meaning. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom('&', 'lt;', 'amp;', '#65;', '<', '>', '"', "'", ']]>', ' ', '\n', 'x'),
    }),
    fc.string({ unit: fc.constantFrom('_', 'x', '0', '4', '1', 'D', '\r', '\t', ' ') }),
  )
  // An import knows texts that are composed and have something to see, and exceljs drops what XML cannot have.
  .filter(one => one.isWellFormed() && !/[\0\ufffe\uffff]/.test(one));

const values: fc.Arbitrary<Values> = fc.record({
  texto: text,
  numero: fc
    .oneof(
      fc.integer(),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    )
    // Spreadsheets calculate with 15 digits, and know no -0.
    .map(number => Number(number.toPrecision(15)) + 0),
  dia: fc
    .date({
      min: new Date('1904-01-02T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map(date => new Date(Math.floor(date.getTime() / 1000) * 1000)),
  logico: fc.boolean(),
});
const records = fc.array(values, { minLength: 20, maxLength: 60 });

/** The cells of the file below its header. */
async function read(content: Buffer): Promise<string[][]> {
  const path = join(folder, 'file.xlsx');
  await writeFile(path, content);
  const rows: string[][] = [];
  for await (const { cells } of rowsOf(await fileAt(path))) rows.push([...cells]);
  return rows.slice(1);
}

/** What a text is for an import; its lines end in `\n`, as those of a cell do. */
const textRead = (given: string): string => {
  const shown = given.replace(/\r\n?/g, '\n').trim().normalize('NFC');
  return /[^\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\s]/u.test(shown) ? shown : '';
};
/** A moment as a cell shows it; at midnight it is a day. */
const dayRead = (date: Date): string =>
  date.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
/** The number of the row, and its values as they are read. */
const expected = (all: readonly Values[]) =>
  all.map(({ texto, numero, dia, logico }, i) => [
    String(i + 2),
    textRead(texto),
    numero,
    dayRead(dia),
    logico ? 'TRUE' : 'FALSE',
  ]);
const found = (rows: readonly string[][]) =>
  rows.map(([id, texto, numero, dia, logico]) => [id, texto, Number(numero), dia, logico]);

it.each([true, false])(
  'what exceljs writes is read as it was written, with days since 1904: %s',
  async date1904 => {
    // exceljs writes control characters and Excel's escapes as they are.
    const plain = records.map(all =>
      all.map(one => ({ ...one, texto: one.texto.replace(/(?![\t\n\r])\p{Cc}|_/gu, '-') })),
    );
    await fc.assert(
      fc.asyncProperty(plain, async all => {
        const book = new ExcelJS.Workbook();
        book.properties.date1904 = date1904;
        const sheet = book.addWorksheet('Dados');
        sheet.addRow(['id', 'texto', 'numero', 'dia', 'logico']);
        for (const [i, { texto, numero, dia, logico }] of all.entries())
          sheet.addRow([i + 2, texto, numero, dia, logico]);
        sheet.getColumn(4).numFmt = 'dd/mm/yyyy hh:mm:ss';
        expect(found(await read(Buffer.from(await book.xlsx.writeBuffer())))).toEqual(expected(all));
      }),
      fuzzing(15),
    );
  },
);

const table: Table = {
  name: 'dados',
  title: 'Dados',
  columns: [
    { title: 'id', path: 'id', type: 'integer' },
    { title: 'texto', path: 'texto', type: 'text' },
    { title: 'numero', path: 'numero', type: 'decimal' },
    { title: 'dia', path: 'dia', type: 'timestamp' },
    { title: 'logico', path: 'logico', type: 'boolean' },
  ],
};

it('what an export writes is read as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(records, async all => {
      const shown = all.map((one, i) => ({
        ...one,
        id: i + 2,
        dia: `${one.dia.toISOString().slice(0, 19).replace('T', ' ')}+00`,
      }));
      const { body } = await download('xlsx', [shown], table);
      expect(found(await read(body))).toEqual(expected(all));
    }),
    fuzzing(15),
  );
});
