import { exportsBelow } from '../../runtime/modules.ts';
import { declared, type Report } from '../report.ts';

await exportsBelow(new URL('../relatorios/', import.meta.url));

/** All reports by id, found in their folder. */
export const reports: ReadonlyMap<number, Report> = new Map(
  [...declared].toSorted(([one], [other]) => one - other),
);
