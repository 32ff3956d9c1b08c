import type { Institution } from './page.ts';
import { teachingPlan } from './plano-ensino.ts';

/** By whom and when a document is issued. */
export interface Issue {
  institution: Institution;
  now: Date;
  /** Day and time for readers, in the institution's time zone: `21/11/2026, 14:05`. */
  moment: (instant: Date) => string;
}

/** The documents that there are: each makes a PDF of a record, under the name that its file has, too. */
export const templates = {
  'plano-ensino': teachingPlan,
};

export type TemplateName = keyof typeof templates;
