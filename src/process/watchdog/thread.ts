import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { inBackground } from '../../runtime/background.ts';
import { clearLeftovers, type ServerIdentity } from '../../embedded-postgres/server.ts';
import { openLog, type LogOptions } from '../../runtime/log.ts';
import { ABANDON_MS } from '../termination.ts';
import { exitMain, mainStack } from './stack.ts';
import { WatchdogState, type RequestInWork } from '../../runtime/watchdog-state.ts';

/** Start parameters of the thread. */
export interface WatchdogSettings {
  memory: SharedArrayBuffer;
  /** Longest time of a blocked event loop, and of a shutdown. */
  seconds: number;
  log: LogOptions;
  /** The embedded database, which would outlive the process. */
  embedded: ServerIdentity | undefined;
}

const TICK_MS = 250;
/** A longer block is logged. */
const BLOCKED_MS = 1_000;

const { memory, seconds, log: logOptions, embedded } = workerData as WatchdogSettings;
const state = new WatchdogState(memory);
const log = openLog(logOptions);

let beats = state.beats;
let last = performance.now();
let blockedMs = 0;
let stoppingMs = 0;
/** The current block; undefined while the event loop runs. */
let found: { requests: RequestInWork[]; stack: Promise<string[]> } | undefined;

const timer = setInterval(tick, TICK_MS);

function tick(): void {
  // Counts only time in which this thread ran: a suspended machine or a stopped process is not a blocked event loop.
  const now = performance.now();
  const passed = Math.min(now - last, 2 * TICK_MS);
  last = now;
  if (state.isStopping) stoppingMs += passed;
  if (state.beats !== beats || state.isInspected) runs();
  else blockedMs += passed;
  if (blockedMs < BLOCKED_MS) return;
  if (!found) report();
  else if (Math.max(blockedMs, stoppingMs) >= seconds * 1000) inBackground(end(), failed);
}

const failed = (error: unknown): void => log.error({ err: error }, 'watchdog failed');

function runs(): void {
  beats = state.beats;
  if (found) log.info({ blockedMs: Math.round(blockedMs) }, 'the event loop runs again');
  found = undefined;
  blockedMs = 0;
}

function report(): void {
  state.blocked();
  const { requests } = state;
  const stack = mainStack();
  found = { requests, stack };
  const logged = stack.then(lines =>
    log.error({ requests, stack: lines }, `the event loop is blocked for more than ${BLOCKED_MS / 1000} s`),
  );
  inBackground(logged, failed);
}

async function end(): Promise<void> {
  clearInterval(timer);
  const { requests, stack } = found!;
  log.fatal(
    { requests, stack: await stack },
    `the event loop is blocked for ${Math.round(blockedMs / 1000)} s: the process is ended`,
  );
  if (embedded) await Promise.race([clearLeftovers(embedded), sleep(ABANDON_MS)]).catch(() => undefined);
  process.kill(process.pid, 'SIGKILL');
  // The first process of a container cannot be ended by its own signals.
  exitMain(1);
}
