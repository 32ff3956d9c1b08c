import { pbkdf2Sync } from 'node:crypto';

/**
 * The result of the work, and the milliseconds of processor time that this process used for it, including the client.
 */
async function cpuOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpuMs: number }> {
  const before = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(before);
  return { answer, cpuMs: (user + system) / 1000 };
}

/** A calculation that takes some 30 ms on a machine of 2025. */
const yardstick = () => Promise.resolve(pbkdf2Sync('', '', 100_000, 32, 'sha256'));

/**
 * The result of the work, and its processor time in units of a fixed calculation. Slow and busy machines change this
 * number less than the time itself. Work that costs more than `enough` is tried three times, and the least counts: a
 * garbage collection or a neighbour may take part once.
 */
export async function costOf<T>(
  work: () => Promise<T>,
  enough: number,
): Promise<{ answer: T; cost: number }> {
  let least = Infinity;
  for (let tried = 1; ; tried++) {
    const { answer, cpuMs } = await cpuOf(work);
    least = Math.min(least, cpuMs / (await cpuOf(yardstick)).cpuMs);
    if (process.env['SHOW_CPU']) process.stderr.write(`${cpuMs} ms, ${least.toFixed(1)} units\n`);
    if (least <= enough || tried === 3) return { answer, cost: least };
  }
}
