import {
  discrepancies,
  imbalances,
  wrongReversals,
  type Discrepancy,
  type Imbalance,
  type WrongReversal,
} from '../domain/reconciliation.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';

const COUNTS = `select (select count(*) from estoque)::int as cells, (select count(*) from movimentacao)::int as movements,
  (select count(*) from lote)::int as batches`;

await runCommand(
  async ({ listing: { reader } }) => {
    const [cells, batches, reversals] = [
      await discrepancies(reader),
      await imbalances(reader),
      await wrongReversals(reader),
    ];
    const [[cellCount, movements, batchCount]] = (await reader.rows(COUNTS, [])) as [
      [number, number, number],
    ];
    const found = [
      ...section(
        `${cells.length} of ${cellCount} cells of stock differ from their movements:`,
        cells,
        ofCell,
      ),
      ...section(
        `${batches.length} of ${batchCount} batches do not have the stock that came in and did not leave:`,
        batches,
        ofBatch,
      ),
      ...section(
        `${reversals.length} movements differ from the links to what they undo, or to what undoes them:`,
        reversals,
        ofReversal,
      ),
    ];
    if (found.length > 0)
      throw new OperatorError(
        [
          ...found,
          'Do not correct stock by hand: stop writing, keep a dump, and see "ledger" in docs/operations.md.',
        ].join('\n'),
      );
    return [`All ${cellCount} cells of stock match their ${movements} movements, batch by batch.`];
  },
  { embedded: true, existing: true },
);

function section<T>(title: string, findings: readonly T[], line: (finding: T) => string): string[] {
  return findings.length > 0 ? [title, ...findings.map(finding => `  ${line(finding)}`)] : [];
}

function ofCell({ idLote, idLocalFim, idLocalArmazenado, stored, moved }: Discrepancy): string {
  const place = `batch ${idLote}, responsible location ${idLocalFim}, storage location ${idLocalArmazenado}`;
  return `${place}: ${stored ?? 'no cell'} is stored, but its movements add up to ${moved}`;
}

function ofBatch({ idLote, came, left, stored }: Imbalance): string {
  return `batch ${idLote}: ${came} came in and ${left} left, but ${stored} is stored`;
}

function ofReversal({ id, isReversal, quantidade, linked, ownQuantity }: WrongReversal): string {
  return isReversal
    ? `reversal ${id} of ${quantidade}: the movements that it undoes are known for ${linked} of it only`
    : `movement ${id} of ${quantidade}: reversals undo or reserve ${linked} of it, but the movement has ${ownQuantity}`;
}
