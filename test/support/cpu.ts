/**
 * The result of the work, and the milliseconds of processor time that this process used for it, including the client.
 */
export async function cpuOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpuMs: number }> {
  const before = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(before);
  return { answer, cpuMs: (user + system) / 1000 };
}
