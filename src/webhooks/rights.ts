import type { Levels } from '../access/levels.ts';
import { mayAct } from '../access/session.ts';
import { mayFollow, type Audiences } from '../changes/audience.ts';
import type { ChangedTable } from '../changes/kinds.ts';

export const WEBHOOKS_CONTROLLER = 'institucional/webhooks';

/** The tables of these kinds of events. */
export const tablesOf = (kinds: readonly string[]): ChangedTable[] => [
  ...new Set(kinds.map(kind => kind.split('.')[0] as ChangedTable)),
];

/** Whether a person may read any event of a kind now. */
export const mayRead = (person: Levels | undefined, audiences: Audiences, kind: string): boolean =>
  person !== undefined && tablesOf([kind]).every(table => mayFollow(audiences.get(table)!, person));

/** Whether a person may own a webhook for these kinds of events now. */
export const mayOwn = (person: Levels | undefined, audiences: Audiences, kinds: readonly string[]): boolean =>
  person !== undefined &&
  mayAct(person, WEBHOOKS_CONTROLLER, 3) &&
  kinds.every(kind => mayRead(person, audiences, kind));
