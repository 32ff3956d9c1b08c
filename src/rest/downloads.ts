import type { Response } from 'express';
import { AppError } from '../errors.ts';
import { streamList } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { messages } from '../messages.ts';
import { sendSpreadsheet, type SheetFormat } from '../reports/spreadsheet.ts';
import type { Table } from '../reports/table.ts';
import type { Operation } from './legacy-schema.ts';
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

/**
 * Streams the whole filtered, ordered list as an attachment (contract 7): the operation's own resolver runs, with
 * its permission and its limits, and the page that it would read becomes the download.
 * @throws UNAVAILABLE when too many exports run already
 */
export async function sendExport(
  res: Response,
  operation: Operation,
  table: Table,
  args: Record<string, unknown>,
): Promise<void> {
  const { context } = res.locals;
  const { listing, exportPool, config } = context.services;
  if (exportPool.idleCount === 0 && exportPool.totalCount >= config.EXPORT_POOL) {
    throw new AppError('UNAVAILABLE', { detail: messages.tooBusy, retryAfter: 10 });
  }
  res.setTimeout(STALLED_MS, () => res.destroy());
  context.download = async list => {
    const rows = streamList(listing, exportPool, list, selectionFor(table));
    const format = (args['formatoPlanilha'] as SheetFormat | undefined) ?? 'csv';
    await sendSpreadsheet(res, table, format, rows, { timeZone: config.INSTITUTION_TZ });
  };
  await operation.field.resolve!(
    undefined,
    toProperties(operation.parameters, args),
    context,
    undefined as never,
  );
}
