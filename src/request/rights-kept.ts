import type { Session } from '../access/access.ts';
import { AppError } from '../errors.ts';
import type { Context } from './context.ts';
import { live } from './required.ts';

/** Time after which the rights of somebody who is being sent a long answer are looked at again. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Returns a check for an answer whose client may read for long: whether the session holds, and has all the levels by
 * which the answer began. It asks the database if it has not done so for a second.
 * @throws (the check) UNAUTHENTICATED, FORBIDDEN
 */
export function rightsKept({ caller, services }: Context): () => Promise<void> {
  let lookedAt = performance.now();
  return async () => {
    const before = await caller.knownSession;
    if (!before || performance.now() - lookedAt < LOOK_AGAIN_MS) return;
    const now = live((await services.sessions.confirm([before.id])).get(before.id) ?? null);
    if (lostSome(before, now)) throw new AppError('FORBIDDEN');
    lookedAt = performance.now();
  };
}

/** The rows, as long as the client keeps the rights by which they began. @throws UNAUTHENTICATED, FORBIDDEN */
export async function* whileRightsKept<T>(rows: AsyncIterable<T>, context: Context): AsyncGenerator<T, void> {
  const check = rightsKept(context);
  for await (const batch of rows) {
    await check();
    yield batch;
  }
}

const lostSome = (before: Session, now: Session): boolean => {
  const levelOn = (session: Session, controller: string): number =>
    Math.max(session.everywhere, session.levels[controller] ?? 0);
  return (
    now.everywhere < before.everywhere ||
    Object.keys(before.levels).some(controller => levelOn(now, controller) < levelOn(before, controller))
  );
};
