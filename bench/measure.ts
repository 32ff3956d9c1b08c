import autocannon, { type Request } from 'autocannon';
import { cpuTime } from './cpu.ts';
import { type BenchRequest, type Scenario } from './scenario.ts';
import type { RunningServer } from './server.ts';

const CONNECTIONS = 20;
/** Seconds that one of a few long requests may take. */
const FEW_TIMEOUT = 120;

/** One round against one server. */
export interface Sample {
  /** Requests answered a second. */
  throughput: number;
  /** CPU time of the server and of PostgreSQL for one request, in ms. */
  cpu: number;
}

/** The result of a scenario: medians of each server's rounds, and the ratios service / baseline. */
export interface Result {
  service: Sample;
  baseline: Sample;
  ratio: Sample;
  /** Half of the range of the CPU ratios of the rounds. */
  spread: number;
}

/** GraphQL answers most errors with status 200. */
const isData = (body: unknown): boolean => !String(body).startsWith('{"errors":');

const asSent = ({ anew, ...request }: BenchRequest): Request =>
  anew ? { ...request, setupRequest: before => ({ ...before, path: anew() }) } : request;

/** Requests in turn. Each connection begins at another one, so that they do not request the same at the same time. */
function startingAt(share: number, requests: Request[]): Request[] {
  const first = Math.floor(share * requests.length);
  return [...requests.slice(first), ...requests.slice(0, first)];
}

/**
 * Loads a server for so many seconds, or with a few requests. Answers the number of requests.
 * @throws Error when one was not answered with data
 */
export async function load(
  url: string,
  requests: BenchRequest[],
  seconds: number,
  few?: Scenario['few'],
): Promise<number> {
  let connection = 0;
  const connections = few?.connections ?? CONNECTIONS;
  const sent = requests.map(asSent);
  const result = await autocannon({
    url,
    connections,
    ...(few ? { amount: few.requests, timeout: FEW_TIMEOUT } : { duration: seconds }),
    requests: sent,
    setupClient: client => client.setRequests(startingAt(connection++ / connections, sent)),
    verifyBody: isData,
  });
  const failed = result.non2xx + result.errors + result.mismatches;
  if (failed > 0) throw new Error(`${failed} requests failed at ${url}, such as ${requests[0]!.path}`);
  return result['2xx'];
}

/** If a single request takes longer than this, few connections send it, or none would be answered in a round. */
const SLOW_MS = 100;
const FEW = { connections: 2, requests: 12 };

/** Sent twice, because the service may keep the first answer for the next requests. */
async function fewIfSlow(url: string, { path, ...request }: BenchRequest): Promise<Scenario['few']> {
  let took = 0;
  for (let i = 0; i < 2; i++) {
    const start = performance.now();
    await (await fetch(url + path, request)).arrayBuffer();
    took = performance.now() - start;
  }
  return took > SLOW_MS ? FEW : undefined;
}

/** Measures one server; nothing else may use the cluster meanwhile. */
export async function measure(
  { url, pid }: RunningServer,
  postmaster: number,
  requests: BenchRequest[],
  seconds: number,
  given?: Scenario['few'],
): Promise<Sample> {
  const few = given ?? (await fewIfSlow(url, requests[0]!));
  const before = await cpuTime(pid, postmaster);
  const start = performance.now();
  const answered = await load(url, requests, seconds, few);
  const elapsed = (performance.now() - start) / 1000;
  const used = (await cpuTime(pid, postmaster)) - before;
  return { throughput: answered / elapsed, cpu: used / answered };
}

export function resultOf(service: Sample[], baseline: Sample[]): Result {
  const [ours, theirs] = [medians(service), medians(baseline)];
  const ratio = { throughput: ours.throughput / theirs.throughput, cpu: ours.cpu / theirs.cpu };
  const ratios = service.map(({ cpu }, round) => cpu / baseline[round]!.cpu);
  const spread = (Math.max(...ratios) - Math.min(...ratios)) / 2;
  return { service: ours, baseline: theirs, ratio, spread };
}

const medians = (samples: Sample[]): Sample => ({
  throughput: median(samples.map(sample => sample.throughput)),
  cpu: median(samples.map(sample => sample.cpu)),
});

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
