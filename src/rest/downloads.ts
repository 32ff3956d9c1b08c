import type { Response } from 'express';
import { AppError } from '../errors.ts';
import type { ListArgs } from '../listing/args.ts';
import type { Scope } from '../listing/plans.ts';
import { isLongerThan, streamList, type Listing } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { messages, type Text } from '../messages.ts';
import { sendSpreadsheet, sheetHeaders, type SheetFormat } from '../reports/spreadsheet.ts';
import type { Table } from '../reports/table.ts';
import { MAX_SHEET_ROWS } from '../reports/xlsx.ts';
import type { Services } from '../services.ts';
import { issuerOf } from './issuer.ts';
import type { Operation } from './operation.ts';
import { toProperties } from './properties.ts';

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

/** Answers an operation with a file of its whole list. @throws UNAVAILABLE when too many exports run already */
export type Exporter = (
  res: Response,
  operation: Operation,
  table: Table,
  args: Record<string, unknown>,
) => Promise<void>;

/** The exporter of a service: as many exports at a time as there are connections for them. */
export function exporter({ config }: Services): Exporter {
  let running = 0;
  return async (res, operation, table, args) => {
    if (running >= config.EXPORT_POOL) {
      throw new AppError('UNAVAILABLE', { detail: messages.tooBusy, retryAfter: 10 });
    }
    running += 1;
    try {
      await sendExport(res, operation, table, args);
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
  table: Table,
  args: Record<string, unknown>,
): Promise<void> {
  const { context } = res.locals;
  const { listing, exportPool, config } = context.services;
  const format = (args['formatoPlanilha'] as SheetFormat | undefined) ?? 'csv';
  const timeZone = config.INSTITUTION_TZ;
  res.setTimeout(STALLED_MS, () => res.destroy());
  context.download = async (list, scope) => {
    if (res.req.method === 'HEAD') {
      res.writeHead(200, sheetHeaders(table, format, { timeZone })).end();
    } else {
      if (format === 'xlsx')
        await refuseLonger(MAX_SHEET_ROWS, messages.tooLongForSheet, listing, list, scope);
      const options = { timeZone, filters: [], issuedBy: await issuerOf(context) };
      const rows = streamList(listing, exportPool, list, selectionFor(table), scope);
      await sendSpreadsheet(res, table, format, rows, options);
    }
  };
  await operation.field.resolve!(
    undefined,
    toProperties(operation.parameters, args),
    context,
    undefined as never,
  );
}
