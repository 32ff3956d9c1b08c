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
  // The session of a subscriber may be replaced meanwhile.
  const all = live.map(subscriber => {
    const { session, rights, tables } = subscriber;
    return { subscriber, session, rights, tables };
  });
  const followers = all.map(({ session }) => session);
  const seen = await visibilityOf(listing, audiences, followers, changes);
  const areOwn = changes.some(({ table }) => audiences.get(table)!.owners);
  const pages = new Map<string, ChangePage>();
  let made: [Subscriber, ChangePage, rights: string][] = [];
  for (const [i, { subscriber, session, rights, tables }] of all.entries()) {
    const key = areOwn ? `${session.idPessoa} ${rights}` : rights;
    let page = pages.get(key);
    if (!page) {
      const own = seen(session).filter(({ table }) => tables.has(table));
      pages.set(key, (page = { changes: own, end, more: false, latest }));
    }
    const from = subscriber.following.after!;
    const [first] = page.changes;
    if (first && !isAfter(first.position, from)) {
      // The subscriber has already read further on its own.
      const rest = page.changes.filter(({ position }) => isAfter(position, from));
      page = { ...page, changes: rest };
    }
    made.push([subscriber, page, rights]);
    const isLast = i === all.length - 1;
    if (!isLast && i % AT_A_TIME < AT_A_TIME - 1) continue;
    await sessions.saw(made.filter(([, { changes }]) => changes.length > 0).map(([one]) => one.session.id));
    for (const [one, next, by] of made) one.add(next, by);
    made = [];
    if (!isLast) await otherRequests();
  }
}
