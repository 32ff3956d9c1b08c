import type { Response } from 'express';
import { AppError } from '../errors.ts';
import { streamList } from '../listing/read.ts';
import type { Selection } from '../listing/selection.ts';
import { messages } from '../messages.ts';
import { sendSpreadsheet, sheetHeaders, type SheetFormat } from '../reports/spreadsheet.ts';
import type { Table } from '../reports/table.ts';
import type { Services } from '../services.ts';
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
  const options = { timeZone: config.INSTITUTION_TZ };
  context.download = async (list, scope) => {
    if (res.req.method === 'HEAD') {
      res.writeHead(200, sheetHeaders(table, format, options)).end();
    } else {
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
