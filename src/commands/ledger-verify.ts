import { discrepancies } from '../domain/reconciliation.ts';
import { OperatorError } from '../errors.ts';
import { runCommand } from './command.ts';

await runCommand(
  async ({ listing }) => {
    const found = await discrepancies(listing.reader);
    const [[cells, movements]] = (await listing.reader.rows(
      'select (select count(*) from estoque)::int as cells, (select count(*) from movimentacao)::int as movements',
      [],
    )) as [[number, number]];
    if (found.length > 0)
      throw new OperatorError(
        [
          `${found.length} of ${cells} cells of stock differ from their movements:`,
          ...found.map(
            ({ idLote, idLocalFim, idLocalArmazenado, stored, moved }) =>
              `  batch ${idLote}, responsible location ${idLocalFim}, storage location ${idLocalArmazenado}: ` +
              `${stored ?? 'no cell'} is stored, but its movements add up to ${moved}`,
          ),
          'Do not correct the cells by hand: stop writing, keep a dump, and see "ledger" in docs/operations.md.',
        ].join('\n'),
      );
    return [`All ${cells} cells of stock match their ${movements} movements.`];
  },
  { embedded: true },
);
