import type { ServerResponse } from 'node:http';
import { until, type Sheet } from './sheet.ts';
import { digitsOf } from './numbers.ts';
import { asText, isNumeric, localTime, type CellType, type Row, type Table } from './table.ts';

/** A csv as Excel in Portuguese opens it by double click; a csv library takes three times as long. */
export function openCsv(res: ServerResponse, { columns }: Table): Sheet {
  const types = columns.map(({ type }) => type);
  const line = (row: Row) => `${row.map((value, i) => csvCell(value, types[i]!)).join(';')}\r\n`;
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

function csvCell(value: unknown, type: CellType): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'S' : 'N';
  const digits = isNumeric(type) ? digitsOf(value) : undefined;
  if (digits !== undefined) return digits.replace('.', ',');
  return csvText(type === 'timestamp' ? localTime(value) : asText(value));
}

/** What a spreadsheet would take for a formula, and what ends a cell. */
const SPECIAL = /^[=+\-@\t\r]|[;"\r\n]/;

function csvText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
