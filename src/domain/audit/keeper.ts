import type { Services } from '../../request/services.ts';
import { chainBatch } from './chain.ts';
import { headText, type Head } from './links.ts';
import { sealParts } from './seal.ts';

/** Interval at which new entries are chained, in milliseconds. */
export const CHAIN_MS = 5_000;
/** Shortest time between two heads of a chain in the log. */
const TELL_MS = 60_000;
/** Pause after a failure, for example when the database is not available. */
const PAUSE_MS = 60_000;

/** Chains and seals the audit trail. It logs the heads of the chains, so that they are known outside the database. */
export class AuditKeeper {
  /** Heads that are not in the log yet. */
  readonly #heads = new Map<string, Head>();
  #nextTelling = 0;
  #nextStep = 0;
  #isAtWork = false;

  constructor(private readonly services: Services) {}

  /** Chains committed entries. Any number of processes may call it at the same time. */
  async chain(): Promise<void> {
    if (this.#isAtWork || performance.now() < this.#nextStep) return;
    this.#isAtWork = true;
    try {
      if (await this.services.writability.ask()) await this.#chainAll();
    } catch (error) {
      this.#nextStep = performance.now() + PAUSE_MS;
      throw error;
    } finally {
      this.#isAtWork = false;
    }
  }

  async #chainAll(): Promise<void> {
    const { orm, log, lifecycle } = this.services;
    for (let more = true; more && !lifecycle.stopping;) {
      const batch = await chainBatch(orm);
      for (const head of batch.heads) this.#heads.set(head.chain, head);
      more = batch.more;
    }
    if (this.#heads.size === 0 || performance.now() < this.#nextTelling) return;
    for (const head of await sealParts(orm)) this.#heads.set(head.chain, head);
    log.info({ heads: [...this.#heads.values()].map(headText) }, 'audit trail chained');
    this.#heads.clear();
    this.#nextTelling = performance.now() + TELL_MS;
  }
}
