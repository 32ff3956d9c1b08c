import type { Texts } from '../messages.ts';

/** What people read about the storage of files, in both languages. */
export const storageTexts = {
  storageAway: {
    pt: 'O armazenamento de arquivos não responde. Tente de novo em instantes.',
    en: 'The file storage is not responding. Try again shortly.',
  },
  beingRemoved: {
    pt: 'O armazenamento de arquivos não confirmou a remoção de um conteúdo igual a este, que já não era usado. Tente de novo em uma hora.',
    en: 'The file storage has not confirmed the removal of an equal content, which was not used any more. Try again in an hour.',
  },
} satisfies Texts;
