import type { ServerResponse } from 'node:http';
import { until, type Sheet } from './sheet.ts';
import type { SheetOptions } from './spreadsheet.ts';
import { digitsOf } from './numbers.ts';
import {
  asText,
  isNumeric,
  localTimeIn,
  rowReader,
  type CellType,
  type LocalTime,
  type Row,
  type Table,
} from './table.ts';

/** A csv as Excel in Portuguese opens it by double click; a csv library takes three times as long. */
export function openCsv(res: ServerResponse, { columns }: Table, { timeZone }: SheetOptions): Sheet {
  const localTime = localTimeIn(timeZone);
  const read = rowReader(columns, (value, { type }) => csvCell(value, type, localTime));
  const line = (row: Row) => `${read(row).join(';')}\r\n`;
  res.write(`\uFEFF${columns.map(column => csvText(column.title)).join(';')}\r\n`);
  return {
    async add(rows) {
      if (!res.write(rows.map(line).join(''))) await until(res, 'drain');
    },
    async finish() {
      res.end();
      await until(res, 'finish');
    },
  };
}

function csvCell(value: unknown, type: CellType, localTime: LocalTime): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'S' : 'N';
  const digits = isNumeric(type) ? digitsOf(value) : undefined;
  if (digits !== undefined) return digits.replace('.', ',');
  return csvText(type === 'timestamp' ? localTime(asText(value)) : asText(value));
}

function csvText(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
