/** The preferred and the minimum width of a column. */
export interface Wish {
  liked: number;
  least: number;
}

/**
 * Column widths that add up to `total`, in proportion to the preferred widths. No column is below its minimum if
 * possible; otherwise all are in proportion to their minimums.
 */
export function columnWidths(wishes: readonly Wish[], total: number): number[] {
  const least = sum(wishes.map(wish => wish.least));
  if (least >= total) return wishes.map(wish => (wish.least * total) / least);
  const fixed = new Set<Wish>();
  for (;;) {
    const free = wishes.filter(wish => !fixed.has(wish));
    const room = total - sum([...fixed].map(wish => wish.least));
    const scale = room / sum(free.map(wish => wish.liked));
    const tight = free.filter(wish => wish.liked * scale < wish.least);
    if (tight.length === 0) return wishes.map(wish => (fixed.has(wish) ? wish.least : wish.liked * scale));
    for (const wish of tight) fixed.add(wish);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
