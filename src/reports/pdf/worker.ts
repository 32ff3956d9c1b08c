import { parentPort, workerData } from 'node:worker_threads';
import type { Institution } from './page.ts';
import { templates, type TemplateName } from './templates.ts';

/** What the worker is told at its start. */
export interface WorkerSettings {
  institution: Institution;
  timeZone: string;
}

export interface Job {
  template: TemplateName;
  /** When it is issued. */
  now: Date;
  data: unknown;
}

/** The file, or why there is none. */
export type Outcome = { file: Uint8Array } | { tooLong: true } | { error: Error };

/** Most characters of a document: some 3,000 rows of 17 columns have half of them, and take 130 MB to be laid out. */
const MOST_TEXT = 2_000_000;

const { institution, timeZone } = workerData as WorkerSettings;
const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' });

function write({ template, now, data }: Job): Outcome {
  if (textLength(data) > MOST_TEXT) return { tooLong: true };
  try {
    const moment = (instant: Date) => format.format(instant);
    const issue = { institution, now, timeZone, moment };
    return { file: templates[template](data as never, issue) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Characters of all the texts in a value. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return (Object.values(value) as unknown[]).reduce<number>((sum, part) => sum + textLength(part), 0);
}

parentPort!.on('message', (job: Job) => {
  const outcome = write(job);
  parentPort!.postMessage(outcome, 'file' in outcome ? [outcome.file.buffer as ArrayBuffer] : []);
});
