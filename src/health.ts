import { Router } from 'express';
import type { Services } from './services.ts';

/** `/healthz`: the process lives. `/readyz`: it can serve, each part by name (contract 9). */
export function health({ listing, lifecycle }: Services): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const database = await listing.reader.rows('select 1', []).then(
      () => 'ok' as const,
      () => 'away' as const,
    );
    const ready = database === 'ok' && !lifecycle.stopping;
    res
      .status(ready ? 200 : 503)
      .json({ status: lifecycle.stopping ? 'stopping' : ready ? 'ready' : 'not ready', database });
  });
  return router;
}
