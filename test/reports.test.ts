import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import type { Report } from '../src/reports/report.ts';
import { reports } from '../src/reports/catalogue/catalogue.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { snakeCase } from '../src/text/names.ts';
import { operations } from './spec/specification.ts';
import { listsOf } from './support/lists.ts';
import { grant } from './support/permissions.ts';
import { lastMonth, storeroomReports, sums } from './support/reports.ts';
import { useService } from './support/service.ts';

const service = useService({ PDF_MAX_ROWS: '40' });
const view = legacyView(await createSchema(), routes);
const all = [...reports.values()].map(report => [report.table.name, report] as const);

interface Row {
  titulo: string;
  unid_medida: string;
  qt_armazenada: number;
}

interface Movement {
  titulo: string;
  operacao: string;
  responsavel: string;
  responsavel_origem: string | null;
  qt_movimentacao: number;
}

/** The key of the same material's transfers in the other direction. */
function turned(way: string): string {
  const [titulo, operacao, to, from] = way.split(',');
  return [titulo, operacao, from, to].join();
}

async function file(
  path: string,
  usuario = 'admin',
): Promise<{ headers: Headers; bytes: Uint8Array; status: number }> {
  const { headers } = await service().as(usuario);
  const response = await fetch(service().url + path, { headers });
  return { headers: response.headers, bytes: await response.bytes(), status: response.status };
}

async function pdfText(bytes: Uint8Array): Promise<string> {
  const { extractText, getDocumentProxy } = await import('unpdf');
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return text;
}

/** Filters with few rows. */
async function narrowing({ path, beyond }: Report): Promise<string> {
  if (beyond) {
    const { ano, mes } = await lastMonth(service());
    return `?ano=${ano}&mes=${mes}`;
  }
  if (path.includes('almoxarifado')) return '?numero_cas=67-64-1';
  const [[ano, semestre]] = (await service().sql(
    'select ano, semestre from plano_ensino order by 1 desc, 2 desc limit 1',
  )) as [[number, number]];
  return `?ano=${ano}&semestre=${semestre}`;
}

describe.each(all)('the report %s', (name, report) => {
  it('has its declared columns and the values of its page in every form', async () => {
    const narrow = await narrowing(report);
    const { body } = await (await service().as('admin')).get(`${report.path}${narrow}`);
    expect(body.data.length).toBeGreaterThan(0);
    const csv = await file(`${report.path}${narrow}&planilha=1`);
    const lines = new TextDecoder().decode(csv.bytes).trimEnd().split('\r\n');
    expect(lines[0]).toBe(report.table.columns.map(column => column.title).join(';'));
    const xlsx = await file(`${report.path}${narrow}&planilha=true&formatoPlanilha=xlsx`);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(xlsx.bytes.buffer as never);
    const titles = (workbook.worksheets[0]!.getRow(1).values as string[]).slice(1);
    expect(titles).toEqual(report.table.columns.map(column => column.title));
    const pdf = await file(`${report.path}${narrow}&pdf=true`);
    expect(await pdfText(pdf.bytes)).toContain(report.table.title.toUpperCase());
    for (const [{ headers, status }, extension] of [
      [csv, 'csv'],
      [xlsx, 'xlsx'],
      [pdf, 'pdf'],
    ] as const) {
      expect(status).toBe(200);
      const file = new RegExp(`"${name}-\\d{4}-\\d\\d-\\d\\d\\.${extension}"`);
      expect(headers.get('content-disposition')).toMatch(file);
    }
    const { column, value } = firstText(report.table.columns, body.data[0]);
    expect(lines[1], column).toContain(value);
  });

  it('can be run, in any form, only with level 1 on its controller', async () => {
    const asked = (usuario: string) =>
      Promise.all(
        ['', '?pdf=true', '?planilha=true', '?planilha=true&formatoPlanilha=xlsx'].map(
          async query => (await file(`${report.path}${query}`, usuario)).status,
        ),
      );
    const query = `{ ${report.field} { total } relatorios(itemsPerPage: 100) { data { id } } }`;
    const discente = await service().as('discente');
    expect(await asked('discente')).toEqual([403, 403, 403, 403]);
    expect(await discente.graphql(query)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    await grant(service(), 'discente', { controller: report.controller, nivel: 1 });
    const { data, errors } = await discente.graphql(query);
    expect(errors).toBeUndefined();
    expect(data.relatorios.data).toContainEqual({ id: report.id });
    expect((await file(`${report.path}?planilha=true`, 'discente')).status).toBe(200);
  });

  it('explains its parameters in the language of the client', async () => {
    const admin = await service().as('admin');
    const query = `{ parametrosRelatorio(idRelatorio: ${report.id}, pagination: false) { data { nome descricao } } }`;
    const descriptionsIn = async (language: string) => {
      const client = admin.with({ 'accept-language': language });
      const rest = await client.get(`/relatorios/relatorios-parametros?id_relatorio=${report.id}`);
      const { data } = await client.graphql(query);
      return [rest.body.data, data.parametrosRelatorio.data] as { nome: string; descricao: string }[][];
    };
    const [portuguese, english] = [await descriptionsIn('pt-BR'), await descriptionsIn('en')];
    for (const [face, parameters] of portuguese.entries())
      for (const [i, { nome, descricao }] of parameters.entries()) {
        expect(english[face]![i]!.nome).toBe(nome);
        expect(descricao, nome).not.toBe(english[face]![i]!.descricao);
        expect(descricao, nome).toMatch(/^(Só|Se|Ordena|Ordem|Número|Registros|Tipo|Posição) /);
      }
  });

  it('lists the parameters that it accepts', async () => {
    const client = await service().as('admin');
    const { body } = await client.get(`/relatorios/relatorios-parametros?id_relatorio=${report.id}`);
    const operation = view.operations.find(({ route }) => route.path === report.path)!;
    expect(body.data.map((one: { nome: string }) => one.nome)).toEqual(operation.parameters.map(p => p.name));
    const specified = operations.find(({ path }) => path === report.path)?.query ?? [];
    const byName = new Map<string, Record<string, unknown>>(
      body.data.map((one: { nome: string }) => [one.nome, one]),
    );
    for (const { name: parameter, default: byDefault } of specified) {
      expect(byName.has(parameter), parameter).toBe(true);
      if (byDefault !== undefined) expect(byName.get(parameter)!['padrao']).toBe(String(byDefault));
    }
    const { data } = await client.graphql(
      `{ parametrosRelatorio(idRelatorio: ${report.id}, pagination: false) { data { nome } } }`,
    );
    // What is built in GraphQL's own way has no value of one of the kinds.
    const built = /^(filter|orderBy|after)$/;
    expect(data.parametrosRelatorio.data.map((one: { nome: string }) => one.nome)).toEqual(
      operation.field.args.map(arg => arg.name).filter(name => !built.test(name)),
    );
  });

  it('lists each parameter with a type whose values it takes', async () => {
    const client = await service().as('admin');
    const { data } = await client.graphql(
      `{ parametrosRelatorio(idRelatorio: ${report.id}, pagination: false) { data { nome tipo valores } } }`,
    );
    const listed = data.parametrosRelatorio.data as {
      nome: string;
      tipo: string;
      valores: string[] | null;
    }[];
    expect(listed.length).toBeGreaterThan(3);
    const literals: Record<string, string> = {
      INTEGER: '1',
      STRING: '"a"',
      BOOLEAN: 'true',
      DATE: '"2026-01-31"',
    };
    for (const { nome, tipo, valores } of listed)
      for (const literal of valores ?? [literals[tipo]!]) {
        const { errors = [] } = await client.graphql(`{ ${report.field}(${nome}: ${literal}) { total } }`);
        const told = errors.flatMap(({ message, extensions }) => [message, ...(extensions.errors ?? [])]);
        expect(JSON.stringify(told), `${nome}: ${literal}`).not.toMatch(
          /deve ser u|Expected|cannot represent/,
        );
      }
  });
});

/** The first text that a row shows. */
function firstText(columns: readonly { path: string; type: string }[], row: Record<string, unknown>) {
  const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const { path } = columns.find(({ type }) => type === 'text')!;
  return { column: path, value: String(row[snake(path)]) };
}

it('every filter of a list that is sent as a file has a name in Portuguese', async () => {
  const schema = await createSchema();
  for (const route of routes) {
    const table = route.exports ?? route.report;
    if (!table) continue;
    const { declaration } = listsOf(schema).find(({ field }) => field === route.field)!;
    const nameless = declaration.filters.filter(
      ({ title, paths }) => !title && !table.columns.some(column => paths.includes(column.path)),
    );
    expect(
      nameless.map(({ argument }) => argument),
      route.path,
    ).toEqual([]);
  }
});

describe('the list of reports', () => {
  it('has those that the caller may run', async () => {
    const names = async (usuario: string, query = '') =>
      (
        await (await service().as(usuario)).get(`/relatorios/relatorios?itemsPerPage=100${query}`)
      ).body.data.map((row: { nome: string }) => row.nome);
    expect(await names('admin')).toEqual(all.map(([name]) => name));
    expect(await names('tecnico')).toEqual(
      all.map(([name]) => name).filter(name => /mater|controlados|mapa/.test(name)),
    );
    expect(await names('docente')).toEqual([]);
    expect(await names('tecnico', '&descricao=MATERIAIS+controla')).toEqual([
      'materiais-controlados',
      'movimentacoes-materiais-controlados',
    ]);
    expect(await names('admin', '&situacao=I')).toEqual([]);
  });

  it('leads to paths that answer, and to queries', async () => {
    const client = await service().as('admin');
    for (const row of (await client.get('/relatorios/relatorios?itemsPerPage=100')).body.data) {
      expect((await client.get(row.caminho)).status).toBe(200);
      expect((await client.graphql(`{ ${row.consulta} { total } }`)).errors).toBeUndefined();
    }
  });

  it('does not show the parameters of a report that does not exist or that the caller may not run', async () => {
    const at = '/relatorios/relatorios-parametros';
    const docente = await service().as('docente');
    expect((await docente.get(`${at}?id_relatorio=7`)).status).toBe(403);
    expect((await docente.get(`${at}?id_relatorio=999`)).status).toBe(404);
    expect((await docente.get(at)).status).toBe(400);
  });
});

describe('a file', () => {
  it('is a PDF or a spreadsheet, not both', async () => {
    const answer = await (await service().as('tecnico')).get(`${storeroomReports.left}?pdf=true&planilha=1`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual(['pdf', 'planilha']);
  });

  it('says which filters were used, with names for keys, and their defaults', async () => {
    const [[id, titulo]] = (await service().sql(
      `select id, titulo from material where numero_cas = '67-64-1'`,
    )) as [[number, string]];
    const path = `${storeroomReports.moved}?id_material=${id}&dt_periodo_final=2999/12/31`;
    const text = await pdfText((await file(`${path}&pdf=true`, 'tecnico')).bytes);
    for (const word of ['Fim do período', '31/12/2999', titulo, 'Beatriz Nogueira Sá'])
      expect(text).toContain(word);
    const { bytes } = await file(`${storeroomReports.stocked}?planilha=true&formatoPlanilha=xlsx`);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(bytes.buffer as never);
    const filters = workbook.worksheets[1]!.getSheetValues().flat().filter(Boolean);
    expect(filters).toEqual(expect.arrayContaining(['Estoques vazios', 'Não']));
  });

  it('adds up quantities for each material in its unit', async () => {
    const { body } = await (
      await service().as('tecnico')
    ).get(`${storeroomReports.controlled}?itemsPerPage=1000`);
    const expected = sums<Row>(
      body.data,
      row => `${row.titulo} ${row.unid_medida}`,
      row => row.qt_armazenada,
    );
    expect(Object.keys(expected).length).toBeGreaterThan(2);
    const { bytes } = await file(`${storeroomReports.controlled}?planilha=true&formatoPlanilha=xlsx`);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(bytes.buffer as never);
    const rows = workbook.worksheets[0]!.getSheetValues().slice(2) as unknown[][];
    const totals = rows
      .filter(row => row.includes('Total'))
      .map(row => [`${String(row[1])} ${String(row[8])}`, row[7]]);
    expect(Object.fromEntries(totals)).toEqual(expected);
  });

  it('adds up movements of a material for each kind, and transfers for each way that they went', async () => {
    const { body } = await (await service().as('tecnico')).get(`${storeroomReports.moved}?itemsPerPage=1000`);
    const expected = sums<Movement>(
      body.data,
      row =>
        [
          row.titulo,
          row.operacao,
          ...(row.responsavel_origem ? [row.responsavel, row.responsavel_origem] : []),
        ].join(),
      row => row.qt_movimentacao,
    );
    expect(new Set(body.data.map((row: Movement) => row.operacao)).size).toBeGreaterThan(2);
    const ways = Object.keys(expected).filter(key => key.includes('Transferência'));
    expect(ways.some(way => ways.includes(turned(way)))).toBe(true);
    const { bytes } = await file(`${storeroomReports.moved}?planilha=true&formatoPlanilha=xlsx`);
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(bytes.buffer as never);
    const rows = workbook.worksheets[0]!.getSheetValues().slice(2) as unknown[][];
    const totals = rows
      .filter(row => row.includes('Total'))
      .map(row => [[row[4], row[2], row[10], row[12]].filter(Boolean).join(), row[13]]);
    expect(Object.fromEntries(totals)).toEqual(expected);
  });

  it('leaves out by default the same as a page', async () => {
    const { body } = await (await service().as('tecnico')).get(storeroomReports.stocked);
    const lines = async (query: string) =>
      new TextDecoder()
        .decode((await file(`${storeroomReports.stocked}?planilha=true${query}`)).bytes)
        .trimEnd()
        .split('\r\n').length - 1;
    expect(await lines('')).toBe(body.total);
    expect(await lines('&retornarVazio=true')).toBeGreaterThan(body.total);
  });

  it('has the declared orientation, or the requested one', async () => {
    const { getDocumentProxy } = await import('unpdf');
    const isWide = async (query: string): Promise<boolean> => {
      const pdf = await getDocumentProxy((await file(`${query}&pdf=true&numero_cas=67-64-1`)).bytes);
      const [, , width, height] = (await pdf.getPage(1)).view;
      return width! > height!;
    };
    expect(await isWide(`${storeroomReports.controlled}?`)).toBe(false);
    expect(await isWide(`${storeroomReports.controlled}?orientacao=landscape`)).toBe(true);
    expect(await isWide(`${storeroomReports.moved}?`)).toBe(true);
    expect(await isWide(`${storeroomReports.moved}?orientacao=PORTRAIT`)).toBe(false);
  });

  it('of controlled materials has what the Army calls them, after its older columns', async () => {
    const client = await service().as('almoxarife');
    const [[id]] = (await service().sql(`select id from material where titulo = 'Acetona'`)) as [[number]];
    await service().sql(`update material set rotulo_exercito = 'PCE 5.2' where id = $1`, [id]);
    for (const path of [storeroomReports.controlled, storeroomReports.moved]) {
      const narrow = `${path}?id_material=${id}`;
      expect((await client.get(narrow)).body.data[0].rotulo_exercito).toBe('PCE 5.2');
      const csv = new TextDecoder().decode((await file(`${narrow}&planilha=true`)).bytes).split('\r\n');
      expect([csv[0], csv[1]]).toEqual([
        expect.stringMatching(/;Unidade;Rótulo do Exército;Nº do material$/),
        expect.stringMatching(new RegExp(`;L;PCE 5\\.2;${id}$`)),
      ]);
      expect(await pdfText((await file(`${narrow}&pdf=true`)).bytes)).toContain('PCE 5.2');
    }
    await service().sql('update material set rotulo_exercito = null where id = $1', [id]);
  });

  it.each(all)('of %s fits its page in letters that can be read, and breaks no word', async (_, report) => {
    const narrow = await narrowing(report);
    const { body } = await (await service().as('admin')).get(`${report.path}${narrow}`);
    const { getDocumentProxy } = await import('unpdf');
    const pdf = await getDocumentProxy((await file(`${report.path}${narrow}&pdf=true`)).bytes);
    const { items } = await (await pdf.getPage(1)).getTextContent({ disableNormalization: true });
    const texts = items.flatMap(item => ('str' in item && item.str.trim() ? [item] : []));
    expect(Math.min(...texts.map(({ height }) => height))).toBeGreaterThanOrEqual(6.5);
    const printed = new Set(texts.flatMap(({ str }) => str.split(/\s+/)));
    const shown = report.table.columns.filter(({ type, sheetOnly }) => type === 'text' && !sheetOnly);
    const words = shown.flatMap(({ path }) => String(body.data[0][snakeCase(path)] ?? '').split(/\s+/));
    expect(words.filter(word => word && !printed.has(word))).toEqual([]);
  });

  it('that would be too long as a PDF is refused before it is made', async () => {
    const answer = await (await service().as('tecnico')).get(`${storeroomReports.moved}?pdf=true`);
    expect(answer).toMatchObject({ status: 422, body: { code: 'RESULT_TOO_LARGE' } });
    expect((await file(`${storeroomReports.moved}?planilha=true`)).status).toBe(200);
  });

  it('can be described with HEAD alone', async () => {
    const client = await service().as('tecnico');
    for (const [query, type] of [
      ['pdf=true', 'application/pdf'],
      ['planilha=true', 'text/csv; charset=utf-8'],
    ]) {
      const { status, headers, body } = await client.raw(`${storeroomReports.left}?${query}`, {
        method: 'HEAD',
      });
      expect({ status, body, type: headers.get('content-type') }).toEqual({ status: 200, body: '', type });
    }
  });
});
