import type { ServerResponse } from 'node:http';
import { attachment, datedFileName } from './attachment.ts';
import { openCsv } from './csv.ts';
import type { Sheet, SheetOptions } from './sheet.ts';
import type { SentRows } from '../database/sent-rows.ts';
import type { Rows, Table } from './table.ts';

export type SheetFormat = 'csv' | 'xlsx';

export const sheetTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<SheetFormat, string>;

/** A csv is written from what PostgreSQL sent, an xlsx from values. */
type BatchOf<Format extends SheetFormat> = 'csv' extends Format ? SentRows : Rows;

const CONTENT_TYPES: Record<SheetFormat, string> = { ...sheetTypes, csv: 'text/csv; charset=utf-8' };

/**
 * Streams rows to the response as an attachment, no faster than the client reads. Sends nothing before the first batch
 * is there. Resolves when all is sent or the client closed the connection; then the iterator is returned, which closes
 * its cursor.
 *
 * - csv: UTF-8 with BOM, `;` between cells, RFC 4180 quoting, decimal comma, dates `YYYY-MM-DD`, timestamps
 *   `YYYY-MM-DD HH:mm:ss`, booleans `S` or `N`; Portuguese Excel opens it by double click. Text that a spreadsheet
 *   would take for a formula or a date gets a leading `'`; numbers and dates never do. Text with a comma is quoted for
 *   programs that guess the separator.
 * - xlsx: typed cells under a frozen, filtered header, then the totals; the filters in words on a second sheet. Text
 *   is never a formula. It is cut at 32,767 characters and then ends with `…`.
 *
 * @throws what `rows` throws; RangeError beyond MAX_SHEET_ROWS (xlsx). While `res.headersSent` is false the caller can
 * still answer. Otherwise the connection was reset, so that no client takes the part for the whole, and the error
 * should only be logged.
 */
export async function sendSpreadsheet<Format extends SheetFormat>(
  res: ServerResponse,
  table: Table,
  format: Format,
  rows: AsyncIterable<BatchOf<Format>>,
  options: SheetOptions,
): Promise<void> {
  const openIn = format === 'csv' ? openCsv : (await import('./xlsx.ts')).openXlsx;
  let opened: Sheet<BatchOf<Format>> | undefined;
  const sheet = (): Sheet<BatchOf<Format>> => {
    if (!opened) res.writeHead(200, sheetHeaders(table, format, options));
    return (opened ??= openIn(res, table, options));
  };
  try {
    for await (const batch of rows) {
      if (!res.destroyed) await sheet().add(batch);
      if (res.destroyed) return;
    }
    if (!res.destroyed) await sheet().finish();
  } catch (error) {
    // A reset, because HTTP/1.0 clients (many proxies) interpret a plain close as the regular end.
    if (res.headersSent) res.socket?.resetAndDestroy();
    throw error;
  }
}

/** The headers of the attachment. */
export function sheetHeaders(
  table: Table,
  format: SheetFormat,
  { timeZone, now }: Pick<SheetOptions, 'timeZone' | 'now'>,
): Record<string, string> {
  return {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': attachment(datedFileName(table.name, format, now, timeZone)),
  };
}
