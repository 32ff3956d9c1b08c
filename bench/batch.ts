import { cpuTime } from './cpu.ts';
import { median, type Sample } from './measure.ts';
import { posting } from './movements.ts';
import type { RunningServer } from './server.ts';
import type { Place } from './stock.ts';

const SIZES = [1, 10, 100, 1000];
/** Requests before the first that counts: from the sixth on, PostgreSQL may keep the plan of a statement. */
const WARM_UP = 8;

/** The cost of one movement in a request of a given size. */
export interface BatchResult {
  items: number;
  /** Median time of the request, by its items, in ms. */
  ms: number;
  /** CPU time of the service and of PostgreSQL, in ms. */
  cpu: Sample['cpu'];
}

/** Registers movements in requests of growing size, one request after another, each size for so many seconds. */
export async function measureBatches(
  service: RunningServer,
  postmaster: number,
  places: Place[],
  token: string,
  seconds: number,
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const items of SIZES) {
    const batch = Array.from({ length: items }, (_, i) => places[i % places.length]!);
    const { path, ...init } = posting(batch, token);
    const post = (): Promise<number> => timed(service.url + path, init);
    for (let i = 0; i < WARM_UP; i++) await post();
    const before = await cpuTime(service.pid, postmaster);
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) times.push(await post());
    const used = (await cpuTime(service.pid, postmaster)) - before;
    results.push({ items, ms: median(times) / items, cpu: used / times.length / items });
  }
  return results;
}

/** Milliseconds until a request is answered in full. */
async function timed(url: string, init: RequestInit): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return performance.now() - start;
}
