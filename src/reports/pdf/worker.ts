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
  data: unknown;
}

/** The file, or why there is none. */
export type Outcome = { file: Uint8Array } | { error: Error };

const { institution, timeZone } = workerData as WorkerSettings;
const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' });

function write({ template, data }: Job): Outcome {
  try {
    const moment = (instant: Date) => format.format(instant);
    const issue = { institution, now: new Date(), timeZone, moment };
    return { file: templates[template](data as never, issue) };
  } catch (error) {
    return { error: error as Error };
  }
}

parentPort!.on('message', (job: Job) => {
  const outcome = write(job);
  parentPort!.postMessage(outcome, 'file' in outcome ? [outcome.file.buffer as ArrayBuffer] : []);
});
