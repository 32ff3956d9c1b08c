import type { Context } from './context.ts';

/**
 * Stores that the session has seen the primary. Whatever reads it outside a write and tells a client calls this afterwards:
 * refused mutations, those that were done before, what an import did, figures that all requests share.
 */
export async function sawPrimary({ caller, services }: Context): Promise<void> {
  // If the session could not be looked up, the mutation says so.
  const session = await caller.knownSession?.catch(() => null);
  if (session) await services.sessions.saw([session.id]);
}
