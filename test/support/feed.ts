import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A news feed on a real server. Each test sets its answer. */
export interface FeedServer {
  url: string;
  /** Requests since the beginning of the test. */
  requests: IncomingMessage[];
  answer: RequestListener;
}

export function useFeed(): FeedServer {
  const feed: FeedServer = { url: '', requests: [], answer: (_req, res) => res.writeHead(404).end() };
  const server = createServer((req, res) => {
    feed.requests.push(req);
    feed.answer(req, res);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed`;
  });
  beforeEach(() => {
    feed.requests = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return feed;
}

export const rss = (items: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Notícias</title><link>https://www.example.edu</link>${items}</channel></rss>`;

export const item = (n: number, title = `Notícia ${n}`, more = ''): string =>
  `<item><title>${title}</title><link>https://www.example.edu/n/${n}</link><pubDate>Thu, 05 Nov 2026 1${n % 10}:00:00 -0300</pubDate>${more}</item>`;
