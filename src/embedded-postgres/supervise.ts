import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.ts';

const LONGEST_DELAY_MS = 30_000;
/** A server that ran this long resets the restart interval. */
const STABLE_MS = 60_000;

/** Restarts the server whenever it ends unexpectedly, at growing intervals. Returns a function that stops both. */
export function supervise(
  first: Server,
  restart: () => Promise<Server>,
  log: (message: string) => void,
): () => Promise<void> {
  const ending = new AbortController();
  let server = first;

  async function runAgain(): Promise<string> {
    try {
      server = await restart();
      if (ending.signal.aborted) await server.stop();
      return await server.exited;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async function watch(): Promise<void> {
    let since = performance.now();
    let cause = await server.exited;
    for (let failures = 0; !ending.signal.aborted; failures += 1) {
      if (performance.now() - since > STABLE_MS) failures = 0;
      log(`The embedded PostgreSQL ended by itself (${cause}) and is started again`);
      const delay = failures && Math.min(100 * 2 ** failures, LONGEST_DELAY_MS);
      await sleep(delay, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted) return;
      since = performance.now();
      cause = await runAgain();
    }
  }

  const watching = watch();
  return async () => {
    ending.abort();
    await server.stop();
    await watching;
  };
}
