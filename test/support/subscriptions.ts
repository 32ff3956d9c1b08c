import { createClient as eventClient } from 'graphql-sse';
import { createClient as socketClient } from 'graphql-ws';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { PAGE, type FeedChange, type FeedPage } from './changes.ts';
import type { Client } from './client.ts';

/** A message of a subscription. */
interface Message {
  data?: { mudancas: FeedPage } | null;
  errors?: { message: string; extensions: { code: string; cursor?: string; retryAfter?: number } }[];
}

export type Subscription = AsyncIterableIterator<Message>;

/** Subscribes with the headers of a client. The subscription is closed at the end of the test. */
export type Subscribe = (
  client: Client,
  asked?: { after?: string; tabelas?: string[] },
  query?: string,
) => Subscription;

export const SUBSCRIBE = `subscription ($after: Cursor, $tabelas: [String!]) {
  mudancas(after: $after, tabelas: $tabelas) { ${PAGE} } }`;

const overEvents: Subscribe = (client, variables, query = SUBSCRIBE) => {
  const events = eventClient({ url: `${client.url}/graphql`, headers: client.headers, retryAttempts: 0 });
  onTestFinished(() => events.dispose());
  return events.iterate({ query, variables: { ...variables } }) as unknown as Subscription;
};

const overSocket: Subscribe = (client, variables, query = SUBSCRIBE) => {
  const socket = socketClient({
    url: `${client.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: client.headers,
    retryAttempts: 0,
  });
  onTestFinished(() => socket.dispose());
  return socket.iterate({ query, variables: { ...variables } }) as unknown as Subscription;
};

/** The library's clients of both protocols. */
export const transports: Readonly<Record<string, Subscribe>> = {
  'server-sent events': overEvents,
  WebSocket: overSocket,
};

/** The next page. @throws Error when there is none */
export async function nextPage(subscription: Subscription): Promise<FeedPage> {
  const { value } = (await subscription.next()) as { value?: Message };
  if (!value?.data) throw new Error(`no page: ${JSON.stringify(value)}`);
  return value.data.mudancas;
}

/** The next changes, this many of them. */
export async function nextChanges(subscription: Subscription, count: number): Promise<FeedChange[]> {
  const found: FeedChange[] = [];
  while (found.length < count) found.push(...(await nextPage(subscription)).data);
  return found;
}

/** The error that ends a subscription. Nothing may follow it. */
export async function endOf(subscription: Subscription): Promise<{ code: string; cursor?: string }> {
  for await (const { errors } of subscription) {
    if (!errors) continue;
    const { done } = await subscription.next();
    if (!done) throw new Error('it goes on after its error');
    return errors[0]!.extensions;
  }
  throw new Error('it ended without an error');
}
