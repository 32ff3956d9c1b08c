import { setTimeout as sleep } from 'node:timers/promises';
import { FeedReader } from './feed-reader.ts';
import type { HttpsClient } from './https-client.ts';
import type { Installation } from './installation.ts';
import { committedAfter, endOfTrail, compare, FOLLOWED_KINDS, type Comparison } from './committed-changes.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

/** Longest wait for the webhook at the end. A message of a process that ended is retried after half a minute. */
const TIMEOUT_MS = 120_000;

/** What the feed reader and the webhook received, compared with what was committed. */
export interface FollowerResults {
  committed: number;
  feed: Comparison & { deaths: number; problems: string[] };
  webhook: Comparison & { failed: number; repeated: number; problems: string[] };
}

/** Two followers of the changes during the failures: a reader of the feed, and a webhook. */
export class Followers {
  readonly #feed: FeedReader;
  readonly #receiver = new WebhookReceiver();
  /** Id of the last audit entry before they started. */
  #start!: string;

  constructor(
    private readonly installation: Installation,
    private readonly token: string,
  ) {
    this.#feed = new FeedReader(installation.door, token);
  }

  /** Must be called before the load starts. @throws Error when the service refuses a follower */
  async start(client: HttpsClient): Promise<void> {
    const url = await this.#receiver.listen();
    const { status, body } = await client.send(
      'POST',
      '/institucional/webhooks',
      { token: this.token },
      { url, eventos: FOLLOWED_KINDS },
    );
    if (status !== 201) throw new Error(`no webhook: ${status} ${JSON.stringify(body)}`);
    this.#receiver.trust((body as { segredo: string }).segredo);
    this.#start = await endOfTrail(this.installation);
    await this.#feed.start();
  }

  /** Must be called after the load has stopped. Waits until both have read to the end. */
  async stop(): Promise<FollowerResults> {
    const [feed, receiver] = [this.#feed, this.#receiver];
    receiver.becomePatient();
    await feed.stop();
    const committed = await committedAfter(this.installation, this.#start);
    const hasAll = (): boolean => new Set(receiver.ids).size >= committed.length;
    for (const end = performance.now() + TIMEOUT_MS; !hasAll() && performance.now() < end;) await sleep(100);
    await receiver.stop();
    const { deaths } = feed;
    const { failed, repeated } = receiver;
    return {
      committed: committed.length,
      feed: { ...compare(feed.ids, committed, () => 'all'), deaths, problems: feed.problems },
      webhook: {
        ...compare(receiver.ids, committed, ({ record }) => record),
        failed,
        repeated,
        problems: receiver.problems,
      },
    };
  }
}
