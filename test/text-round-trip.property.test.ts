import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { getDocumentProxy } from 'unpdf';
import { expect, it, vi } from 'vitest';
import type { Client } from './support/client.ts';
import { anyText } from './support/fuzz-values.ts';
import { fuzzing } from './support/fuzzing.ts';
import { useService } from './support/service.ts';
import { unzip } from './support/zip.ts';

vi.setConfig({ testTimeout: 600_000 });

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';

/** Characters that a description may have. */
const LONGEST = 4_000;

/** Any text that a record may contain. */
const accepted = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('_', 'x', '0', '4', '1', '\r', '\n', '\t', '"', ';', ' ', '='),
      minLength: 1,
    }),
    anyText,
  )
  .filter(text => text !== '' && text.length <= LONGEST && text.isWellFormed() && !text.includes('\0'));

/** Creates a material with each text, half of them on each face. */
async function write(client: Client, titulo: string, texts: readonly string[]): Promise<void> {
  const create = 'mutation ($input: MaterialInput!) { criarMaterial(input: $input) { id } }';
  const [authors, unit] = [{ criado_por: 1, alterado_por: 1 }, 1];
  for (const [turn, descricao] of texts.entries()) {
    const input = { titulo, descricao, estadoFisico: 'LIQUIDO', idUnidadeMedida: unit };
    const body = { titulo, descricao, estado_fisico: 'L', id_unidade_medida: unit, ...authors };
    if (turn % 2 === 0) expect((await client.post(materials, body)).status).toBe(201);
    else expect((await client.graphql(create, { input })).errors).toBeUndefined();
  }
}

/** The whole file of an export. */
async function exported(client: Client, titulo: string, format: string): Promise<Buffer> {
  const query = `export=true&formatoPlanilha=${format}&titulo=${titulo}`;
  const response = await fetch(`${client.url}${materials}?${query}`, { headers: client.headers });
  return Buffer.from(await response.arrayBuffer());
}

/** The third cell of each row of a csv except the first, without the apostrophe that prevents a formula or a date. */
function inCsv(file: Buffer): string[] {
  const rows: string[][] = parse(file, { bom: true, delimiter: ';', record_delimiter: '\r\n' });
  return rows.slice(1).map(row => row[2]!.replace(/^'/, ''));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The third cell of each row of a sheet except the first, decoded by an XML parser and then as Excel and LibreOffice
 * decode what both of them decode.
 */
function inXlsx(file: Buffer): string[] {
  const sheet = unzip(file).get('xl/worksheets/sheet1.xml')!;
  const cells = [...sheet.matchAll(/<c r="C\d+"[^>]*>(?:<v>|<is>.*?<t[^>]*>)([^<]*)</g)].map(
    ([cell, text]) => {
      const plain = text!.replace(/\r\n?/g, '\n').replace(/&(\w+);/g, (_, name: string) => entities[name]!);
      const decode = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
      return cell.includes('t="inlineStr"') ? plain.replace(/_x([0-9A-Fa-f]{4})_/g, decode) : plain;
    },
  );
  return cells.slice(1);
}

it('accepted text comes back unchanged, from both faces and in both kinds of spreadsheet', async () => {
  const admin = await service().as('admin');
  await fc.assert(
    fc.asyncProperty(fc.array(accepted, { minLength: 30, maxLength: 40 }), async texts => {
      const titulo = randomUUID();
      await write(admin, titulo, texts);
      const rest = await admin.get(`${materials}?titulo=${titulo}`);
      expect(rest.body.data.map((record: { descricao: string }) => record.descricao)).toEqual(texts);
      const { data } = await admin.graphql(
        `{ materiais(titulo: "${titulo}", pagination: false) { data { descricao } } }`,
      );
      expect(data.materiais.data).toEqual(texts.map(descricao => ({ descricao })));
      // The text itself may also begin with an apostrophe.
      const shown = texts.map(text => text.replace(/^'/, ''));
      expect(inCsv(await exported(admin, titulo, 'csv'))).toEqual(shown);
      // A line of a cell ends in one character.
      const lines = texts.map(text => text.replace(/\r\n?/g, '\n'));
      expect(inXlsx(await exported(admin, titulo, 'xlsx'))).toEqual(lines);
    }),
    fuzzing(2),
  );
});

/**
 * Letters and signs of Portuguese, Central Europe, Greek, Russian, arithmetic and formulas: first and last of each
 * range.
 */
const printed = ['!~', '¡¬', '®ÿ', 'Āž', 'ΑΡ', 'Σω', 'Аџ', '₀₉', '⁰⁰', '⁴⁹', '←⇿', '∀⋿', '–—'].flatMap(
  range => {
    const [first, last] = [...range].map(letter => letter.codePointAt(0)!) as [number, number];
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
  },
);

async function printedPlan(client: Client, ementa: string): Promise<string> {
  const [[id]] = (await service().sql(
    'update plano_ensino set ementa = $1 where id = (select min(id) from plano_ensino) returning id',
    [ementa],
  )) as [[number]];
  const response = await fetch(`${client.url}/academico/planos-ensino/gerar-pdf/${id}`, {
    headers: client.headers,
  });
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const pages = Array.from({ length: pdf.numPages }, async (_, i) => {
    const { items } = await (await pdf.getPage(i + 1)).getTextContent({ disableNormalization: true });
    return items.map(item => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join('');
  });
  return (await Promise.all(pages)).join(' ').replace(/\s+/g, ' ');
}

it('a document prints text unchanged but composed (NFC), and what no font has as usual letters or as a box', async () => {
  const admin = await service().as('admin');
  const seldom = fc.constantFrom('漢', '字', 'あ', '한', '😀', 'ก', '𝛼', '\u{10ffff}');
  const word = fc.array(
    fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...printed) }, { weight: 1, arbitrary: seldom }),
    { minLength: 1, maxLength: 9 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 60, maxLength: 80 }), async words => {
      const text = words.map(letters => letters.join('')).join(' ');
      const expected = text
        .normalize('NFC')
        .replaceAll('𝛼', 'α')
        .replace(/[ก\u{10ffff}]/gu, '□');
      expect(await printedPlan(admin, text)).toContain(expected);
    }),
    fuzzing(4),
  );
});
