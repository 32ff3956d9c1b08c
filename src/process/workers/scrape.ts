import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { inBackground } from '../../runtime/background.ts';
import type { Place } from './place.ts';

type Sample = MetricObjectWithValues<MetricValue<string>>;

/** Message to a worker, which sends it back with its metrics. */
interface Scrape {
  scrape: number;
  samples?: Sample[];
}

/** Longest wait for a worker, longer than any of its own waits. */
const PATIENCE_MS = 3_000;

let scrapes = 0;

/** Answers the supervisor's scrapes; runs in a worker. */
export function answerScrapes(registry: Registry, log: Logger): void {
  const answer = async ({ scrape }: Scrape): Promise<void> => {
    process.send?.({ scrape, samples: await registry.getMetricsAsJSON() } satisfies Scrape);
  };
  const failed = (error: unknown): void => log.error({ err: error }, 'metrics failed');
  process.on('message', (message: Scrape) => inBackground(answer(message), failed));
}

/**
 * The metrics of all workers, with the label `worker`, plus the state of the slots. They are not added up, because a
 * restarted worker counts from 0, and the sum would fall.
 */
export async function scrapeAll(places: readonly Place[]): Promise<string> {
  const scraped = await Promise.all(places.map(labelled));
  const own = await ofPlaces(places).getMetricsAsJSON();
  return AggregatorRegistry.aggregate([own, ...scraped]).metrics();
}

function ofPlaces(places: readonly Place[]): Registry {
  const own = new Registry();
  const up = new Gauge({
    name: 'sii_worker_up',
    help: 'Whether the process of a worker runs',
    labelNames: ['worker'],
    registers: [own],
  });
  const restarts = new Counter({
    name: 'sii_worker_restarts_total',
    help: 'How often a worker ended before it should, and was started again',
    labelNames: ['worker'],
    registers: [own],
  });
  for (const place of places) {
    up.set({ worker: place.number }, place.worker.isDead() ? 0 : 1);
    restarts.inc({ worker: place.number }, place.restarts);
  }
  return own;
}

/** Empty for a worker that does not answer because it is starting, ending or blocked. */
async function labelled({ number, worker }: Place): Promise<Sample[]> {
  const samples = await scrape(worker);
  return samples.map(sample => ({
    ...sample,
    // Nothing is added up here, but with the default some metrics would be missing.
    aggregator: 'sum',
    values: sample.values.map(value => ({ ...value, labels: { ...value.labels, worker: number } })),
  }));
}

function scrape(worker: Worker): Promise<Sample[]> {
  const scrapeId = (scrapes += 1);
  return new Promise(resolve => {
    const end = (samples: Sample[]): void => {
      clearTimeout(patience);
      worker.off('message', listen).off('exit', gone);
      resolve(samples);
    };
    const listen = (message: Scrape): void => {
      if (message.scrape === scrapeId) end(message.samples ?? []);
    };
    const gone = (): void => end([]);
    const patience = setTimeout(gone, PATIENCE_MS);
    worker.on('message', listen).on('exit', gone);
    worker.send({ scrape: scrapeId } satisfies Scrape, error => error && gone());
  });
}
