import { Router } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from './services.ts';

/** Longest that a part may take to answer; whoever asks for readiness does not wait much longer. */
const PATIENCE_MS = 2_000;

/** Digest of no content: to ask for it is to ask whether anybody answers. */
const NO_CONTENT = '0'.repeat(64);

/** `/healthz`: the process lives. `/readyz`: it can serve, each part by name (contract 9). */
export function health({ listing, directory, storage, lifecycle }: Services): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const [database, server, files] = await Promise.all([
      stateOf(listing.reader.rows('select 1', [])),
      stateOf(directory.isThere()),
      // Whoever answers that there is no such content, is there.
      stateOf(storage.has(NO_CONTENT).then(() => true)),
    ]);
    // Without the storage everything but digital files is served.
    const ready = database === 'ok' && server !== 'away' && !lifecycle.stopping;
    const status = lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready';
    res.status(ready ? 200 : 503).json({ status, database, directory: server, storage: files });
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
