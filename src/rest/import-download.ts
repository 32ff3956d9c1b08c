import type { Response } from 'express';
import type { Reader } from '../database/reader.ts';
import type { Importacao } from '../entities/institucional/importacao.ts';
import { notFound } from '../errors.ts';
import { NOTES } from '../imports/examine.ts';
import { jobTexts } from '../imports/messages.ts';
import { MOST_KEPT, refusedRows } from '../imports/refused.ts';
import { reportOf, requireContents } from '../imports/shown.ts';
import { sendSpreadsheet, sheetHeaders } from '../reports/spreadsheet.ts';
import type { Column, Row, Rows, Table, UsedFilter } from '../reports/table.ts';
import { whileRightsKept } from '../request/rights-kept.ts';
import { issueOf } from './issuer.ts';

const text = (title: string, width = 30): Column => ({ title, path: title, type: 'text', width });
const integer = (title: string): Column => ({ title, path: title, type: 'integer', width: 9 });

const REPORT: Table = {
  name: 'relatorio-importacao',
  title: 'Relatório da importação',
  columns: [integer('Linha'), text('Coluna'), text('Valor'), text('Problema', 50), text('Esperado', 50)],
};

/** Sends the report of an import as xlsx: its first problems, and the skipped rows. @throws NOT_FOUND */
export function sendImportReport(res: Response, { id }: Record<string, unknown>): Promise<void> {
  return send(res, id as number, async reader => {
    const report = await reportOf(reader, id as number);
    if (!report) throw notFound();
    const { language } = res.locals.context;
    const rows = report.problemas.map(one => [one.linha, one.coluna, one.valor, one.problema, one.esperado]);
    const repeated = report.repeticoes.map(({ linha, primeira }) => [
      linha,
      '',
      '',
      jobTexts.repeats(primeira)[language],
      '',
    ]);
    const all = [...rows, ...repeated].toSorted((a, b) => Number(a[0]) - Number(b[0]));
    return { table: REPORT, rows: once(rowsOf(all)) };
  });
}

/**
 * Sends the refused rows of an import as xlsx, with their problems in a last column. Imports ignore this column, so the
 * corrected file can be imported. @throws NOT_FOUND
 */
export function sendRefusedRows(res: Response, { id }: Record<string, unknown>): Promise<void> {
  return send(res, id as number, async (reader, { recusadas }) => {
    const first = await refusedRows(reader, id as number);
    const headers = [...first.colunas, NOTES];
    const table = { name: 'linhas-recusadas', title: 'Linhas recusadas', columns: headers.map(h => text(h)) };
    const rows = rowsFrom(first, reader, id as number, Math.min(recusadas!, MOST_KEPT));
    const filters = recusadas! > MOST_KEPT ? [{ title: 'Linhas', value: firstOf(recusadas!) }] : [];
    return { table, rows, filters };
  });
}

const inPortuguese = new Intl.NumberFormat('pt-BR');
const firstOf = (total: number): string =>
  `as primeiras ${inPortuguese.format(MOST_KEPT)} de ${inPortuguese.format(total)} recusadas`;

type Chunk = Awaited<ReturnType<typeof refusedRows>>;

/** The rows of this chunk and of those after it, `total` in all. @throws NOT_FOUND if one was deleted meanwhile */
async function* rowsFrom(first: Chunk, reader: Reader, id: number, total: number): AsyncGenerator<Rows> {
  let left = total;
  for (let chunk = first; ; chunk = await refusedRows(reader, id, chunk.numero)) {
    const { colunas, linhas } = chunk;
    yield rowsOf(
      linhas.map(({ celulas, problemas }) => [...colunas.map((_, i) => celulas[i] ?? ''), problemas]),
    );
    left -= linhas.length;
    if (left <= 0) return;
  }
}

interface Contents {
  table: Table;
  rows: AsyncIterable<Rows>;
  filters?: readonly UsedFilter[];
}

async function send(
  res: Response,
  id: number,
  read: (reader: Reader, shown: Importacao) => Promise<Contents>,
): Promise<void> {
  const { context } = res.locals;
  const { shares, config } = context.services;
  const { idPessoa } = await context.session();
  const shown = await requireContents(context, id);
  const issue = { timeZone: config.INSTITUTION_TZ, ...(await issueOf(context)) };
  await shares.exports.during(idPessoa, async () => {
    const { table, rows, filters = [] } = await context.inTime(() => read(context.reader, shown));
    const options = { ...issue, filters };
    if (res.req.method === 'HEAD') res.writeHead(200, sheetHeaders(table, 'xlsx', options)).end();
    else await sendSpreadsheet(res, table, 'xlsx', whileRightsKept(rows, context), options);
  });
}

const rowsOf = (rows: readonly Row[]): Rows => ({
  length: rows.length,
  values: (start, end) => rows.slice(start, end),
});

async function* once(rows: Rows): AsyncGenerator<Rows> {
  yield rows;
}
