import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { ServerIdentity } from '../../embedded-postgres/server.ts';
import { watchdogState } from '../../runtime/watchdog-state.ts';
import type { WatchdogSettings } from './thread.ts';

const BEAT_MS = 250;

/** Relative to this module, as TypeScript or compiled. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);

export interface WatchdogOptions {
  pretty: boolean;
  embedded: ServerIdentity | undefined;
}

/**
 * Starts a thread that logs what blocks the event loop, and ends the process after `SHUTDOWN_SECONDS` of blocking. A
 * blocked thread cannot end itself, not even on SIGTERM.
 */
export function startWatchdog(
  { LOG_LEVEL, SHUTDOWN_SECONDS }: Config,
  { pretty, embedded }: WatchdogOptions,
  log: Logger,
): void {
  const beat = (): void => watchdogState.beat(inspectorUrl() !== undefined);
  beat();
  setInterval(beat, BEAT_MS).unref();
  const settings: WatchdogSettings = {
    memory: watchdogState.memory,
    seconds: SHUTDOWN_SECONDS,
    log: { LOG_LEVEL, pretty, sync: true },
    embedded,
  };
  const thread = new Worker(THREAD, { workerData: settings });
  thread.on('error', error => log.error({ err: error }, 'watchdog failed'));
  thread.unref();
}
