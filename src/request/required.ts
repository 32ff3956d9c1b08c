import type { Access, Session } from '../access/access.ts';
import { mayAct } from '../access/session.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { requestTexts } from './messages.ts';

/** @throws UNAUTHENTICATED when there is no live session */
export function live(session: Session | null): Session {
  if (!session) throw unauthenticated();
  return session;
}

export const unauthenticated = (): AppError =>
  new AppError('UNAUTHENTICATED', { detail: requestTexts.tokenNeeded });

export const hasLevel = (access: Access, session: Session): boolean =>
  access.kind !== 'level' || mayAct(session, access.controller, access.level);

/** @throws FORBIDDEN when the session lacks the level */
export function requireLevel(access: Access, session: Session): void {
  if (access.kind === 'level' && !hasLevel(access, session))
    throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(access.controller, access.level) });
}
