/** Limits against a server that is slow, sends too much or redirects for ever. */
export interface DownloadLimits {
  /** Longest wait for the start of each response in milliseconds, connecting included. */
  answerMs: number;
  /** Longest time for the whole download, in milliseconds. */
  wholeMs: number;
  /** Maximum bytes of the body after decompression. */
  bytes: number;
  redirects: number;
}

/** Validators of the last good response, for a conditional request. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface Download extends Validators {
  bytes: Uint8Array;
  contentType: string;
}

const ACCEPT = 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';

/**
 * Downloads a document; undefined when the validators show that it has not changed.
 * @throws Error that says what is wrong with the response, or why there is none
 */
export async function download(
  url: string,
  known: Validators,
  limits: DownloadLimits,
  stop: AbortSignal,
): Promise<Download | undefined> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.wholeMs)]);
  const response = await follow(url, conditional(known), limits, signal);
  if (response.status === 304) return undefined;
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the feed answers ${response.status}`);
  }
  return {
    bytes: await readBody(response, limits.bytes),
    contentType: response.headers.get('content-type') ?? '',
    etag: response.headers.get('etag'),
    lastModified: response.headers.get('last-modified'),
  };
}

const conditional = ({ etag, lastModified }: Validators): Record<string, string> => ({
  accept: ACCEPT,
  'user-agent': 'institutional-information-service',
  ...(etag && { 'if-none-match': etag }),
  ...(lastModified && { 'if-modified-since': lastModified }),
});

async function follow(
  url: string,
  headers: Record<string, string>,
  { answerMs, redirects }: DownloadLimits,
  signal: AbortSignal,
): Promise<Response> {
  let at = new URL(url);
  for (let followed = 0; followed <= redirects; followed++) {
    if (!/^https?:$/.test(at.protocol)) throw new Error(`the feed leads to ${at.protocol}`);
    const response = await answerWithin(answerMs, signal, within =>
      fetch(at, { headers, redirect: 'manual', signal: within }),
    );
    const location = response.headers.get('location');
    if (location === null || response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    at = new URL(location, at);
  }
  throw new Error(`the feed redirects more than ${redirects} times`);
}

/** Waits for the start of a response. The body may take longer. */
async function answerWithin(
  ms: number,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`the feed does not answer within ${ms} ms`)), ms);
  try {
    return await ask(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function readBody(response: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > most) throw new Error(`the feed is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
