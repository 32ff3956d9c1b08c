import type { ServerResponse } from 'node:http';
import { until, type Sheet } from './sheet.ts';
import { asText, rowReader, type CellType, type LocalTime, type Row, type Table } from './table.ts';

/** A csv as Excel in Portuguese opens it by double click; a csv library takes three times as long. */
export function openCsv(res: ServerResponse, { columns }: Table, localTime: LocalTime): Sheet {
  const read = rowReader(columns, (value, type) => csvCell(value, type, localTime));
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
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (typeof value === 'boolean') return value ? 'S' : 'N';
  return csvText(type === 'timestamp' ? localTime(asText(value)) : asText(value));
}

function csvText(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
