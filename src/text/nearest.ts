import leven from 'leven';

/** The known name that was probably meant: the nearest one with at most `most` wrong letters, ignoring case. */
export function nearest(name: string, known: readonly string[], most = usual(name)): string | undefined {
  const bound = { maxDistance: most + 1 };
  const distances = known.map(one => leven(name.toLowerCase(), one.toLowerCase(), bound));
  const least = Math.min(...distances);
  return least <= most ? known[distances.indexOf(least)] : undefined;
}

const usual = (name: string): number => Math.max(2, Math.floor(name.length / 3));
