import type { Text } from '../messages.ts';

/** What clients of the feed may read. */
export const changeTexts = {
  gone: {
    pt: 'Este cursor é de outra história do banco de dados, ou antigo demais. Pergunte mudancas sem after, guarde ultimo, leia as listas de novo e continue de ultimo.',
    en: 'This cursor is of another history of the database, or too old. Ask mudancas without after, keep ultimo, read the lists again, and go on from ultimo.',
  },
} satisfies Record<string, Text>;
