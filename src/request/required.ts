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

export function hasLevel(access: Access, session: Session): boolean {
  if (access.kind === 'level') return mayAct(session, access.controller, access.level);
  return access.kind === 'public' || !access.managers || isManager(session);
}

const isManager = ({ everywhere, levels }: Session): boolean =>
  [everywhere, ...Object.values(levels)].some(level => level >= 3);

/** @throws FORBIDDEN when the session lacks the level */
export function requireLevel(access: Access, session: Session): void {
  if (hasLevel(access, session)) return;
  const detail =
    access.kind === 'level'
      ? messages.levelNeeded(access.controller, access.level)
      : requestTexts.managersOnly;
  throw new AppError('FORBIDDEN', { detail });
}
