import type { Services } from '../../request/services.ts';
import { chainBatch } from './chain.ts';
import { headText, type Head } from './links.ts';
import { partsToSeal, sealParts } from './seal.ts';

/** Interval at which new entries are chained, in milliseconds. */
export const CHAIN_MS = 5_000;
/** Shortest time between two heads of a chain in the log. */
const TELL_MS = 60_000;
/** Interval at which to look for parts that are over. */
const LOOK_MS = 600_000;
/**
 * So many looks in a row must find a part over before it is sealed: six hours. A seal cannot be undone, and the clock of
 * the database may be ahead for a while.
 */
const LOOKS = 36;
/** Pause after a failure, for example when the database is not available. */
const PAUSE_MS = 60_000;

/** Chains and seals the audit trail. It logs the heads of the chains, so that they are known outside the database. */
export class AuditKeeper {
  /** Heads that are not in the log yet. */
  readonly #heads = new Map<string, Head>();
  /** How many looks in a row have found each part over. */
  #looks = new Map<string, number>();
  #nextLook = 0;
  #nextTelling = 0;
  #nextStep = 0;
  #isAtWork = false;

  constructor(private readonly services: Services) {}

  /** Chains committed entries. Any number of processes may call it at the same time. */
  async chain(): Promise<void> {
    if (this.#isAtWork || performance.now() < this.#nextStep) return;
    this.#isAtWork = true;
    try {
      if ((await this.services.writability.ask()) === 'ok') await this.#chainAll();
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
    await this.#seal();
    if (this.#heads.size === 0 || performance.now() < this.#nextTelling) return;
    log.info({ heads: [...this.#heads.values()].map(headText) }, 'audit trail chained');
    this.#heads.clear();
    this.#nextTelling = performance.now() + TELL_MS;
  }

  async #seal(): Promise<void> {
    if (performance.now() < this.#nextLook) return;
    this.#nextLook = performance.now() + LOOK_MS;
    const { orm, listing } = this.services;
    const parts = await partsToSeal(listing.reader, '0');
    this.#looks = new Map(parts.map(part => [part, (this.#looks.get(part) ?? 0) + 1]));
    const over = parts.filter(part => this.#looks.get(part)! >= LOOKS);
    if (over.length === 0) return;
    for (const head of await sealParts(orm, over)) this.#heads.set(head.chain, head);
  }
}
