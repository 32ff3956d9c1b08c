import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getDocumentProxy, getMeta } from 'unpdf';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { PdfWriter } from '../src/reports/pdf/writer.ts';
import { sendTablePdf, type TablePdfOptions } from '../src/reports/table-pdf.ts';
import type { Table } from '../src/reports/table.ts';
import { rowOf, type Example } from './support/example.ts';
import { boxesOf, linesFromLeft, pagesOf } from './support/pdf.ts';
import { eventually } from './support/process.ts';

const timeZone = 'America/Sao_Paulo';
const writer = new PdfWriter({ institution: { name: 'Universidade do Açaí' }, timeZone });
afterAll(() => writer.close());

const table: Table = {
  name: 'saida-materiais',
  title: 'Saída de materiais',
  columns: [
    { title: 'Código', path: 'id', type: 'integer' },
    { title: 'Material', path: 'material.titulo', type: 'text', width: 40 },
    { title: 'Quantidade', path: 'quantidade', type: 'decimal', total: true },
    { title: 'Validade', path: 'validade', type: 'date' },
    { title: 'Saída', path: 'data', type: 'timestamp' },
    { title: 'Controlado', path: 'controlado', type: 'boolean' },
  ],
};
const row = {
  id: 2026,
  material: { titulo: 'Ácido sulfúrico' },
  quantidade: '1234.50',
  validade: '2027-03-01',
  data: '2026-11-19 22:30:00.123-03',
  controlado: true,
};
const rowsOf = (count: number): Example[] => Array.from({ length: count }, (_, i) => ({ ...row, id: i + 1 }));
const options: TablePdfOptions = {
  timeZone,
  now: new Date('2026-11-21T01:30:00.000Z'),
  filters: [{ title: 'Período', value: 'de 01/11/2026 a 20/11/2026' }],
  issuedBy: 'Ana Souza',
};

/** The file as a client receives it. */
async function download(rows: readonly Example[], given: Partial<TablePdfOptions> = {}, shown = table) {
  const read = async () => rows.map(example => rowOf(shown, example));
  const server = createServer(
    (_, res) => void sendTablePdf(res, writer, shown, read, { ...options, ...given }),
  );
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { headers: response.headers, bytes, pages: await pagesOf(bytes) };
}

/** Width and height of the first page, in points. */
async function sizeOf(bytes: Uint8Array): Promise<number[]> {
  const page = await (await getDocumentProxy(bytes.slice())).getPage(1);
  return page.view.slice(2).map(Math.round);
}

describe('the PDF of a table', () => {
  it('is downloaded under the name of the table and the local date', async () => {
    const { headers, bytes } = await download([row]);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('attachment; filename="saida-materiais-2026-11-20.pdf"');
    expect(Number(headers.get('content-length'))).toBe(bytes.length);
  });

  it('shows the institution, the title, the filters, the time and the person for whom it was made', async () => {
    const { bytes, pages } = await download([row]);
    expect(pages).toEqual([
      'Universidade do Açaí SAÍDA DE MATERIAIS Período de 01/11/2026 a 20/11/2026 Linhas 1 ' +
        'Código Material Quantidade Validade Saída Controlado ' +
        '2026 Ácido sulfúrico 1.234,50 01/03/2027 19/11/2026 22:30:00 Sim Total 1.234,50 ' +
        'Emitido em 20/11/2026, 22:30 por Ana Souza página 1 de 1',
    ]);
    const { info } = await getMeta(await getDocumentProxy(bytes.slice()));
    expect(info).toMatchObject({
      Title: 'Saída de materiais',
      Author: 'Universidade do Açaí',
      Language: 'pt-BR',
    });
  });

  it('has the requested orientation, or the orientation of the table, on A4', async () => {
    const lying: Table = { ...table, orientation: 'landscape' };
    expect(await sizeOf((await download([row])).bytes)).toEqual([595, 842]);
    expect(await sizeOf((await download([row], {}, lying)).bytes)).toEqual([842, 595]);
    expect(await sizeOf((await download([row], { orientation: 'portrait' }, lying)).bytes)).toEqual([
      595, 842,
    ]);
  });

  it('says so when there are no filters and no rows', async () => {
    const { pages } = await download([], { filters: [] });
    expect(pages[0]).toContain('Filtros Nenhum Linhas 0 Nenhum registro encontrado.');
    expect(pages[0]).not.toContain('Total');
  });

  it('repeats the header on each page, loses no row, and adds up all of them at the end', async () => {
    const { pages } = await download(rowsOf(300));
    expect(pages.length).toBeGreaterThan(5);
    pages.forEach((page, i) => {
      expect(page).toContain('Código Material Quantidade');
      expect(page).toContain(`página ${i + 1} de ${pages.length}`);
      expect(page.includes('Total')).toBe(i === pages.length - 1);
    });
    const ids = [...pages.join(' ').matchAll(/(\d+) Ácido sulfúrico/g)].map(match => Number(match[1]));
    expect(ids).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(pages.at(-1)).toContain('Total 370.350,00');
  });

  it('adds up exactly beyond the numbers of JavaScript', async () => {
    const quantities = ['9007199254740993', '0.1', '0.2', 0.005, '-3'];
    const { pages } = await download(quantities.map(quantidade => ({ ...row, quantidade })));
    expect(pages[0]).toContain('Total 9.007.199.254.740.990,305');
  });

  it('prints Portuguese and Greek text that can be copied', async () => {
    const titulo = 'µ-óxido de α,β-ferro ≥ 99 % ção ÁÉÍÓÚ H₂O';
    const { pages } = await download([{ ...row, material: { titulo } }]);
    expect(pages[0]).toContain(titulo);
  });

  it('wraps long cells over lines and pages without losing a word, and breaks words that are too long', async () => {
    const words = Array.from({ length: 3000 }, (_, i) => `palavra${i}`);
    const titulo = `${words.join(' ')} ${'x'.repeat(500)}`;
    const { pages } = await download([row, { ...row, id: 2, material: { titulo } }, { ...row, id: 3 }]);
    expect(pages.length).toBeGreaterThan(3);
    const text = pages.join(' ');
    expect(text.match(/palavra\d+/g)).toEqual(words);
    expect(text.match(/x{5,}/g)!.join('')).toHaveLength(500);
    for (const page of pages) expect(page).toContain('Código Material');
  });

  it('keeps numbers and dates whole, however many columns there are', async () => {
    const many: Table = { ...table, columns: Array.from({ length: 3 }, () => table.columns).flat() };
    const { pages } = await download([row], { orientation: 'landscape' }, many);
    expect(pages[0]!.match(/1\.234,50/g)).toHaveLength(6);
    expect(pages[0]!.match(/01\/03\/2027/g)).toHaveLength(3);
  });

  it('shows columns below others, and leaves out what they say already if the column says so', async () => {
    const [code, name, amount, expiry] = table.columns;
    const stacked: Table = {
      ...table,
      columns: [
        code!,
        name!,
        { ...amount!, places: 3 },
        { ...expiry!, under: 'material.titulo' },
        { title: 'Nome', path: 'material.titulo', type: 'text', under: 'material.titulo', onlyIfOther: true },
        { title: 'Oculta', path: 'controlado', type: 'boolean', sheetOnly: true },
      ],
    };
    const { pages } = await download([row], {}, stacked);
    expect(pages[0]).toContain('Código Material Validade Nome Quantidade');
    expect(pages[0]).toContain('2026 Ácido sulfúrico 01/03/2027 1.234,500 Total');
    expect(pages[0]).not.toMatch(/Oculta|Sim/);
  });

  it('shows a value below its own title also when the one above it is missing', async () => {
    const stacked: Table = {
      ...table,
      columns: [
        { title: 'Conc. (%)', path: 'concentracao', type: 'integer' },
        { title: 'Densidade', path: 'densidade', type: 'decimal', places: 2, under: 'concentracao' },
        { title: 'Fabricante', path: 'fabricante', type: 'text' },
        { title: 'Lote', path: 'lote', type: 'text', under: 'fabricante' },
        { title: 'Lista', path: 'lista', type: 'text', under: 'fabricante' },
      ],
    };
    const { bytes, pages } = await download(
      [
        { concentracao: null, densidade: 1.05, fabricante: null, lote: null, lista: 'II' },
        { concentracao: 98, densidade: 1.84, fabricante: 'Sigma', lote: 'Sigma', lista: 'III' },
        { concentracao: 97, densidade: null, fabricante: 'Merck', lote: 'Merck', lista: null },
        { concentracao: null, densidade: null, fabricante: null, lote: 'L-9', lista: null },
      ],
      {},
      stacked,
    );
    expect(pages[0]).toContain(
      'Conc. (%) Densidade Fabricante Lote Lista – 1,05 – – II 98 1,84 Sigma Sigma III 97 Merck Merck – L-9 Emitido',
    );
    const boxes = await boxesOf(bytes);
    const at = (text: string) => boxes.find(box => box.text.trim() === text)!.base;
    expect(at('II') - at('1,05')).toBeCloseTo(at('III') - at('1,84'), 3);
  });

  it('prints Hebrew and Arabic from right to left, but numbers and Latin words from left to right', async () => {
    // What begins with such a letter begins on the right. Arabic has its per cent sign on the left.
    const printed = {
      חומצה: 'הצמוח',
      'חומצה (98%) HCl 12,5': 'HCl 12,5 (98%) הצמוח',
      'HCl חומצה מלח fim': 'HCl חלמ הצמוח fim',
      '12 חומצה': 'הצמוח 12',
      'كحول 70% HCl': 'HCl %70 ﻝﻮﺤﻛ',
    };
    const rows = Object.keys(printed).map((titulo, id) => ({ ...row, id, material: { titulo } }));
    const lines = await linesFromLeft((await download(rows)).bytes);
    expect(lines.filter(line => /[\u0590-\u08FF\uFE70-\uFEFC]/.test(line))).toEqual(Object.values(printed));
  });

  it('has no sum with a value that is missing, since nobody knows it', async () => {
    const grouped: Table = {
      ...table,
      columns: [
        { title: 'Material', path: 'material', type: 'text' },
        { title: 'Entradas', path: 'entradas', type: 'decimal', total: true, places: 3 },
        { title: 'Descartes', path: 'descartes', type: 'decimal', total: true, places: 3 },
      ],
      totalsBy: ['material'],
      totalsTitle: 'Subtotais',
    };
    const rows = [
      { material: 'Acetona', entradas: 0, descartes: null },
      { material: 'Acetona', entradas: 0, descartes: 2.5 },
      { material: 'Tolueno', entradas: null, descartes: 2.5 },
    ];
    const { pages } = await download(rows, {}, grouped);
    expect(pages[0]).toContain(
      'Subtotais Material Entradas Descartes Acetona 0,000 Tolueno 2,500 Emitido em',
    );
    const whole: Table = { ...grouped, totalsBy: [] };
    const known = rows.map(shown => ({ ...shown, descartes: 2.5 }));
    expect((await download(known, {}, whole)).pages[0]).toContain(
      'Subtotais Entradas Descartes 7,500 Emitido em',
    );
  });

  it('has the sums of each group in a table of their own, apart by the way that something went', async () => {
    const ways: Table = {
      ...table,
      columns: [
        { title: 'Material', path: 'material', type: 'text' },
        { title: 'De', path: 'de', type: 'text' },
        { title: 'Para', path: 'para', type: 'text' },
        { title: 'Quantidade', path: 'quantidade', type: 'integer', total: true },
      ],
      totalsBy: ['material'],
      totalsFromTo: ['de', 'para'],
      totalsTitle: 'Subtotais',
      signedBy: ['Responsável técnico'],
    };
    const moved = (material: string | null, de: string | null, para: string, quantidade: number) => ({
      material,
      de,
      para,
      quantidade,
    });
    const rows = [
      moved('Éter', null, 'A', 1),
      moved('Éter', 'A', 'B', 20),
      moved('Éter', 'B', 'A', 300),
      moved('Éter', null, 'B', 4000),
      moved(null, 'A', 'B', 5),
      moved('Acetona', 'A', 'B', 6),
    ];
    const { pages } = await download(rows, {}, ways);
    expect(pages[0]).toContain(
      'Subtotais Material De Para Quantidade Acetona A B 6 Éter A B 20 Éter B A 300 Éter 4.001 A B 5 Nome: Responsável técnico Data:',
    );
  });

  it('keeps the lines to sign on one page with the last row', async () => {
    const signed: Table = { ...table, signedBy: ['Responsável técnico'] };
    const totals: Table = { ...signed, totalsTitle: 'Subtotais', totalsBy: ['material.titulo'] };
    let turned = 0;
    for (const shown of [signed, totals])
      for (let count = 20; count < 36; count++) {
        const { pages } = await download(rowsOf(count), {}, shown);
        const page = pages.find(text => text.includes('Responsável técnico'))!;
        expect(page, `${count} rows`).toMatch(/(Código|Subtotais).* (Total|Ácido sulfúrico) .*Nome:/);
        if (!page.includes(' 20 Ácido')) turned += 1;
      }
    expect(turned).toBeGreaterThan(2);
  });

  it('reads its rows when its turn comes', async () => {
    const read: string[] = [];
    const gate = Promise.withResolvers<void>();
    const order = (name: string, ready: Promise<void>) =>
      writer.write('tabela', options.now, async () => {
        read.push(name);
        await ready;
        return { table, rows: [rowOf(table, row)], filters: [], issuedBy: 'Ana' };
      });
    const both = [order('first', gate.promise), order('second', Promise.resolve())];
    await eventually(() => expect(read).toEqual(['first']));
    gate.resolve();
    await Promise.all(both);
    expect(read).toEqual(['first', 'second']);
  });

  it('is refused if its texts are too long, and the next one is written', async () => {
    const data = (characters: number) => {
      const rows = [rowOf(table, { ...row, material: { titulo: 'a '.repeat(characters / 2) } })];
      return { table, rows, filters: [], issuedBy: 'Ana' };
    };
    await expect(writer.write('tabela', options.now, data(2_000_000))).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
    });
    expect(await writer.write('tabela', options.now, data(200_000))).toBeInstanceOf(Uint8Array);
  });
});
