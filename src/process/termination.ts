import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inBackground } from '../runtime/background.ts';
import type { Running } from './running.ts';
import { watchdogState } from '../runtime/watchdog-state.ts';

/** With npm, Ctrl-C arrives twice, from the terminal and from npm. A person takes longer to repeat it. */
const SAME_SIGNAL_MS = 1_000;
/** Longest time for the embedded database to stop in a forced exit. */
export const ABANDON_MS = 5_000;

/**
 * Ends the process. SIGTERM and SIGINT stop the service in order, exit code 0. After an uncaught error the state is
 * unknown, so it is logged and the service stops in the same order, exit code 1. A second signal, or the time limit,
 * forces an exit with code 1.
 */
export function terminate(service: Running, seconds: number, log: Logger): void {
  let since: number | undefined;
  let exitCode = 0;

  async function end(): Promise<void> {
    since = performance.now();
    watchdogState.stopping();
    const giveUp = (): void => inBackground(endNow(`not stopped after ${seconds} s`), failed);
    setTimeout(giveUp, seconds * 1000);
    await service.stop().catch(failed);
    process.exit(exitCode);
  }

  async function endNow(reason: string): Promise<void> {
    log.fatal(`${reason}: forced exit`);
    await Promise.race([service.abandon(), sleep(ABANDON_MS)]).catch(failed);
    process.exit(1);
  }

  function failed(error: unknown): void {
    log.fatal({ err: error }, 'unexpected error outside requests');
    exitCode = 1;
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (since === undefined) {
      log.info(`${signal}: stopping`);
      inBackground(end(), failed);
    } else if (performance.now() - since > SAME_SIGNAL_MS) inBackground(endNow(`${signal} again`), failed);
  }

  function onUncaught(error: unknown): void {
    failed(error);
    if (since === undefined) inBackground(end(), failed);
  }

  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
}
