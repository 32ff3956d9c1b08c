import { Router } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from './services.ts';

/** Longest that a part may take to answer; whoever asks for readiness does not wait much longer. */
const PATIENCE_MS = 2_000;

/** `/healthz`: the process lives. `/readyz`: it can serve, each part by name (contract 9). */
export function health({ listing, directory, lifecycle }: Services): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const asked = { database: listing.reader.rows('select 1', []), directory: directory.isThere() };
    const [database, server] = await Promise.all([stateOf(asked.database), stateOf(asked.directory)]);
    const ready = database === 'ok' && server !== 'away' && !lifecycle.stopping;
    const status = lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready';
    res.status(ready ? 200 : 503).json({ status, database, directory: server });
  });
  return router;
}

/** Whether a part answers in time; undefined for one that there is not. */
async function stateOf(asked: Promise<unknown> | undefined): Promise<'ok' | 'away' | undefined> {
  if (!asked) return undefined;
  const patience = new AbortController();
  const answer = asked.then(
    result => (result === false ? ('away' as const) : ('ok' as const)),
    () => 'away' as const,
  );
  const late = sleep(PATIENCE_MS, 'away' as const, { signal: patience.signal });
  late.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => patience.abort());
}
