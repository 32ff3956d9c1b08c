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
} satisfies Texts;
