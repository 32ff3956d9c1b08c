import { labelSheets } from './etiquetas.ts';
import { teachingPlan } from './plano-ensino.ts';
import { tableDocument } from './tabela.ts';

/** All document templates. Each turns its data into a PDF. */
export const templates = {
  'plano-ensino': teachingPlan,
  etiquetas: labelSheets,
  tabela: tableDocument,
};

export type TemplateName = keyof typeof templates;
