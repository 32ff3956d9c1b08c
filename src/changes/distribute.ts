import { setImmediate as otherRequests } from 'node:timers/promises';
import type { Sessions } from '../access/session.ts';
import type { Listing } from '../listing/listing.ts';
import type { Audiences } from './audience.ts';
import type { Stretch } from './feed.ts';
import type { ChangePage } from './follow.ts';
import { isAfter } from './position.ts';
import type { Subscriber } from './subscriber.ts';
import { visibilityOf } from './visible.ts';

/** Number of subscribers that get a page before other requests can run. */
const AT_A_TIME = 50;

/**
 * Gives each live subscriber a page with the changes that they may read. The changes are filtered once for all
 * subscribers with equal rights.
 */
export async function distribute(
  { listing, sessions }: { listing: Listing; sessions: Sessions },
  audiences: Audiences,
  { changes, end, latest }: Stretch,
  live: readonly Subscriber[],
): Promise<void> {
  const followers = live.map(({ session }) => session);
  const seen = await visibilityOf(listing, audiences, followers, changes);
  const areOwn = changes.some(({ table }) => audiences.get(table)!.owners);
  const pages = new Map<string, ChangePage>();
  let given: [Subscriber, ChangePage][] = [];
  for (const [i, subscriber] of live.entries()) {
    const { following, session } = subscriber;
    const from = following.after!;
    if (isAfter(end, from)) following.after = end;
    const key = areOwn ? `${session.idPessoa} ${subscriber.rights}` : subscriber.rights;
    let page = pages.get(key);
    if (!page) {
      const own = seen(session).filter(({ table }) => subscriber.follows(table));
      pages.set(key, (page = { changes: own, end, more: false, latest }));
    }
    const [first] = page.changes;
    if (first && !isAfter(first.position, from)) {
      // The subscriber has already read further on its own.
      const rest = page.changes.filter(({ position }) => isAfter(position, from));
      page = { ...page, changes: rest };
    }
    if (page.changes.length > 0) given.push([subscriber, page]);
    const isLast = i === live.length - 1;
    if (!isLast && i % AT_A_TIME < AT_A_TIME - 1) continue;
    await sessions.saw(given.map(([one]) => one.session.id));
    for (const [one, next] of given) one.add(next);
    given = [];
    if (!isLast) await otherRequests();
  }
}
