import type { Logger } from 'pino';

/** A server without which most of the service works. When it goes away, the log says why; when it is back, too. */
export class Dependency {
  #isThere = true;

  /** @param ask fails when there is no answer */
  constructor(
    private readonly name: string,
    private readonly ask: () => Promise<unknown>,
    private readonly log: Logger,
  ) {}

  /** Asks whether it answers. */
  async isThere(): Promise<boolean> {
    return this.ask().then(
      () => this.#note(true),
      (error: unknown) => this.#note(false, error),
    );
  }

  #note(isThere: boolean, error?: unknown): boolean {
    if (isThere !== this.#isThere) {
      if (isThere) this.log.info(`the ${this.name} answers again`);
      else this.log.warn({ err: error }, `the ${this.name} does not answer`);
    }
    this.#isThere = isThere;
    return isThere;
  }
}
