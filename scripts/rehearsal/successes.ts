/** The moments of successes, in milliseconds of `performance.now()`. */
export class Successes {
  readonly #at: number[] = [];

  note(): void {
    this.#at.push(performance.now());
  }

  get count(): number {
    return this.#at.length;
  }

  /** Whether there was a success after this moment. */
  since(moment: number): boolean {
    return (this.#at.at(-1) ?? -Infinity) > moment;
  }

  /** The longest time without a success between two moments, in seconds. */
  longestGap(from: number, to: number): number {
    const inside = this.#at.filter(at => at > from && at < to);
    const moments = [this.#at.findLast(at => at <= from) ?? from, ...inside, to];
    const gaps = moments.slice(1).map((at, i) => at - moments[i]!);
    return Math.max(...gaps) / 1000;
  }
}
