import type { ZipFile } from 'yauzl';
import { unreadable, workbookFaults } from './messages.ts';
import { Unimportable } from './problems.ts';
import type { ImportFile, Row } from './row.ts';
import { readWorkbook } from './workbook/contents.ts';
import { LimitExceeded, WorkbookFault } from './workbook/limits.ts';
import { partsOf } from './workbook/parts.ts';
import { sheetRows } from './workbook/sheet.ts';

/**
 * The rows of a workbook's first visible sheet, with cells as text. Its parts are read in the order in which they are
 * needed, by the directory of the archive.
 * @throws Unimportable when it is not a workbook, or too large
 */
export async function* xlsxRows({ path, name }: ImportFile, stop?: AbortSignal): AsyncGenerator<Row> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false });
    const parts = await partsOf(zip, stop);
    const book = await readWorkbook(parts);
    for await (const rows of sheetRows(parts(book.sheet, 'sheet'), book)) yield* rows;
  } catch (error) {
    stop?.throwIfAborted();
    throw noWorkbook(name, error as Error);
  } finally {
    zip?.close();
  }
}

function noWorkbook(name: string, error: Error): Unimportable {
  const reason = error instanceof WorkbookFault ? error.reason : workbookFaults.damaged;
  const text = error instanceof LimitExceeded ? error.text(name) : unreadable.workbook(name, reason);
  return new Unimportable(text, [], { cause: error });
}
