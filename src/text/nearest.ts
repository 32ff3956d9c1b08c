import leven from 'leven';

/** The one of some names that was probably meant: the nearest, when at most `most` letters are wrong. Case does not count. */
export function nearest(name: string, known: readonly string[], most = usual(name)): string | undefined {
  const distances = known.map(one => leven(name.toLowerCase(), one.toLowerCase()));
  const least = Math.min(...distances);
  return least <= most ? known[distances.indexOf(least)] : undefined;
}

const usual = (name: string): number => Math.max(2, Math.floor(name.length / 3));
