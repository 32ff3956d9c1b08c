import { constants } from 'node:os';
import { OperatorError } from '../errors.ts';
import { ignored } from '../runtime/background.ts';

/** The command got a signal that ends it. */
export class Interrupted extends OperatorError {
  /** As a shell reports it. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Waits for work, but not longer than until a signal. @throws Interrupted */
export type UntilSignal = <T>(work: Promise<T>) => Promise<T>;

/** Takes SIGINT and SIGTERM from now on, so that what the command has opened is closed. */
export function takeSignals(): UntilSignal {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => reject(new Interrupted(signal)));
  });
  // There is not always work that waits for it.
  interrupted.catch(ignored);
  return work => Promise.race([work, interrupted]);
}
