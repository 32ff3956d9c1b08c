import { Router } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing } from './listing/read.ts';
import type { Services } from './services.ts';

/** Longest that a part may take to answer; whoever asks for readiness does not wait much longer. */
const PATIENCE_MS = 2_000;

/** `/healthz`: the process lives. `/readyz`: it can serve, each part by name (contract 9). */
export function health({ listing, lifecycle }: Services): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const database = await stateOf(listing);
    const ready = database === 'ok' && !lifecycle.stopping;
    res
      .status(ready ? 200 : 503)
      .json({ status: lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready', database });
  });
  return router;
}

async function stateOf({ reader }: Listing): Promise<'ok' | 'away'> {
  const patience = new AbortController();
  const answer = reader.rows('select 1', []).then(
    () => 'ok' as const,
    () => 'away' as const,
  );
  const late = sleep(PATIENCE_MS, 'away' as const, { signal: patience.signal });
  late.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => patience.abort());
}
