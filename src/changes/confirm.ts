import type { Sessions } from '../access/session.ts';
import { AppError } from '../errors.ts';
import { changeTexts } from './messages.ts';
import type { Subscriber } from './subscriber.ts';

/** Ends subscriptions whose session has ended or whose permissions were revoked. It reads all sessions at once. */
export async function confirm(sessions: Sessions, subscribers: readonly Subscriber[]): Promise<void> {
  const live = await sessions.confirm([...new Set(subscribers.map(({ session }) => session.id))]);
  for (const subscriber of subscribers) {
    const session = live.get(subscriber.session.id);
    try {
      if (!session) throw new AppError('UNAUTHENTICATED', { detail: changeTexts.sessionEnded });
      subscriber.renew(session);
    } catch (error) {
      subscriber.cut(error as AppError);
    }
  }
}
