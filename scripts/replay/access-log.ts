import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RecordedRequest, Recording } from './recorded.ts';

/** A line of the common or the combined log format: address, names, `[moment]`, `"GET /path HTTP/1.1"`, status. */
const LINE = /^\S+ \S+ .*?\[([^\]]+)\] "([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?" (\d{3})\b/;

/** Reads the requests of an access log in the common or combined format, or with one JSON object per line. */
export async function readAccessLog(file: string): Promise<Recording> {
  const requests: RecordedRequest[] = [];
  let unreadable = 0;
  for await (const line of createInterface(createReadStream(file, 'utf8'))) {
    if (line.trim() === '') continue;
    const request = line.startsWith('{') ? fromJson(line) : fromLine(line);
    if (request) requests.push(request);
    else unreadable++;
  }
  return { requests, unreadable };
}

function fromLine(line: string): RecordedRequest | undefined {
  const [, at, method, target, status] = LINE.exec(line) ?? [];
  if (!at || !method || !target) return undefined;
  return { at: isoOfLog(at), method, ...addressed(target), status: Number(status) };
}

/** `22/Nov/2026:08:15:21 +0000` as ISO 8601. */
function isoOfLog(at: string): string {
  const moment = new Date(at.replace(/^(\d+)\/(\w+)\/(\d+):/, '$1 $2 $3 '));
  return Number.isNaN(moment.getTime()) ? at : moment.toISOString();
}

/** The names that nginx, Apache, Caddy, Traefik and pino give to the parts of a request. */
const names = {
  method: ['method', 'request_method', 'requestMethod', 'RequestMethod', 'http_method', 'verb'],
  target: ['url', 'uri', 'request_uri', 'requestUri', 'RequestPath', 'path', 'target'],
  query: ['query', 'args', 'query_string', 'queryString'],
  status: ['status', 'status_code', 'statusCode', 'DownstreamStatus', 'response_status'],
  at: ['time', 'timestamp', '@timestamp', 'time_iso8601', 'time_local', 'ts', 'StartUTC', 'date'],
} as const;

function fromJson(line: string): RecordedRequest | undefined {
  let fields: Record<string, unknown>;
  try {
    const read = JSON.parse(line) as Record<string, unknown>;
    const [request, nested, response] = [read['request'], read['req'], read['res']];
    // Caddy and pino have objects here, nginx has the first line of the request.
    fields = { ...read, ...asObject(response), ...asObject(request), ...asObject(nested) };
  } catch {
    return undefined;
  }
  const found = (key: keyof typeof names): string | undefined => {
    const name = names[key].find(one => ['string', 'number'].includes(typeof fields[one]));
    return name && String(fields[name]);
  };
  const [, spelledMethod, spelledTarget] = /^([A-Z]+) (\S+)/.exec(String(fields['request'])) ?? [];
  const method = found('method') ?? spelledMethod;
  const target = found('target') ?? spelledTarget;
  if (!method || !target) return undefined;
  const query = target.includes('?') ? undefined : found('query')?.replace(/^\?/, '');
  const status = Number(found('status'));
  return {
    at: isoOf(found('at') ?? ''),
    method: method.toUpperCase(),
    ...addressed(query ? `${target}?${query}` : target),
    ...(status && { status }),
  };
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** A moment as ISO 8601. Numbers are seconds or milliseconds since 1970. */
function isoOf(at: string): string {
  if (!/^[\d.]+$/.test(at)) return isoOfLog(at);
  const since = Number(at);
  return new Date(since < 1e11 ? since * 1000 : since).toISOString();
}

/** Forward proxies log absolute URLs. */
function addressed(target: string): Pick<RecordedRequest, 'target' | 'host'> {
  if (!/^https?:/.test(target) || !URL.canParse(target)) return { target };
  const { host, pathname, search } = new URL(target);
  return { target: pathname + search, host };
}
