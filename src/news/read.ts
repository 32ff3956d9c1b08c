import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NewsItem } from './items.ts';
import type { FeedCopy } from './thread.ts';

/** Longest time to parse a feed of the maximum size. */
const LONGEST_MS = 60_000;

/** Relative to this module, as TypeScript or compiled. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);

/**
 * The items of a copy of the feed. They are parsed in a thread, because a feed of 5 MB can take seconds.
 * @throws Error when it is not a feed, or takes too long
 */
export async function readFeed(copy: FeedCopy, stop: AbortSignal): Promise<NewsItem[]> {
  const thread = new Worker(THREAD, { workerData: copy });
  const late = AbortSignal.timeout(LONGEST_MS);
  try {
    const signal = AbortSignal.any([stop, late]);
    const [items] = (await once(thread, 'message', { signal })) as [NewsItem[]];
    return items;
  } catch (error) {
    if (!late.aborted) throw error;
    throw new Error(`the feed takes more than ${LONGEST_MS / 1000} s to read`, { cause: error });
  } finally {
    await thread.terminate();
  }
}
