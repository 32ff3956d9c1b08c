import { parentPort, workerData } from 'node:worker_threads';
import { decodeXml } from './decode.ts';
import { newsItems } from './items.ts';

/** A copy of the feed with its address. */
export interface FeedCopy {
  bytes: Uint8Array;
  contentType: string;
  url: string;
}

const { bytes, contentType, url } = workerData as FeedCopy;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(newsItems(decodeXml(bytes, contentType), url));
