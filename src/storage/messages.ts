import type { Texts } from '../messages.ts';

/** What people read about the storage of files, in both languages. */
export const storageTexts = {
  storageAway: {
    pt: 'O armazenamento de arquivos não responde. Tente de novo em instantes.',
    en: 'The file storage is not responding. Try again shortly.',
  },
} satisfies Texts;
