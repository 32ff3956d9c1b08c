import type { Response } from 'express';
import { AppError, invalid } from '../errors.ts';
import type { ListArgs } from '../listing/args.ts';
import type { Scope } from '../listing/plans.ts';
import { isLongerThan, streamList, type Listing } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { fieldMessages, messages, type Text } from '../messages.ts';
import { sendSpreadsheet, sheetHeaders, type SheetFormat } from '../reports/spreadsheet.ts';
import { pdfHeaders, sendTablePdf } from '../reports/table-pdf.ts';
import type { Orientation, Table } from '../reports/table.ts';
import { usedFilters } from '../reports/used-filters.ts';
import { MAX_SHEET_ROWS } from '../reports/xlsx.ts';
import type { Services } from '../services.ts';
import { issuerOf } from './issuer.ts';
import type { Operation } from './operation.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

/** The columns of a table as the fields of a list that it needs. */
function selectionFor(table: Table): Selection {
  const selection: Record<string, Selection> = {};
  for (const { path } of table.columns) {
    let at = selection;
    for (const name of path.split('.')) at = at[name] ??= {};
  }
  return selection;
}

/** Longest that a client may keep an export waiting without reading. */
const STALLED_MS = 60_000;

/** A file that a client asks for in the place of a page. */
export interface Wanted {
  table: Table;
  format: SheetFormat | 'pdf';
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
  const orientation = args['orientacao'] as Orientation | undefined;
  const table = orientation ? { ...report, orientation } : report;
  return asked[0] ? { table, format: asked[0] === 'pdf' ? 'pdf' : format } : undefined;
}

/** Answers an operation with a file of its whole list. @throws UNAVAILABLE when too many exports run already */
export type Exporter = (
  res: Response,
  operation: Operation,
  wanted: Wanted,
  args: Record<string, unknown>,
) => Promise<void>;

/** The exporter of a service: as many exports at a time as there are connections for them. */
export function exporter({ config }: Services): Exporter {
  let running = 0;
  return async (res, operation, wanted, args) => {
    if (running >= config.EXPORT_POOL) {
      throw new AppError('UNAVAILABLE', { detail: messages.tooBusy, retryAfter: 10 });
    }
    running += 1;
    try {
      await sendExport(res, operation, wanted, args);
    } finally {
      running -= 1;
    }
  };
}

/** @throws RESULT_TOO_LARGE when the list has more than so many records, before any of them is read */
export async function refuseLonger(
  most: number,
  message: (most: number) => Text,
  ...[listing, list, scope]: [Listing, ListArgs, Scope]
): Promise<void> {
  if (await isLongerThan(most, listing, list, scope))
    throw new AppError('RESULT_TOO_LARGE', { detail: message(most) });
}

/**
 * Streams the whole filtered, ordered list as an attachment (contract 7): the operation's own resolver runs, with
 * its permission and its limits, and the page that it would read becomes the download. HEAD reads nothing.
 */
async function sendExport(
  res: Response,
  operation: Operation,
  wanted: Wanted,
  args: Record<string, unknown>,
): Promise<void> {
  const { context } = res.locals;
  res.setTimeout(STALLED_MS, () => res.destroy());
  context.download = (list, scope) =>
    res.req.method === 'HEAD' ? sendHead(res, wanted) : sendFile(res, wanted, list, scope);
  await operation.field.resolve!(
    undefined,
    toProperties(operation.parameters, args),
    context,
    undefined as never,
  );
}

async function sendHead(res: Response, { table, format }: Wanted): Promise<void> {
  const timeZone = res.locals.context.services.config.INSTITUTION_TZ;
  const headers = format === 'pdf' ? pdfHeaders(table, timeZone) : sheetHeaders(table, format, { timeZone });
  res.writeHead(200, headers).end();
}

/** @throws RESULT_TOO_LARGE when the file could not hold the list */
async function sendFile(
  res: Response,
  { table, format }: Wanted,
  list: ListArgs,
  scope: Scope,
): Promise<void> {
  const { context } = res.locals;
  const { listing, exportPool, config, pdf } = context.services;
  if (format === 'xlsx') await refuseLonger(MAX_SHEET_ROWS, messages.tooLongForSheet, listing, list, scope);
  if (format === 'pdf') await refuseLonger(config.PDF_MAX_ROWS, messages.tooLongForPdf, listing, list, scope);
  const rows = streamList(listing, exportPool, list, selectionFor(table), scope);
  const options = {
    timeZone: config.INSTITUTION_TZ,
    filters: await usedFilters(listing, list, table),
    issuedBy: await issuerOf(context),
  };
  if (format === 'pdf') await sendTablePdf(res, pdf, table, rows, options);
  else await sendSpreadsheet(res, table, format, rows, options);
}
