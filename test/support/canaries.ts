import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';

interface Heard {
  from: string;
  text: string;
}

const json = { 'content-type': 'application/json' };

/** Secrets to search for afterwards, and all answers that clients received. */
export function useCanaries() {
  const canaries = new Map<string, string>();
  /** Everything that clients received, except answers that are meant to contain a secret. */
  const answers: Heard[] = [];

  /** A unique secret, with characters that JSON, SQL and URLs escape. */
  function canary(what: string): string {
    const secret = `Canary-${randomUUID()}`;
    canaries.set(secret, what);
    return secret;
  }

  /** Registers a secret that the service created, so that it is searched for from now on. */
  function given(what: string, secret: string): string {
    canaries.set(secret, what);
    return secret;
  }

  /** Stores an answer with its headers for the search. */
  async function hear(client: Client, path: string, init: RequestInit): Promise<any> {
    const { status, headers, body } = await client.raw(path, init);
    answers.push({
      from: `${init.method ?? 'GET'} ${path}`,
      text: JSON.stringify([status, [...headers], body]),
    });
    return body;
  }

  const send = (client: Client, method: string, path: string, body?: unknown) =>
    hear(client, path, { method, ...(body !== undefined && { body: JSON.stringify(body), headers: json }) });
  const ask = (client: Client, query: string, variables?: unknown) =>
    send(client, 'POST', '/graphql', { query, variables });

  /** The canaries in a text, unchanged or in the form in which a database or a log may write them. */
  function found(text: string): string[] {
    const forms = (secret: string): string[] => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      // The base64 of its middle part, for each of the three possible alignments.
      ...[0, 1, 2].map(at => Buffer.from(secret.slice(at, at + 18)).toString('base64')),
    ];
    return [...canaries]
      .filter(([secret]) => forms(secret).some(form => text.includes(form)))
      .map(([, what]) => what);
  }

  return { answers, canary, given, hear, send, ask, found };
}

export type Canaries = ReturnType<typeof useCanaries>;
