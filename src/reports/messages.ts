import type { Texts } from '../messages.ts';

/** What people read about documents, in both languages. */
export const reportTexts = {
  tooManyDocuments: {
    pt: 'Há documentos demais em preparo. Tente de novo em instantes.',
    en: 'Too many documents are being prepared. Try again shortly.',
  },
  tooMuchForPdf: {
    pt: 'O resultado tem texto demais para um PDF. Peça uma planilha (csv ou xlsx), ou menos linhas, com os filtros.',
    en: 'The result has too much text for a PDF. Request a spreadsheet (csv or xlsx), or use the filters to get fewer rows.',
  },
  labelTooSmall: (name: string, sheet: string) => ({
    pt: `a etiqueta de ${name} não cabe legível na folha ${sheet}: use uma folha de etiquetas maiores`,
    en: `the label of ${name} does not fit legibly on the sheet ${sheet}: use a sheet with larger labels`,
  }),
} satisfies Texts;
