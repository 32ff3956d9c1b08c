import type { Rule } from './importable.ts';
import { said } from './messages.ts';

/** SQL of the latest moment at which something can have happened: the clocks of other systems may be an hour fast. */
export const LATEST = `now() + interval '1 hour'`;

/** A moment at which something happened. In the future it would count as the last one until that day comes. */
export const happened = (column: string): Rule => ({
  columns: [column],
  expected: said.past,
  broken: `s.${column} > ${LATEST}`,
});
