import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../src/database/turns.ts';

const POOL = 10;

/** Reads that come all the time. */
const reads = {
  get latest() {
    return performance.now();
  },
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Begins writes of different operations and records, none of which ends by itself. */
function begin(turns: Turns, count: number) {
  const ends: (() => void)[] = [];
  const all = Array.from({ length: count }, (_, i) =>
    turns.run(
      { lane: 'write', operation: `operation ${i}`, locks: [['record', i]] },
      () => new Promise<void>(resolve => ends.push(resolve)),
    ),
  );
  return { ends, all };
}

describe('of many writes beside reads', () => {
  it('two work at a time, and the next one begins when one of them ends', async () => {
    const turns = new Turns(POOL, 10_000, reads);
    const { ends, all } = begin(turns, 5);
    await vi.advanceTimersByTimeAsync(40);
    expect([ends.length, turns.waiting]).toEqual([2, 3]);
    ends[0]!();
    await vi.advanceTimersByTimeAsync(5);
    expect([ends.length, turns.waiting]).toEqual([3, 2]);
    for (let i = 1; i < 5; i++) {
      ends[i]!();
      await vi.advanceTimersByTimeAsync(0);
    }
    await Promise.all(all);
  });

  it('those that take long, as they do when they wait for a lock, make room for others', async () => {
    const turns = new Turns(POOL, 10_000, reads);
    const { ends, all } = begin(turns, 8);
    await vi.advanceTimersByTimeAsync(200);
    // All connections of writes, and no more.
    expect([ends.length, turns.waiting]).toEqual([6, 2]);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(0);
    // Those that ended had left their places already: they do not leave them twice.
    expect([ends.length, turns.waiting]).toEqual([8, 0]);
    const { ends: later, all: laterAll } = begin(turns, 2);
    await vi.advanceTimersByTimeAsync(10);
    expect([later.length, turns.waiting]).toEqual([0, 2]);
    for (const end of ends.slice(6)) end();
    await vi.advanceTimersByTimeAsync(0);
    for (const end of later) end();
    await vi.advanceTimersByTimeAsync(0);
    await Promise.all([...all, ...laterAll]);
  });
});

describe('of many writes while nothing else comes', () => {
  it('as many work as have connections, until there is a read or a login again', async () => {
    const last = { latest: 0 };
    const turns = new Turns(POOL, 10_000, last);
    await vi.advanceTimersByTimeAsync(1_000);
    const { ends, all } = begin(turns, 12);
    await vi.advanceTimersByTimeAsync(5);
    expect([ends.length, turns.waiting]).toEqual([6, 6]);
    last.latest = performance.now();
    for (const end of ends.slice(0, 4)) end();
    await vi.advanceTimersByTimeAsync(5);
    expect([ends.length, turns.waiting]).toEqual([6, 6]);
    ends[4]!();
    await vi.advanceTimersByTimeAsync(5);
    expect([ends.length, turns.waiting]).toEqual([7, 5]);
    // The next one that ends finds that nothing else has come for a while.
    await vi.advanceTimersByTimeAsync(100);
    ends[5]!();
    await vi.advanceTimersByTimeAsync(5);
    expect([ends.length, turns.waiting]).toEqual([12, 0]);
    await turns.run({ lane: 'login', operation: '', locks: [] }, () => Promise.resolve());
    const { ends: later, all: laterAll } = begin(turns, 3);
    await vi.advanceTimersByTimeAsync(5);
    expect(later.length).toBe(0);
    for (const end of ends.slice(6)) end();
    await vi.advanceTimersByTimeAsync(5);
    expect(later.length).toBe(2);
    for (let i = 0; i < 3; i++) {
      later[i]!();
      await vi.advanceTimersByTimeAsync(5);
    }
    await Promise.all([...all, ...laterAll]);
  });
});
