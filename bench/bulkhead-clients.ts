import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignored, inBackground } from '../src/runtime/background.ts';
import type { BenchRequest } from './scenario.ts';

/** Longest wait for an answer. */
const TIMEOUT_MS = 60_000;

/** Clients that send the same requests in turn. Each has its own connection and pauses after each answer. */
export interface ClientGroup {
  name: string;
  clients: number;
  pauseMs: number;
  /** Each client begins at a different one. */
  requests: BenchRequest[];
}

/** What happened to the requests of a group since the last report. */
export interface Outcome {
  /** Duration of each successful request, in ms. */
  times: number[];
  /** Processor time that the service's event loop used during each of them, for all requests, in ms. */
  loopTimes: number[];
  /** Number of answers by status; 0 means no answer. */
  statuses: Record<number, number>;
  /** Number of refusals without `Retry-After`. */
  withoutRetryAfter: number;
}

export type Command = { begin: ClientGroup[]; niceness: number } | 'report' | 'stop';

const outcomes = new Map<string, Outcome>();
const emptyOutcome = (): Outcome => ({ times: [], loopTimes: [], statuses: {}, withoutRetryAfter: 0 });
let run = 0;
let agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Sends a request and reads the answer to its end. Returns the status and the seconds of `Retry-After`, or NaN. */
function send(url: string, { method, path, body, headers }: BenchRequest): Promise<[number, number]> {
  return new Promise(resolve => {
    const answered = (response: IncomingMessage): void => {
      response.on('data', () => undefined);
      response.on('end', () =>
        resolve([response.statusCode!, Number(response.headers['retry-after'] ?? NaN)]),
      );
      response.on('error', () => resolve([0, NaN]));
    };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      url + path,
      { method, agent, headers: { ...headers, ...length }, timeout: TIMEOUT_MS },
      answered,
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve([0, NaN]));
    sent.end(body);
  });
}

/** Processor time of the service's main thread, in milliseconds. */
const loopTime = (pid: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;

/** Runs one client. After a refusal it waits as long as `Retry-After` says. */
async function runClient(
  url: string,
  pid: string,
  { name, clients, pauseMs, requests }: ClientGroup,
  i: number,
): Promise<void> {
  const mine = run;
  await sleep((i / clients) * pauseMs);
  for (let turn = Math.floor((i / clients) * requests.length); mine === run; turn++) {
    const start = performance.now();
    const loopStart = loopTime(pid);
    const [status, retryAfter] = await send(url, requests[turn % requests.length]!);
    if (mine !== run) return;
    const outcome = outcomes.get(name)!;
    outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
    if (status >= 200 && status < 300) {
      outcome.times.push(performance.now() - start);
      outcome.loopTimes.push(loopTime(pid) - loopStart);
    } else if (!(retryAfter > 0)) outcome.withoutRetryAfter += 1;
    await sleep(status < 300 ? pauseMs : (retryAfter || 0) * 1000 + pauseMs);
  }
}

// The clients run in their own process, so that they take no time from the one that measures.
if (process.send) {
  const [url, pid] = process.argv.slice(2) as [string, string];
  process.on('message', (order: Command) => {
    if (order === 'report') {
      process.send!(Object.fromEntries(outcomes));
      for (const name of outcomes.keys()) outcomes.set(name, emptyOutcome());
    } else if (order === 'stop') {
      run += 1;
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: Infinity });
      process.send!('stopped');
    } else {
      setPriority(order.niceness);
      outcomes.clear();
      for (const group of order.begin) {
        outcomes.set(group.name, emptyOutcome());
        for (let i = 0; i < group.clients; i++) inBackground(runClient(url, pid, group, i), ignored);
      }
    }
  });
}
