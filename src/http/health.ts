import { Router } from 'express';
import { inTime } from '../runtime/in-time.ts';
import { type Services } from '../request/services.ts';

/** Longest that a part may take to answer; whoever asks for readiness does not wait much longer. */
const PATIENCE_MS = 2_000;

/** Digest of no content: to ask for it is to ask whether anybody answers. */
const NO_CONTENT = '0'.repeat(64);

/** `/healthz`: the process lives. `/readyz`: it can serve, each part by name (contract 9). */
export function health({ writability, directory, storage, lifecycle }: Services): Router {
  const asks = {
    database: probe(() => writability.ask().then(is => (is ? 'ok' : 'read-only'))),
    directory: probe(() => directory.isThere()?.then(isThere => (isThere ? 'ok' : 'away'))),
    // Whoever answers that there is no such content, is there.
    storage: probe(() => storage.has(NO_CONTENT).then(() => 'ok')),
  };
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const [database, server, files] = await Promise.all([asks.database(), asks.directory(), asks.storage()]);
    // Without the storage everything but digital files is served, and everything is read where nothing can be written.
    const ready = database !== 'away' && server !== 'away' && !lifecycle.stopping;
    const status = lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready';
    res.status(ready ? 200 : 503).json({ status, database, directory: server, storage: files });
  });
  return router;
}

type State = 'ok' | 'read-only' | 'away';

/**
 * Asks a part whether it answers in time; undefined for one that there is not. While it is silent everybody waits for
 * the same answer, so that questions do not use up what the part itself is reached by.
 */
function probe(ask: () => Promise<State> | undefined): () => Promise<State | undefined> {
  let asked: Promise<State> | undefined;
  return async () => {
    asked ??= ask()
      ?.catch((): State => 'away')
      .finally(() => (asked = undefined));
    return asked && inTime(asked, PATIENCE_MS, () => 'away');
  };
}
