import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { inBackground } from '../../runtime/background.ts';
import type { Place } from './place.ts';

type Sample = MetricObjectWithValues<MetricValue<string>>;

/** Sent to a worker, and back by it with what it has counted. */
interface Scrape {
  scrape: number;
  samples?: Sample[];
}

/** Longest that a worker may take: more than any of its figures. */
const PATIENCE_MS = 3_000;

let scrapes = 0;

/** Answers the supervisor's scrapes; for a worker. */
export function answerScrapes(registry: Registry, log: Logger): void {
  const answer = async ({ scrape }: Scrape): Promise<void> => {
    process.send?.({ scrape, samples: await registry.getMetricsAsJSON() } satisfies Scrape);
  };
  const failed = (error: unknown): void => log.error({ err: error }, 'metrics');
  process.on('message', (message: Scrape) => inBackground(answer(message), failed));
}

/**
 * What all workers have counted, each under its number in the label `worker`, and what is known of themselves. Nothing
 * is added up: a worker that was started again counts from 0, which a sum would show as a fall.
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

/** Nothing of a worker that does not answer, for it starts, ends or is stuck. */
async function labelled({ number, worker }: Place): Promise<Sample[]> {
  const samples = await scrape(worker);
  return samples.map(sample => ({
    ...sample,
    // There is nothing to add up, but what is by default left out would be.
    aggregator: 'sum',
    values: sample.values.map(value => ({ ...value, labels: { ...value.labels, worker: number } })),
  }));
}

function scrape(worker: Worker): Promise<Sample[]> {
  const asked = (scrapes += 1);
  return new Promise(resolve => {
    const end = (samples: Sample[]): void => {
      clearTimeout(patience);
      worker.off('message', listen).off('exit', gone);
      resolve(samples);
    };
    const listen = (message: Scrape): void => {
      if (message.scrape === asked) end(message.samples ?? []);
    };
    const gone = (): void => end([]);
    const patience = setTimeout(gone, PATIENCE_MS);
    worker.on('message', listen).on('exit', gone);
    worker.send({ scrape: asked } satisfies Scrape, error => error && gone());
  });
}
