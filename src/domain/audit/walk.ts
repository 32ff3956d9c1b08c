import { linkOf, startOf, type Head } from './links.ts';

/** Most findings of one kind that are named. The others are only counted. */
const NAMED = 20;

/** Sentences about what is wrong with the trail. */
export class Findings {
  readonly #sentences: string[] = [];
  #unnamed = 0;
  readonly #counts = new Map<string, number>();

  /** @param kind findings of one kind are named up to a limit */
  add(kind: string, sentence: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > NAMED) this.#unnamed += 1;
    else this.#sentences.push(sentence);
  }

  get sentences(): string[] {
    return this.#unnamed > 0
      ? [...this.#sentences, `and ${this.#unnamed} more of the same kinds`]
      : this.#sentences;
  }
}

/** Heads that were stored outside the database, by chain and number of entries. */
export class KeptHeads {
  readonly #links = new Map<string, Map<number, string>>();

  constructor(heads: readonly Head[]) {
    for (const { chain, count, link } of heads) {
      const links = this.#links.get(chain) ?? new Map<number, string>();
      this.#links.set(chain, links.set(count, link));
    }
  }

  get size(): number {
    return [...this.#links.values()].reduce((sum, links) => sum + links.size, 0);
  }

  get chains(): string[] {
    return [...this.#links.keys()];
  }

  of(chain: string): ReadonlyMap<number, string> {
    return this.#links.get(chain) ?? new Map<number, string>();
  }
}

/** Follows a chain from its start and reports what is wrong with it. */
export class Walk {
  /** Number of entries so far. */
  count = 0;
  /** Number of stored heads of the chain that match. */
  matching = 0;
  #before: Buffer | undefined;
  #isRewritten = false;

  constructor(
    readonly chain: string,
    private readonly kept: ReadonlyMap<number, string>,
    private readonly findings: Findings,
  ) {
    this.#before = startOf(chain);
  }

  /** The link of the last entry, in hexadecimal. */
  get link(): string {
    return this.#before!.toString('hex');
  }

  /** Takes the next entry with its stored link. If the text is missing, only the link is known. */
  take(id: string, link: Buffer, text: string | undefined): void {
    if (text !== undefined && this.#before && !linkOf(this.#before, text).equals(link))
      this.#found('changed', `entry ${id} of ${this.chain} does not match its link: it was changed`);
    this.#before = link;
    this.count += 1;
    const kept = this.kept.get(this.count);
    if (kept === undefined) return;
    if (kept === this.link) this.matching += 1;
    else if (!this.#isRewritten) {
      this.#isRewritten = true;
      this.#found(
        'head',
        `chain ${this.chain} is not the one whose head was kept at its entry ${this.count} (id ${id}): it was rewritten up to there`,
      );
    }
  }

  /** Continues after missing links. */
  skipTo(count: number): void {
    this.#found('gap', `the links of entries ${this.count + 1} to ${count} of ${this.chain} are missing`);
    this.count = count;
    this.#before = undefined;
  }

  /** Ends the chain, and reports stored heads that it has not reached. */
  end(): void {
    const last = Math.max(0, ...this.kept.keys());
    if (last > this.count)
      this.#found(
        'head',
        `chain ${this.chain} ends at entry ${this.count}, but a head was kept of entry ${last}: its end was removed`,
      );
  }

  #found(kind: string, sentence: string): void {
    this.findings.add(`${this.chain} ${kind}`, sentence);
  }
}
