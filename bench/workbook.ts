import { fromBufferPromise } from 'yauzl';

const ROW = '</row>';

/** How many rows the first sheet of a workbook has. */
export async function rowsOfWorkbook(workbook: Uint8Array): Promise<number> {
  const zip = await fromBufferPromise(Buffer.from(workbook), { autoClose: false });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue;
    const sheet = await zip.openReadStreamPromise(entry);
    let count = 0;
    let rest = '';
    for await (const chunk of sheet.setEncoding('latin1') as AsyncIterable<string>) {
      const parts = (rest + chunk).split(ROW);
      count += parts.length - 1;
      rest = parts.at(-1)!.slice(1 - ROW.length);
    }
    return count;
  }
  throw new Error('the workbook has no sheet');
}
