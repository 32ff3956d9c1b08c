import { get, validateHeaderValue, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileAt, rowsOf } from '../src/imports/rows.ts';
import { attachment, datedFileName } from '../src/reports/attachment.ts';
import type { SheetFormat } from '../src/reports/spreadsheet.ts';
import { MAX_SHEET_ROWS } from '../src/reports/sheet.ts';
import type { Table } from '../src/reports/table.ts';
import type { Example } from './support/example.ts';
import { temporaryFolder } from './support/folder.ts';
import { sentRows } from './support/sent-rows.ts';
import { batches, download, now, serve, serveRows, timeZone } from './support/spreadsheets.ts';
import { unzip } from './support/zip.ts';

const formats: SheetFormat[] = ['csv', 'xlsx'];

const table: Table = {
  name: 'materiais',
  title: 'Materiais: reagentes/solventes em estoque',
  columns: [
    { title: 'Nome', path: 'nome', type: 'text' },
    { title: 'Unidade', path: 'unidadeMedida.sigla', type: 'text', width: 9 },
    { title: 'Quantidade', path: 'quantidade', type: 'integer' },
    { title: 'Densidade', path: 'densidade', type: 'decimal' },
    { title: 'Validade', path: 'validade', type: 'date' },
    { title: 'Criado em', path: 'criadoEm', type: 'timestamp' },
    { title: 'Controlado', path: 'controlado', type: 'boolean' },
  ],
};
const acid: Example = {
  nome: 'Ácido α-lipóico; "puro" 🧪',
  unidadeMedida: { sigla: 'µL' },
  quantidade: -3,
  densidade: -1.25,
  validade: '2026-11-20',
  criadoEm: '2026-11-19 22:30:00.123-03',
  controlado: true,
};
const texts: Table = { ...table, columns: [{ title: 'Texto', path: 'texto', type: 'text' }] };
const textRows = (values: readonly unknown[]): Example[] => values.map(texto => ({ texto }));

/** 200 KB that stay almost as large when compressed. */
const incompressible = Array.from({ length: 100 }, () => ({ texto: randomBytes(1_500).toString('base64') }));

/** RFC 4180 with `;`. It refuses everything that the RFC does not allow. */
function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^;"\r\n]*))(;|\r\n)/y;
  const lines: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error('not a csv');
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

const csvLines = (body: Buffer) => parseCsv(body.toString('utf8').replace(/^\uFEFF/, ''));

const part = (zip: Buffer, name: string) => unzip(zip).get(name) ?? expect.fail(`no ${name}`);
const sheetXml = (zip: Buffer) => part(zip, 'xl/worksheets/sheet1.xml');

/** The texts that an import reads of an export with these texts. */
async function imported(format: SheetFormat, values: readonly string[]): Promise<string[]> {
  const { body } = await download(format, [textRows(values)], texts);
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, `file.${format}`);
  await writeFile(file, body);
  const read: string[] = [];
  for await (const { cells } of rowsOf(await fileAt(file))) read.push(...cells);
  return read.slice(1);
}

async function readSheet(zip: Buffer): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(zip.buffer.slice(zip.byteOffset, zip.byteOffset + zip.length) as ArrayBuffer);
  return workbook.worksheets[0] ?? expect.fail('no sheet');
}

describe('csv', () => {
  it('is what Excel in Portuguese opens: BOM, semicolons, decimal comma, local time', async () => {
    const { body } = await download(
      'csv',
      [[acid], [{ ...acid, controlado: false, unidadeMedida: null }]],
      table,
    );
    expect(body.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const line = [acid.nome, 'µL', '-3', '-1,25', '2026-11-20', '2026-11-19 22:30:00', 'S'];
    expect(csvLines(body)).toEqual([
      ['Nome', 'Unidade', 'Quantidade', 'Densidade', 'Validade', 'Criado em', 'Controlado'],
      line,
      line.with(1, '').with(6, 'N'),
    ]);
  });

  it('writes every number as a number, negative ones too, from every source', async () => {
    const rows: Example[] = [
      { quantidade: -3, densidade: '-1234567.50' },
      { quantidade: -12n, densidade: 1e21 },
    ];
    const { body } = await download('csv', [rows], table);
    const numbers = csvLines(body).map(line => line.slice(2, 4));
    expect(numbers.slice(1)).toEqual([
      ['-3', '-1234567,50'],
      ['-12', '1000000000000000000000'],
    ]);
  });

  it('gives every text back, with an apostrophe before text that a spreadsheet would compute', async () => {
    let cells: string[] = [];
    const { url } = await serve('csv', () => batches(textRows(cells)), texts);
    const tricky = fc.string({
      unit: fc.constantFrom(';', '"', '\r', '\n', '\t', '=', '+', '-', '@', "'", 'é', '🧪'),
    });
    const anyText = fc.oneof(tricky, fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 20 }), async values => {
        cells = values;
        const body = Buffer.from(await (await fetch(url)).arrayBuffer());
        const expected = values.map(value => [
          ['=', '+', '-', '@', '\t', '\r'].includes(value.charAt(0)) ? `'${value}` : value,
        ]);
        expect(csvLines(body)).toEqual([['Texto'], ...expected]);
      }),
    );
  });

  it('has all separators of rows with many empty cells', async () => {
    const columns = Array.from({ length: 300 }, (_, i) => ({
      title: `${i}`,
      path: `${i}`,
      type: 'text' as const,
    }));
    const { body } = await download('csv', [Array.from({ length: 250 }, () => ({}))], { ...table, columns });
    expect(csvLines(body)).toHaveLength(251);
    expect(new Set(csvLines(body).map(line => line.length))).toEqual(new Set([300]));
  });

  it('is the same whether the bytes of the database are copied or their values are converted', async () => {
    const part = fc.constantFrom(
      'a',
      'Á',
      'é',
      'º',
      '🧪',
      ' ',
      '\u00a0',
      '\u3000',
      '\u2028',
      '\u0007',
      '\t',
      '\n',
      '\r',
      ';',
      ',',
    );
    const more = fc.constantFrom(
      '"',
      "'",
      '=',
      '+',
      '-',
      '@',
      '/',
      '.',
      '0',
      '1',
      '12',
      '2026',
      '75-09-2',
      '10:45:00',
      'C',
      'BC',
    );
    const text = fc.array(fc.oneof(part, more), { maxLength: 6 }).map(parts => parts.join(''));
    const number = fc.oneof(
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.stringMatching(/^-?\d{0,3}\.?\d{0,3}$/),
    );
    const moment = fc.stringMatching(/^\d{4,5}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,3})?(-03)?( BC)?)?$/);
    const value = fc.oneof(text, number, moment, fc.constantFrom('infinity', 'NaN', null));
    const { columns } = table;
    const csvOf = async (rows: readonly (string | null)[][], isText: boolean): Promise<string> => {
      const batch = sentRows(rows, { width: columns.length, isText });
      const { url } = await serveRows(
        'csv',
        async function* once() {
          yield batch;
        },
        table,
      );
      return (await fetch(url)).text();
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: columns.length, maxLength: columns.length }), {
          minLength: 1,
          maxLength: 20,
        }),
        async rows => {
          expect(await csvOf(rows, true)).toBe(await csvOf(rows, false));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('quotes a text with a comma or with blanks around it, and no number', async () => {
    const values = ['a,b', ' a', 'a ', 'a b'];
    const { body } = await download('csv', [textRows(values)], texts);
    expect(body.toString().split('\r\n').slice(1, -1)).toEqual(['"a,b"', '" a"', '"a "', 'a b']);
    expect((await download('csv', [[acid]], table)).body.toString()).toContain(';-3;-1,25;2026-11-20;');
  });

  it('has an apostrophe before text that a spreadsheet would take for a date, and before no other', async () => {
    const dates = ['75-09-2', '7440-06-4', '10-05-1', '1/2', '12/2026', '2026-11', '2026-11-20', ' 10-05-1'];
    const others = [
      '7732-18-5',
      '50-00-0',
      '7440-50-8',
      '1-2-3-4',
      '10.05.1',
      '99-13',
      '1',
      "'10-05-1",
      'UN 10-05-1',
    ];
    const { body } = await download('csv', [textRows([...dates, ...others])], texts);
    expect(csvLines(body).flat().slice(1)).toEqual([...dates.map(date => `'${date}`), ...others]);
    expect((await download('csv', [[acid]], table)).body.toString()).not.toContain("'");
  });

  it('can be imported again without a change', async () => {
    const values = ['75-09-2', '=1+1', '-', "d'água", "'", ';,"', 'a\nb', '7732-18-5'];
    expect(await imported('csv', values)).toEqual(values);
  });

  it('does not end regularly for an HTTP/1.0 client if the rows fail midway', async () => {
    const { url } = await serve('csv', () => failing([acid]), table);
    const socket = connect(Number(new URL(url).port), '127.0.0.1').resume();
    socket.write('GET / HTTP/1.0\r\n\r\n');
    await expect(once(socket, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('xlsx', () => {
  it('has typed cells, dates and local times without a shift', async () => {
    const { body } = await download('xlsx', [[acid], [{ ...acid, unidadeMedida: null }]], table);
    const sheet = await readSheet(body);
    const local = new Date('2026-11-19T22:30:00.000Z');
    const values = [acid.nome, 'µL', -3, -1.25, new Date('2026-11-20'), local, true];
    expect(sheet.getRow(2).values).toEqual([undefined, ...values]);
    expect(sheet.getCell('B3').value).toBeNull();
    expect(sheetXml(body)).toContain('<v>46346</v>');
    expect(sheetXml(body)).toContain('<v>46345.9375</v>');
    const numberFormats = ['A2', 'C2', 'E2', 'F2'].map(address => sheet.getCell(address).numFmt);
    expect(numberFormats).toEqual(['@', '0', 'dd/mm/yyyy', 'dd/mm/yyyy hh:mm:ss']);
  });

  it('has a bold, frozen header that filters all rows, under a permitted sheet name', async () => {
    const { body } = await download('xlsx', [[acid, acid], [acid]], table);
    const sheet = await readSheet(body);
    expect(sheet.getCell('A1').font?.bold).toBe(true);
    expect(sheet.getCell('A2').font?.bold).toBeFalsy();
    expect(sheet.name).toBe('Materiais  reagentes solventes');
    expect(sheet.columns.map(column => column.width)).toEqual([30, 10, 13, 12, 12, 20, 13]);
    expect(sheetXml(body)).toMatch(/<pane ySplit="1" topLeftCell="A2" [^>]*state="frozen"\/>/);
    expect(sheetXml(body)).toContain('<autoFilter ref="A1:G4"/>');
    expect(part(body, 'xl/workbook.xml')).toContain(
      `<definedName name="_xlnm._FilterDatabase" localSheetId="0">&apos;${sheet.name}&apos;!$A$1:$G$4</definedName>`,
    );
  });

  it('never makes a formula or a link of a value', async () => {
    const values = ['=1+1', '+1', '@SUM(A1)', { formula: '1+1' }, { text: 'x', hyperlink: 'http://x' }];
    const { body } = await download('xlsx', [textRows(values)], texts);
    expect(sheetXml(body)).not.toMatch(/<f[ >]|<hyperlink/);
    const shown = values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
    expect((await readSheet(body)).getColumn(1).values).toEqual([undefined, 'Texto', ...shown]);
  });

  it('keeps white space around a text', async () => {
    const values = ['  two before', 'two after  ', ' ', '\tx', 'x\n', ' a  b '];
    const { body } = await download('xlsx', [textRows(values)], texts);
    const kept = [...sheetXml(body).matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(match => match[1]);
    expect(kept).toEqual(values);
    const shown = (await readSheet(body)).getColumn(1).values.slice(2);
    expect(shown).toEqual(values.map(text => ({ richText: [{ text }] })));
  });

  it('breaks lines as spreadsheets do', async () => {
    const { body } = await download('xlsx', [textRows(['a\r\nb\rc\nd'])], texts);
    expect(sheetXml(body)).toContain('<v>a\nb\nc\nd</v>');
  });

  it('can be imported again without a change of anything but line ends', async () => {
    const values = ['a\r\nb\rc', 'a\u0007b\uFFFF', '_x0041_', '_x0041_x0042_', '_x00e9_', '<_xd800_>'];
    const ended = values.map(text => text.replace(/\r\n?/g, '\n'));
    expect(await imported('xlsx', values)).toEqual(ended);
  });

  it('stays well-formed with characters and lengths that a cell cannot hold', async () => {
    const values = [
      'a\u0000\u0001\u001f\uFFFE\uFFFFz',
      'x\uD800y',
      '<&>]]>',
      '_x0041_',
      'ç'.repeat(40_000),
      `${'ç'.repeat(32_765)}😀😀`,
      NaN,
    ];
    const { body } = await download('xlsx', [textRows(values)], texts);
    const cells = [...sheetXml(body).matchAll(/<(v|t xml:space="preserve")>([^<]*)</g)].map(
      match => match[2],
    );
    const long = `${'ç'.repeat(32_766)}…`;
    const controls = 'a_x0000__x0001__x001F__xFFFE__xFFFF_z';
    expect(cells).toEqual([
      'Texto',
      controls,
      'x\uFFFDy',
      '&lt;&amp;&gt;]]&gt;',
      '_x005F_x0041_',
      long,
      `${'ç'.repeat(32_765)}…`,
      'NaN',
    ]);
  });

  it('has numbers from text as numbers, except those with more digits than Excel keeps', async () => {
    const rows: Example[] = [
      { quantidade: 12n, densidade: '-0.50' },
      { quantidade: '9007199254740993', densidade: 'NaN' },
    ];
    const sheet = await readSheet((await download('xlsx', [rows], table)).body);
    expect(sheet.getRow(2).values).toEqual([undefined, undefined, undefined, 12, -0.5]);
    expect(sheet.getRow(3).values).toEqual([undefined, undefined, undefined, '9007199254740993', 'NaN']);
  });

  it('has totals below the filtered rows', async () => {
    const columns = table.columns.map(column =>
      column.title === 'Densidade' ? { ...column, total: true as const } : column,
    );
    const rows = [{ ...acid, densidade: 0.1 }, { ...acid, densidade: '0.2' }, acid];
    const { body } = await download('xlsx', [rows.slice(0, 1), rows.slice(1)], { ...table, columns });
    const sheet = await readSheet(body);
    expect(sheet.getRow(5).values).toEqual([undefined, 'Total', undefined, undefined, -0.95]);
    expect(sheet.getCell('D5').font?.bold).toBe(true);
    expect(sheetXml(body)).toContain('<autoFilter ref="A1:G4"/>');
  });

  it('has an empty cell for a total with a value that is missing', async () => {
    const columns = table.columns.map(column =>
      column.title === 'Densidade' ? { ...column, total: true as const } : column,
    );
    const rows = [acid, { ...acid, densidade: null }];
    const sheet = await readSheet((await download('xlsx', [rows], { ...table, columns })).body);
    expect(sheet.getRow(4).values).toEqual([undefined, 'Total']);
  });

  it('shows filters, time and person on a second sheet', async () => {
    const { body } = await download('xlsx', [[acid]], table);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(new Uint8Array(body).buffer);
    expect(workbook.worksheets[1]!.name).toBe('Filtros');
    expect(workbook.worksheets[1]!.getSheetValues().slice(1)).toEqual([
      [undefined, 'Título', '=ácido'],
      [undefined, 'Emitido em', '20/11/2026, 22:30'],
      [undefined, 'Emitido por', 'Ana Souza'],
    ]);
  });

  it('shows dates as text if Excel cannot represent them', async () => {
    const { body } = await download('xlsx', [[{ validade: '1822-09-07', criadoEm: 'infinity' }]], table);
    const sheet = await readSheet(body);
    expect([sheet.getCell('E2').value, sheet.getCell('F2').value]).toEqual(['1822-09-07', 'infinity']);
  });

  it('is aborted if the client leaves during the last part', async () => {
    async function* abandoned() {
      yield incompressible;
      client.destroy();
    }
    const { url, outcome } = await serve('xlsx', abandoned, texts);
    const client = get(url).on('error', () => {});
    expect(await outcome).toBeUndefined();
  });

  it('breaks off instead of leaving out rows that no sheet can hold', async () => {
    const tooMany = Array.from<Example>({ length: MAX_SHEET_ROWS + 1 }).fill(acid);
    const { url, outcome } = await serve('xlsx', () => batches([acid], tooMany), table);
    await expect(fetch(url).then(response => response.arrayBuffer())).rejects.toThrow();
    expect(await outcome).toBeInstanceOf(RangeError);
  });
});

describe.each(formats)('%s as a download', format => {
  it('is an attachment named after the table and the local date', async () => {
    const { headers } = (await download(format, [[acid]], table)).response;
    expect(headers.get('content-type')).toMatch(
      format === 'csv' ? /^text\/csv; charset=utf-8$/ : /spreadsheetml\.sheet$/,
    );
    expect(headers.get('content-disposition')).toBe(`attachment; filename="materiais-2026-11-20.${format}"`);
  });

  it.each([{ rows: [] }, { rows: [[]] }])(
    'has only a header if there are no rows: $rows',
    async ({ rows }) => {
      const { body } = await download(format, rows, table);
      const lines = format === 'csv' ? csvLines(body).length : (await readSheet(body)).rowCount;
      expect(lines).toBe(1);
    },
  );

  it('passes an error before the first batch to the caller', async () => {
    const { url, outcome } = await serve(format, () => failing([]), table);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await outcome).toEqual(new Error('cursor lost'));
  });

  it('is visibly broken if the rows fail midway', async () => {
    const { url, outcome } = await serve(format, () => failing([acid]), table);
    await expect(fetch(url).then(response => response.arrayBuffer())).rejects.toThrow();
    expect(await outcome).toEqual(new Error('cursor lost'));
  });

  it('is not begun for a client that left before the first batch', async () => {
    let freed = false;
    async function* abandoned(response: ServerResponse) {
      try {
        client.destroy();
        await once(response, 'close');
        yield [acid];
      } finally {
        freed = true;
      }
    }
    const { url, outcome } = await serve(format, abandoned, table);
    const client = get(url).on('error', () => {});
    expect(await outcome).toBeUndefined();
    expect(freed).toBe(true);
  });

  it('reads no more rows than a stalled client has room for, and frees them when it leaves', async () => {
    const total = 400;
    let pulled = 0;
    let freed = false;
    async function* endless() {
      try {
        for (; pulled < total; pulled++) yield incompressible;
      } finally {
        freed = true;
      }
    }
    const { url, outcome } = await serve(format, endless, texts);
    const [stalled] = (await once(get(url), 'response')) as [IncomingMessage];
    for (let before = -1; before !== pulled; await delay(200)) before = pulled;
    expect(pulled).toBeLessThan(total);
    expect(freed).toBe(false);
    stalled.destroy();
    expect(await outcome).toBeUndefined();
    expect(freed).toBe(true);
  });
});

async function* failing(first: Example[]) {
  if (first.length > 0) yield first;
  throw new Error('cursor lost');
}

describe('the name of a download', () => {
  it('is plain ASCII if possible, and otherwise has the exact name as well', () => {
    expect(attachment('plano-ensino-7.pdf', 'inline')).toBe('inline; filename="plano-ensino-7.pdf"');
    expect(attachment('relatório (µ).pdf')).toBe(
      `attachment; filename="relatorio (_).pdf"; filename*=UTF-8''relat%C3%B3rio%20%28%C2%B5%29.pdf`,
    );
  });

  it('can never break the header, whatever the name', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('"', '\\', '\r', '\n', '%', '\uD800', 'é', '\u202E') }),
        ),
        name => {
          const header = attachment(name);
          validateHeaderValue('Content-Disposition', header);
          const match = /^attachment; filename="[^"\\%]*"(?:; filename\*=UTF-8''([\w%!#$&+.^`|~-]*))?$/.exec(
            header,
          );
          expect(match).not.toBeNull();
          if (match?.[1] !== undefined) {
            const safe = name.toWellFormed().replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '');
            expect(decodeURIComponent(match[1])).toBe(safe);
          }
        },
      ),
    );
  });

  it('has the date of the institution, not of UTC', () => {
    expect(datedFileName('materiais', 'csv', now, timeZone)).toBe('materiais-2026-11-20.csv');
    expect(datedFileName('materiais', 'csv', now, 'Europe/Lisbon')).toBe('materiais-2026-11-21.csv');
  });
});
