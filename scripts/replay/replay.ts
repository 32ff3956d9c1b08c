import { readAccessLog } from './access-log.ts';
import { differences } from './compare.ts';
import { Findings, type Report } from './findings.ts';
import { readHar } from './har.ts';
import { knowledge, type KnownOperation } from './operations.ts';
import type { Logins } from './logins.ts';
import type { RecordedRequest } from './recorded.ts';
import { isLogin, readAcceptances, strictnessOf } from './rules.ts';
import { isSecretName, Secrets } from './secrets.ts';
import { Server, TOKEN } from './server.ts';

export interface Options {
  har?: string | undefined;
  log?: string | undefined;
  old: string;
  new: string;
  /** The login at each service. Without it, only requests that need no token succeed. */
  logins?: Logins | undefined;
  /** File with the differences that are accepted. */
  accept?: string | undefined;
  /** Whether writes are sent as well. */
  writes: boolean;
  /** Most requests that are sent of one operation. */
  each: number;
}

/** Number of concurrent reads. */
const CONCURRENCY = 4;

/** Static files, which are not operations. */
const STATIC = /\.(css|gif|html?|ico|jpe?g|js|json|map|png|svg|txt|webp|woff2?)$/i;

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

interface Replayable {
  request: RecordedRequest;
  known: KnownOperation;
  /** Its target, with placeholders for recorded tokens. */
  target: string;
}

/**
 * Sends recorded requests to two services and compares what they answer.
 * @throws Error when the recording is unreadable, or a service does not let the caller in
 */
export async function replay(options: Options): Promise<Report> {
  const secrets = new Secrets();
  const [old, now] = (['old', 'new'] as const).map(
    which => new Server(options[which].replace(/\/+$/, ''), options.logins?.[which]),
  ) as [Server, Server];
  const { requests, unreadable } = options.har
    ? await readHar(options.har, secrets)
    : await readAccessLog(options.log!);
  const findings = new Findings(options.accept ? await readAcceptances(options.accept) : [], secrets);
  const find = await knowledge();
  const all = requests
    .map(request => ({ ...request, target: belowBase(request.target, old.url) }))
    .filter(({ target }) => target.startsWith('/') && !STATIC.test(target.split('?')[0]!))
    .map(request => plan(request, find(request.method, request.target), secrets));
  // A HAR file also has requests to other sites.
  const hosts = new Set(all.filter(({ known }) => known.isKnown).map(({ request }) => request.host));
  const planned = all.filter(
    ({ known, request }) => known.isKnown || request.host === undefined || hosts.has(request.host),
  );
  for (const { known, request } of planned) findings.recorded(known, request);
  await old.logIn(secrets);
  await now.logIn(secrets);
  const send = async ({ request, known, target }: Replayable): Promise<void> => {
    const answers = [old, now].map(server => server.send(request.method, target, request));
    const [before, after] = await Promise.all(answers);
    findings.compared(known, request, differences(before!, after!, strictnessOf(target, known)));
  };
  await inOrder(chosen(planned, options, findings), send);
  return findings.report({
    made: new Date().toISOString(),
    old: shownUrl(old.url),
    new: shownUrl(now.url),
    recording: { file: (options.har ?? options.log)!, requests: planned.length, unreadable },
  });
}

/** The target without the base path of the old service's URL. */
function belowBase(target: string, url: string): string {
  const base = new URL(url).pathname.replace(/\/$/, '');
  return base && target.startsWith(`${base}/`) ? target.slice(base.length) : target;
}

/** Replaces recorded tokens in path and query by a placeholder, because each service gets its own token. */
function plan(request: RecordedRequest, known: KnownOperation, secrets: Secrets): Replayable {
  const { target: given } = request;
  const query = new URLSearchParams(given.split(/\?(.*)/s)[1]);
  const held = [...Object.entries(known.params), ...query].filter(([name]) => isSecretName(name));
  let target = given;
  for (const [, value] of held.filter(([, value]) => value !== '')) {
    secrets.add(value);
    for (const form of [value, encodeURIComponent(value)]) target = target.replaceAll(form, TOKEN);
  }
  return { request, known, target };
}

/** Each distinct request once, up to `each` for one operation. The others are counted by the reason. */
function chosen(planned: readonly Replayable[], { writes, each }: Options, findings: Findings): Replayable[] {
  const seen = new Set<string>();
  const sent = new Map<string, number>();
  return planned.filter(({ known, request: { method }, target }) => {
    const count = sent.get(known.name) ?? 0;
    const isRepeated = isRead(method) && seen.has(`${method} ${target}`);
    const reason = reasons.find(([, holds]) =>
      holds({ method, target, writes, isRepeated, count, each }),
    )?.[0];
    if (reason) {
      findings.notSent(reason);
      return false;
    }
    seen.add(`${method} ${target}`);
    sent.set(known.name, count + 1);
    return true;
  });
}

interface Candidate {
  method: string;
  target: string;
  writes: boolean;
  isRepeated: boolean;
  count: number;
  each: number;
}

/** Why a request is not sent. */
const reasons: readonly [string, (one: Candidate) => boolean][] = [
  ['preflights', ({ method }) => method === 'OPTIONS'],
  ['log-ins and passwords', ({ target }) => isLogin(target)],
  ['writes', ({ method, writes }) => !isRead(method) && !writes],
  ['the same once more', ({ isRepeated }) => isRepeated],
  ['more of one operation than --each', ({ count, each, method }) => isRead(method) && count >= each],
];

/** Sends reads concurrently and each write alone, so that reads and writes keep their recorded order. */
async function inOrder(
  planned: readonly Replayable[],
  send: (one: Replayable) => Promise<void>,
): Promise<void> {
  let reads: Replayable[] = [];
  const readAll = async (): Promise<void> => {
    const queue = reads.values();
    const work = async (): Promise<void> => {
      for (const one of queue) await send(one);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    reads = [];
  };
  for (const one of planned) {
    if (isRead(one.request.method)) {
      reads.push(one);
      continue;
    }
    await readAll();
    await send(one);
  }
  await readAll();
}

/** An address without the name and password that it may hold. */
function shownUrl(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
