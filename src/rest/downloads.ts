import type { Response } from 'express';
import { AppError, invalid } from '../errors.ts';
import type { Lists } from '../graph/rights.ts';
import { sendingList } from '../graphql/guard.ts';
import type { RecordList } from '../listing/list.ts';
import { isLongerThan, readValues, streamList } from '../listing/read.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { restTexts } from './messages.ts';
import { sendSpreadsheet, sheetHeaders, type SheetFormat } from '../reports/spreadsheet.ts';
import type { Orientation, Table } from '../reports/table.ts';
import { pdfHeaders, sendTablePdf } from '../reports/table-pdf.ts';
import { usedFilters } from '../reports/used-filters.ts';
import { MAX_SHEET_ROWS } from '../reports/sheet.ts';
import { whileRightsKept } from '../request/rights-kept.ts';
import { type Services } from '../request/services.ts';
import { issueOf } from './issuer.ts';
import type { Operation } from './operation.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

/** A request for a whole list as a file. */
export interface FileRequest {
  table: Table;
  format: SheetFormat | 'pdf';
  orientation?: Orientation | undefined;
}

/** The file that the arguments request; undefined if none. @throws BAD_REQUEST when they request two */
export function fileRequestOf(
  { exports, report }: Route,
  args: Record<string, unknown>,
): FileRequest | undefined {
  const format = (args['formatoPlanilha'] as SheetFormat | undefined) ?? 'csv';
  if (exports && args['export'] === true) return { table: exports, format };
  if (!report) return undefined;
  const chosen = ['pdf', 'planilha'].filter(name => args[name] === true);
  if (chosen.length > 1)
    throw invalid(
      'BAD_REQUEST',
      chosen.map(field => ({ field, message: fieldMessages.oneAtATime })),
    );
  if (chosen[0] === 'planilha') return { table: report, format };
  const orientation = args['orientacao'] as Orientation | undefined;
  return chosen[0] === 'pdf' ? { table: report, format: 'pdf', orientation } : undefined;
}

/**
 * Returns a function that answers an operation with a file of its whole list. The number of connections for exports
 * limits the spreadsheets that are sent at a time. PDFs have a queue of their own. `lists` are those of the schema.
 */
export function exporter({ exporting, shares }: Services, lists: Lists) {
  /** @throws UNAVAILABLE when too many run */
  return async (
    res: Response,
    operation: Operation,
    wanted: FileRequest,
    args: Record<string, unknown>,
  ): Promise<void> => {
    const { context } = res.locals;
    const given = { ...defaultsOf(operation), ...toProperties(operation.parameters, args) };
    const send = (): Promise<void> =>
      sendingList(operation.field, given, context, list => sendList(res, wanted, list, lists));
    if (res.req.method === 'HEAD') return send();
    const { idPessoa } = await context.session();
    if (wanted.format === 'pdf') return shares.documents.during(idPessoa, send);
    return shares.exports.during(idPessoa, () => exporting.run(send));
  };
}

/** Default values of absent arguments, as GraphQL fills them in. */
const defaultsOf = ({ field }: Operation): Record<string, unknown> =>
  Object.fromEntries(
    field.args.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    ),
  );

/**
 * Sends a whole filtered and ordered list (contract 7). HEAD reads nothing.
 * @throws RESULT_TOO_LARGE before anything is sent, when there are more records than the format can hold
 */
async function sendList(
  res: Response,
  { table, format, orientation }: FileRequest,
  list: RecordList,
  lists: Lists,
): Promise<void> {
  const { context } = res.locals;
  const { pdf, config } = context.services;
  // The budget of a request does not apply to files.
  const listing = { ...context.listing, budget: undefined };
  const timeZone = config.INSTITUTION_TZ;
  const issue = await issueOf(context);
  if (res.req.method === 'HEAD') {
    const { now } = issue;
    const headers =
      format === 'pdf' ? pdfHeaders(table, timeZone, now) : sheetHeaders(table, format, { timeZone, now });
    res.writeHead(200, headers).end();
    return;
  }
  if (format === 'xlsx' && (await isLongerThan(MAX_SHEET_ROWS, listing, list)))
    throw tooLong(restTexts.tooLongForSheet(MAX_SHEET_ROWS));
  const paths = table.columns.map(({ path }) => path);
  const filters = await usedFilters(list, table, listing, { caller: context.caller, lists });
  const options = { timeZone, orientation, filters, ...issue };
  if (format === 'pdf') {
    const { idPessoa } = await context.session();
    const most = config.PDF_MAX_ROWS;
    const rows = async (): Promise<unknown[][]> => {
      const found = await readValues(most + 1, listing, list, paths);
      if (found.length > most) throw tooLong(restTexts.tooLongForPdf(most));
      return found;
    };
    await sendTablePdf(res, pdf, table, rows, { ...options, idPessoa });
  } else {
    const signal = context.closed;
    const rows = context.caller.reads.batches(at => streamList(listing, { ...at, signal }, list, paths));
    await sendSpreadsheet(res, table, format, whileRightsKept(rows, context), options);
  }
}

const tooLong = (detail: Text): AppError => new AppError('RESULT_TOO_LARGE', { detail });
