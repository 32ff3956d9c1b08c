import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../src/database/turns.ts';

const POOL = 10;

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

describe('of many writes', () => {
  it('two work at a time, and the next one begins when one of them ends', async () => {
    const turns = new Turns(POOL, 10_000);
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
    const turns = new Turns(POOL, 10_000);
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
