import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { reportTexts } from '../messages.ts';
import type { Institution } from './issue.ts';
import { templates, type TemplateName } from './templates.ts';
import { survey } from './texts.ts';
import { glyphsFor } from './typefaces.ts';

/** Start parameters of the worker. */
export interface WorkerSettings {
  institution: Institution;
  timeZone: string;
}

export interface Job {
  template: TemplateName;
  /** Time of issue. */
  now: Date;
  data: unknown;
}

/** The file, or the reason why there is none: for the client (the parts of an `AppError`), or a failure. */
export type Outcome =
  { file: Uint8Array } | { refused: Pick<AppError, 'code' | 'details'> } | { error: Error };

/** Most characters of a document. Some 3,000 rows of 17 columns have half as many, and their layout takes 130 MB. */
const MOST_TEXT = 2_000_000;

const { institution, timeZone } = workerData as WorkerSettings;
const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' });

async function write({ template, now, data }: Job): Promise<Outcome> {
  const { length, others } = survey([data, institution.name]);
  if (length > MOST_TEXT)
    return { refused: { code: 'RESULT_TOO_LARGE', details: { detail: reportTexts.tooMuchForPdf } } };
  try {
    const moment = (instant: Date) => format.format(instant);
    const issue = { institution, now, timeZone, moment, glyphs: await glyphsFor(others) };
    return { file: await templates[template](data as never, issue) };
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, details: error.details } };
    return { error: error as Error };
  }
}

for await (const [job] of on(parentPort!, 'message') as AsyncIterable<[Job]>) {
  const outcome = await write(job);
  parentPort!.postMessage(outcome, 'file' in outcome ? [outcome.file.buffer as ArrayBuffer] : []);
}
