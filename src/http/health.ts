import { Router } from 'express';
import type { Writes } from '../database/writability.ts';
import { inTime } from '../runtime/in-time.ts';
import { type Services } from '../request/services.ts';
import { onlyGet } from '../rest/methods.ts';

/** Longest wait for a dependency. Monitors do not wait much longer for `/readyz`. */
const PATIENCE_MS = 2_000;

/** `/healthz`: the process is alive. `/readyz`: it can serve, with the state of each dependency (contract 9). */
export function health({ writability, dependencies, lifecycle }: Services): Router {
  const asks = {
    database: probe(() => writability.ask()),
    directory: probe(() => dependencies.directory?.isThere().then(is => (is ? 'ok' : 'away'))),
    storage: probe(() => dependencies.storage.isThere().then(is => (is ? 'ok' : 'away'))),
  };
  const router = Router();
  router.all('/healthz', onlyGet, (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.all('/readyz', onlyGet, async (_req, res) => {
    const [database, directory, storage] = await Promise.all([
      asks.database(),
      asks.directory(),
      asks.storage(),
    ]);
    // Without storage everything except digital files works, without directory all who are logged in, and with a
    // database that takes no writes all reads. All instances share them, so a balancer would find no other instance, either.
    const ready = database !== 'away' && !lifecycle.stopping;
    const status = lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready';
    res.status(ready ? 200 : 503).json({ status, database, directory, storage });
  });
  return router;
}

type State = Writes | 'away';

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
