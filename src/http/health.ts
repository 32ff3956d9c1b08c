import { Router } from 'express';
import { NO_CONTENT } from '../storage/storage.ts';
import { inTime } from '../runtime/in-time.ts';
import { type Services } from '../request/services.ts';

/** Longest wait for a dependency. Monitors do not wait much longer for `/readyz`. */
const PATIENCE_MS = 2_000;

/** `/healthz`: the process is alive. `/readyz`: it can serve, with the state of each dependency (contract 9). */
export function health({ writability, directory, storage, lifecycle }: Services): Router {
  const asks = {
    database: probe(() => writability.ask().then(is => (is ? 'ok' : 'read-only'))),
    directory: probe(() => directory.isThere()?.then(isThere => (isThere ? 'ok' : 'away'))),
    // Even an answer that this content does not exist shows that the storage works.
    storage: probe(() => storage.has(NO_CONTENT).then(() => 'ok')),
  };
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const [database, server, files] = await Promise.all([asks.database(), asks.directory(), asks.storage()]);
    // Without storage everything except digital files works, and with a read-only database all reads work. So these
    // states count as ready.
    const ready = database !== 'away' && server !== 'away' && !lifecycle.stopping;
    const status = lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready';
    res.status(ready ? 200 : 503).json({ status, database, directory: server, storage: files });
  });
  return router;
}

type State = 'ok' | 'read-only' | 'away';

/**
 * Checks a dependency; undefined for one that is not configured. While it does not answer, all requests wait for the
 * same check, so that probes do not use up its connections.
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
