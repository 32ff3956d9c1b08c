import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { SentRows } from '../../src/database/sent-rows.ts';
import { sendSpreadsheet, type SheetFormat } from '../../src/reports/spreadsheet.ts';
import type { Table, UsedFilter } from '../../src/reports/table.ts';
import { rowOf, type Example } from './example.ts';
import { sentRows } from './sent-rows.ts';

export const timeZone = 'America/Sao_Paulo';
const filters: UsedFilter[] = [{ title: 'Título', value: '=ácido' }];
export const now = new Date('2026-11-21T01:30:00.000Z');

/**
 * A server that sends one spreadsheet per request. `outcome` is the result of the first one: undefined or its error.
 */
export const serve = (
  format: SheetFormat,
  rows: (response: ServerResponse) => AsyncIterable<readonly Example[]>,
  shown: Table,
) => serveRows(format, response => shownIn(shown, rows(response)), shown);

/** The same with rows as a database sends them. */
export async function serveRows(
  format: SheetFormat,
  rows: (response: ServerResponse) => AsyncIterable<SentRows>,
  shown: Table,
) {
  let settle: (error: unknown) => void;
  const outcome = new Promise<unknown>(resolve => (settle = resolve));
  const server = createServer((_request, response) => {
    sendSpreadsheet(response, shown, format, rows(response), {
      timeZone,
      now,
      filters,
      issuedBy: 'Ana Souza',
    }).then(settle, (error: unknown) => {
      if (!response.headersSent) response.writeHead(500).end();
      settle(error);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, outcome };
}

async function* shownIn(table: Table, batches: AsyncIterable<readonly Example[]>) {
  for await (const batch of batches) yield sentRows(batch.map(example => rowOf(table, example)));
}

export async function* batches(...all: Example[][]) {
  yield* all;
}

export async function download(format: SheetFormat, rows: readonly Example[][], shown: Table) {
  const { url } = await serve(format, () => batches(...rows), shown);
  const response = await fetch(url);
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}
