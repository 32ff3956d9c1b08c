import type { Institution } from './page.ts';
import { teachingPlan } from './plano-ensino.ts';
import { tableDocument } from './tabela.ts';

/** Who issues a document, and when. */
export interface Issue {
  institution: Institution;
  now: Date;
  timeZone: string;
  /** Day and time for readers, in the institution's time zone: `21/11/2026, 14:05`. */
  moment: (instant: Date) => string;
}

/** All document templates. Each turns its data into a PDF. */
export const templates = {
  'plano-ensino': teachingPlan,
  tabela: tableDocument,
};

export type TemplateName = keyof typeof templates;
