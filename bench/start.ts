import { median } from './measure.ts';
import type { RunningServer } from './server.ts';

/** Milliseconds from the start of a process until it is ready; the median of so many, one after the other. */
export async function measureStart(start: () => Promise<RunningServer>, times: number): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    const before = performance.now();
    const server = await start();
    all.push(performance.now() - before);
    await server.stop();
  }
  return Math.round(median(all));
}
