import type { ServerResponse } from 'node:http';
import { attachment, datedFileName } from './attachment.ts';
import type { TableData } from './pdf/tabela.ts';
import type { PdfWriter } from './pdf/writer.ts';
import type { Orientation, Provenance, Row, Table } from './table.ts';

export interface TablePdfOptions extends Provenance {
  /** Time zone of the date in the file's name. */
  timeZone: string;
  orientation?: Orientation;
  /** The person who requests the document. */
  idPessoa?: number;
}

/**
 * Sends rows as a PDF attachment. They are all read into memory when the document's turn comes, so the caller must
 * limit their number.
 * @throws UNAVAILABLE when too many documents wait, or this one takes too long
 */
export async function sendTablePdf(
  res: ServerResponse,
  writer: PdfWriter,
  table: Table,
  rows: () => Promise<readonly Row[]>,
  { timeZone, now, idPessoa, ...options }: TablePdfOptions,
): Promise<void> {
  // If the client has closed the connection meanwhile, an empty document is rendered, which is fast.
  const data = async (): Promise<TableData> => ({
    ...options,
    table,
    rows: res.destroyed ? [] : await rows(),
  });
  const file = await writer.write('tabela', now, data, idPessoa);
  res.writeHead(200, { ...pdfHeaders(table, timeZone, now), 'Content-Length': String(file.length) });
  res.end(file);
}

/** The headers of the PDF, except its length. */
export function pdfHeaders(table: Table, timeZone: string, now: Date): Record<string, string> {
  return {
    'Content-Type': 'application/pdf',
    'Content-Disposition': attachment(datedFileName(table.name, 'pdf', now, timeZone)),
  };
}
