/** Most entries of a cache. The largest ones, the levels of a person, take about 2 KB each. */
const REMEMBERED = 5_000;

/** Keeps a value in a cache of at most so many. The oldest entry of a full cache is forgotten. */
export function remember<K, T>(all: Map<K, T>, key: K, value: T, most = REMEMBERED): void {
  if (all.size >= most && !all.has(key)) all.delete(all.keys().next().value!);
  all.set(key, value);
}
