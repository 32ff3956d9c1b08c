import type { Text } from '../messages.ts';

/** What clients of the feed may read. */
export const changeTexts = {
  gone: {
    pt: 'Este cursor é de outra história do banco de dados, ou antigo demais. Pergunte mudancas sem after, guarde ultimo, leia as listas de novo e continue de ultimo.',
    en: 'This cursor is of another history of the database, or too old. Ask mudancas without after, keep ultimo, read the lists again, and go on from ultimo.',
  },
  tooSlow: {
    pt: 'A assinatura foi encerrada: as mudanças não foram lidas a tempo. Continue a partir de cursor.',
    en: 'The subscription was ended: changes were not read in time. Go on from cursor.',
  },
  draining: {
    pt: 'Este processo está terminando. Assine de novo, a partir de cursor.',
    en: 'This process is ending. Subscribe again, from cursor.',
  },
  sessionEnded: {
    pt: 'A sessão terminou.',
    en: 'The session has ended.',
  },
  allTaken: {
    pt: 'Há assinaturas demais neste processo.',
    en: 'There are too many subscriptions in this process.',
  },
} satisfies Record<string, Text>;
