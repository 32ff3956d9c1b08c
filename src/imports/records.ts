import type { Text } from '../messages.ts';
import { isCut } from '../text/cell-text.ts';
import { isReadable, readable } from '../text/readable.ts';
import { isCellError } from './cell-errors.ts';
import type { Value } from './formats.ts';
import { said, wrong } from './messages.ts';
import type { ImportPlan } from './plan.ts';
import type { Problem } from './problems.ts';
import { type Row } from './row.ts';

/** A row as it is staged: its number, a value for each staged column, and whether it has a problem. */
export type StagedRow = Record<string, Value | null>;

/** The values of a row and its problems. A value with a problem is staged as null. */
export function readRow(
  { columns }: ImportPlan,
  { number: row, cells }: Row,
  keepCells: boolean,
): [StagedRow, Problem[]] {
  const staged: StagedRow = { linha: row };
  const problems: Problem[] = [];
  columns.forEach(({ header, format, required, empty, staged: name }, i) => {
    const found = cells[i] ?? '';
    const fault = found === '' ? required && wrong.missing : valueless(found);
    const value = found === '' ? empty : format.read(found);
    if (fault)
      problems.push({ row, field: header, found, wrong: fault, expected: said.value(format.expected) });
    else if (value === undefined)
      problems.push({ row, field: header, found, wrong: wrong.malformed, expected: format.expected });
    staged[name] = fault || value === undefined ? null : value;
  });
  cells.slice(columns.length).forEach((found, i) => {
    const field = `column ${columns.length + i + 1}`;
    if (found !== '') problems.push({ row, field, found, wrong: wrong.headless, expected: said.noColumn });
  });
  staged['recusada'] = problems.length > 0;
  staged['celulas'] = keepCells ? cells.map(readable) : null;
  return [staged, problems];
}

/** Why a text is no value in any column; undefined if it may be one. */
function valueless(text: string): Text | undefined {
  if (isCellError(text)) return wrong.error;
  if (isCut(text)) return wrong.cut;
  return isReadable(text) ? undefined : wrong.unreadable;
}
