import type { Response } from 'express';
import { AppError, invalid } from '../errors.ts';
import type { ListArgs } from '../listing/args.ts';
import type { Scope } from '../listing/plans.ts';
import { isLongerThan, readBatch, streamList } from '../listing/read.ts';
import { fieldMessages, messages } from '../messages.ts';
import { sendSpreadsheet, sheetHeaders, type SheetFormat } from '../reports/spreadsheet.ts';
import type { Orientation, Table } from '../reports/table.ts';
import { pdfHeaders, sendTablePdf } from '../reports/table-pdf.ts';
import { usedFilters } from '../reports/used-filters.ts';
import { MAX_SHEET_ROWS } from '../reports/xlsx.ts';
import { type Services } from '../request/services.ts';
import { issueOf } from './issuer.ts';
import type { Operation } from './operation.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

/** A file of a whole list that is asked for. */
export interface Wanted {
  table: Table;
  format: SheetFormat | 'pdf';
  orientation?: Orientation | undefined;
}

/** The file that arguments ask for, if any. @throws BAD_REQUEST when they ask for two */
export function wantedFile({ exports, report }: Route, args: Record<string, unknown>): Wanted | undefined {
  const format = (args['formatoPlanilha'] as SheetFormat | undefined) ?? 'csv';
  if (exports && args['export'] === true) return { table: exports, format };
  if (!report) return undefined;
  const asked = ['pdf', 'planilha'].filter(name => args[name] === true);
  if (asked.length > 1)
    throw invalid(
      'BAD_REQUEST',
      asked.map(field => ({ field, message: fieldMessages.oneAtATime })),
    );
  if (asked[0] === 'planilha') return { table: report, format };
  const orientation = args['orientacao'] as Orientation | undefined;
  return asked[0] === 'pdf' ? { table: report, format: 'pdf', orientation } : undefined;
}

/** Answers an operation with a file of its whole list. @throws UNAVAILABLE when too many exports run already */
export type Exporter = (
  res: Response,
  operation: Operation,
  wanted: Wanted,
  args: Record<string, unknown>,
) => Promise<void>;

/** The exporter of a service: as many spreadsheets at a time as there are connections for them; PDFs wait by themselves. */
export function exporter({ config, shares }: Services): Exporter {
  let running = 0;
  return async (res, operation, wanted, args) => {
    const send = (): Promise<void> => sendExport(res, operation, wanted, args);
    if (res.req.method === 'HEAD') return send();
    const { idPessoa } = await res.locals.context.session();
    if (wanted.format === 'pdf') return shares.documents.during(idPessoa, send);
    return shares.exports.during(idPessoa, async () => {
      if (running >= config.EXPORT_POOL)
        throw new AppError('UNAVAILABLE', { detail: messages.tooBusy, retryAfter: 10 });
      running += 1;
      try {
        await send();
      } finally {
        running -= 1;
      }
    });
  };
}

/**
 * Sends the whole filtered, ordered list (contract 7): the operation's own resolver runs, with its permission and its
 * limits, and the page that it would read becomes the download. HEAD reads nothing.
 */
async function sendExport(
  res: Response,
  operation: Operation,
  wanted: Wanted,
  args: Record<string, unknown>,
): Promise<void> {
  const { context } = res.locals;
  context.download = (list, scope) => sendList(res, wanted, list, scope);
  await operation.field.resolve!(
    undefined,
    { ...defaultsOf(operation), ...toProperties(operation.parameters, args) },
    context,
    undefined as never,
  );
}

/** What stands for arguments that are absent, as where the schema runs a query. */
const defaultsOf = ({ field }: Operation): Record<string, unknown> =>
  Object.fromEntries(
    field.args.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    ),
  );

/** @throws RESULT_TOO_LARGE, before anything is read, when there are more records than the format holds */
async function sendList(
  res: Response,
  { table, format, orientation }: Wanted,
  list: ListArgs,
  scope: Scope,
): Promise<void> {
  const { context } = res.locals;
  const { listing, exportPool, pdf, config } = context.services;
  const timeZone = config.INSTITUTION_TZ;
  const issue = await issueOf(context);
  if (res.req.method === 'HEAD') {
    const { now } = issue;
    const headers =
      format === 'pdf' ? pdfHeaders(table, timeZone, now) : sheetHeaders(table, format, { timeZone, now });
    res.writeHead(200, headers).end();
    return;
  }
  const most = { pdf: config.PDF_MAX_ROWS, xlsx: MAX_SHEET_ROWS, csv: Infinity }[format];
  if (most < Infinity && (await isLongerThan(most, listing, list, scope))) {
    const detail = format === 'pdf' ? messages.tooLongForPdf(most) : messages.tooLongForSheet(most);
    throw new AppError('RESULT_TOO_LARGE', { detail });
  }
  const paths = table.columns.map(({ path }) => path);
  const filters = await usedFilters(listing, list, table);
  const options = { timeZone, orientation, filters, ...issue };
  if (format === 'pdf') {
    const { idPessoa } = await context.session();
    const rows = readBatch(most, listing, list, paths, scope);
    await sendTablePdf(res, pdf, table, rows, { ...options, idPessoa });
  } else {
    const place = { pool: exportPool, signal: context.closed };
    const rows = streamList(listing, place, list, paths, scope);
    await sendSpreadsheet(res, table, format, rows, options);
  }
}
