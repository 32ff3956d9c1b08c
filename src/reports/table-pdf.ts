import type { ServerResponse } from 'node:http';
import { attachment, datedFileName } from './attachment.ts';
import type { TableData } from './pdf/tabela.ts';
import type { PdfWriter } from './pdf/writer.ts';
import type { Orientation, Provenance, Row, Table } from './table.ts';

export interface TablePdfOptions extends Provenance {
  /** Where the date in the file's name is local. */
  timeZone: string;
  orientation?: Orientation;
  /** Who asked for it. */
  idPessoa?: number;
}

/**
 * Sends rows as a PDF, an attachment. They are read when it is their turn to be written, and all held then: that they are
 * not too many is to be seen to before.
 * @throws UNAVAILABLE when too many documents wait already, or it takes too long
 */
export async function sendTablePdf(
  res: ServerResponse,
  writer: PdfWriter,
  table: Table,
  rows: AsyncIterable<readonly Row[]>,
  { timeZone, now, idPessoa, ...options }: TablePdfOptions,
): Promise<void> {
  const data = async (): Promise<TableData> => {
    const all: Row[] = [];
    // For a client that left meanwhile an empty one is made, which is quick.
    if (!res.destroyed) for await (const batch of rows) all.push(...batch);
    return { ...options, table, rows: all };
  };
  const file = await writer.write('tabela', now, data, idPessoa);
  res.writeHead(200, { ...pdfHeaders(table, timeZone, now), 'Content-Length': String(file.length) });
  res.end(file);
}

/** The headers of the PDF, but for its length. */
export function pdfHeaders(table: Table, timeZone: string, now: Date): Record<string, string> {
  return {
    'Content-Type': 'application/pdf',
    'Content-Disposition': attachment(datedFileName(table.name, 'pdf', now, timeZone)),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}
