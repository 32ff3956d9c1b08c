import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from './cpu.ts';
import { load, median } from './measure.ts';
import { type BenchRequest } from './scenario.ts';
import type { RunningServer } from './server.ts';

/** How much the last third may differ from the middle one. */
const TOLERANCE = 0.1;
/**
 * After so many seconds without a request V8 has given back what the start needed. It begins with that when it has seen
 * few allocations for 100 s.
 */
const REST_SECONDS = 120;
/** Seconds between the readings that are shown. */
const SHOWN_EVERY = 10;

export interface Memory {
  /** Resident memory when the service is ready. */
  ready: number;
  /** Resident memory at rest, after two minutes without a request. The load begins then. */
  rest: number;
  flat: boolean;
  /** Resident memory at the end: median of the last third. */
  mb: number;
  /** Resident memory each ten seconds. */
  readings: number[];
}

/** Resident memory of a server under so many seconds of mixed load, read once a second. */
export async function measureMemory(
  { url, pid }: RunningServer,
  requests: BenchRequest[],
  seconds: number,
): Promise<Memory> {
  const ready = await residentMb(pid);
  await sleep(REST_SECONDS * 1000);
  const rest = await residentMb(pid);
  const loading = load(url, requests, seconds);
  const readings: number[] = [];
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    readings.push(await residentMb(pid));
  }
  await loading;
  const third = Math.floor(readings.length / 3);
  const [middle, last] = [median(readings.slice(third, 2 * third)), median(readings.slice(2 * third))];
  return {
    ready,
    rest,
    flat: Math.abs(last / middle - 1) <= TOLERANCE,
    mb: last,
    readings: readings.filter((_, i) => (i + 1) % SHOWN_EVERY === 0),
  };
}
