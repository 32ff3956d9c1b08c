import { AppError } from '../errors.ts';
import { newsTexts } from './messages.ts';
import type { Call } from '../request/call.ts';
import { writing } from '../request/writing.ts';
import type { DownloadLimits } from './download.ts';
import { fetchNews, keepNews } from './refresh.ts';

/** Shorter than the usual limits, because a request with a time limit waits. */
const limits: DownloadLimits = { answerMs: 5_000, wholeMs: 8_000, bytes: 5_000_000, redirects: 5 };
/** Limit for downloading and parsing together. */
const LONGEST_MS = 10_000;

/** Whether the feed has changed since it was read before, and how many news were added or changed. */
interface FeedReading {
  mudou: boolean;
  alteradas: number;
}

/**
 * Updates the stored news from the feed, with the caller as author.
 * @throws INVALID_STATE when no feed is configured; UNAVAILABLE when it cannot be read, and then nothing changes
 */
export async function refreshNow(call: Call): Promise<FeedReading> {
  const { context } = call;
  const url = context.services.config.NEWS_FEED_URL;
  if (!url) throw new AppError('INVALID_STATE', { detail: newsTexts.noFeed });
  const stop = AbortSignal.any([context.closed, AbortSignal.timeout(LONGEST_MS)]);
  const fetched = await fetchNews(context.services, url, limits, stop).catch((cause: unknown) => {
    context.log.warn({ err: cause }, 'news feed not read');
    throw new AppError('UNAVAILABLE', { detail: newsTexts.feedUnreadable, cause });
  });
  return writing(call, async em =>
    fetched
      ? { mudou: true, alteradas: (await keepNews(em, url, fetched)).changed }
      : { mudou: false, alteradas: 0 },
  );
}
