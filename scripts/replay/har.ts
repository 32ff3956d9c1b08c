import { readFile } from 'node:fs/promises';
import { isSecretName, type Secrets } from './secrets.ts';
import type { RecordedRequest, Recording } from './recorded.ts';

interface NameValue {
  name: string;
  value: string;
}
interface Entry {
  startedDateTime?: string;
  request: {
    method: string;
    url: string;
    headers?: NameValue[];
    postData?: { text?: string; mimeType?: string };
  };
  response?: { status?: number; content?: { text?: string; encoding?: string } };
}

/**
 * Reads the requests of an HTTP archive (HAR), which browsers save. Adds its secrets to `secrets`.
 * @throws Error when the file is not such an archive
 */
export async function readHar(file: string, secrets: Secrets): Promise<Recording> {
  const { log } = JSON.parse(await readFile(file, 'utf8')) as { log?: { entries?: Entry[] } };
  if (!Array.isArray(log?.entries)) throw new Error(`${file} is not an HTTP archive: it has no log.entries`);
  const requests = log.entries.flatMap(entry => requestOf(entry, secrets) ?? []);
  return { requests, unreadable: log.entries.length - requests.length };
}

function requestOf(
  { startedDateTime = '', request, response }: Entry,
  secrets: Secrets,
): RecordedRequest | undefined {
  if (!request?.method || !URL.canParse(request.url)) return undefined;
  const { host, pathname, search, searchParams } = new URL(request.url);
  const headers = request.headers ?? [];
  for (const { name, value } of [...headers, ...asNameValues(searchParams)])
    if (isSecretName(name)) secrets.add(value);
  const body = request.postData?.text;
  for (const text of [body, response?.content?.encoding ? undefined : response?.content?.text])
    secrets.addFrom(parsed(text));
  const status = response?.status;
  return {
    at: startedDateTime,
    method: request.method.toUpperCase(),
    target: pathname + search,
    host,
    hadToken: headers.some(({ name }) => name.toLowerCase() === 'token'),
    ...(status && { status }),
    ...(body && { body }),
  };
}

const asNameValues = (params: URLSearchParams): NameValue[] =>
  [...params].map(([name, value]) => ({ name, value }));

function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return undefined;
  }
}
