import { exportsBelow } from '../../runtime/modules.ts';
import { declared, type Report } from '../report.ts';

await exportsBelow(new URL('../relatorios/', import.meta.url));

/** Every report there is, by its id. A new one is found by being there. */
export const reports: ReadonlyMap<number, Report> = new Map(
  [...declared].toSorted(([one], [other]) => one - other),
);
