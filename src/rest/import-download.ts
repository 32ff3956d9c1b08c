import type { Response } from 'express';
import { AppError, notFound } from '../errors.ts';
import { NOTES } from '../imports/examine.ts';
import { jobTexts } from '../imports/messages.ts';
import { refusedRows, reportOf, requireContents } from '../imports/shown.ts';
import { messages } from '../messages.ts';
import { sendSpreadsheet, sheetHeaders } from '../reports/spreadsheet.ts';
import type { Column, Row, Rows, Table } from '../reports/table.ts';
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
    return { table: REPORT, rows: [...rows, ...repeated].toSorted((a, b) => Number(a[0]) - Number(b[0])) };
  });
}

/**
 * Sends the refused rows of an import as xlsx, with their problems in a last column. Imports ignore this column, so the
 * corrected file can be imported. @throws NOT_FOUND
 */
export function sendRefusedRows(res: Response, { id }: Record<string, unknown>): Promise<void> {
  return send(res, id as number, async reader => {
    const found = await refusedRows(reader, id as number);
    if (!found) throw new AppError('NOT_FOUND', { detail: messages.noRefusedRows });
    const headers = [...found.colunas, NOTES];
    const table = { name: 'linhas-recusadas', title: 'Linhas recusadas', columns: headers.map(h => text(h)) };
    const rows = found.linhas.map(({ celulas, problemas }) => [
      ...found.colunas.map((_, i) => celulas[i] ?? ''),
      problemas,
    ]);
    return { table, rows };
  });
}

type Reader = Parameters<typeof refusedRows>[0];

async function send(
  res: Response,
  id: number,
  read: (reader: Reader) => Promise<{ table: Table; rows: Row[] }>,
): Promise<void> {
  const { context } = res.locals;
  const { shares, config } = context.services;
  const { idPessoa } = await context.session();
  await requireContents(context, id);
  const options = { timeZone: config.INSTITUTION_TZ, filters: [], ...(await issueOf(context)) };
  await shares.exports.during(idPessoa, async () => {
    const { table, rows } = await context.inTime(() => read(context.reader));
    if (res.req.method === 'HEAD') res.writeHead(200, sheetHeaders(table, 'xlsx', options)).end();
    else await sendSpreadsheet(res, table, 'xlsx', once(rows), options);
  });
}

async function* once(rows: readonly Row[]): AsyncGenerator<Rows> {
  yield { length: rows.length, values: (start, end) => rows.slice(start, end) };
}
