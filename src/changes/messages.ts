import type { Texts } from '../messages.ts';

/** What clients of the feed may read. */
export const changeTexts = {
  gone: {
    pt: 'Este cursor é antigo demais, ou a mudança dele se perdeu numa restauração ou numa troca de servidor do banco de dados. Consulte mudancas sem after, guarde ultimo, leia as listas de novo e continue de ultimo.',
    en: 'This cursor is too old, or its change was lost in a restore or a failover of the database. Query mudancas without after, store ultimo, read the lists again, and continue from ultimo.',
  },
  tooSlow: {
    pt: 'A assinatura foi encerrada: as mudanças não foram lidas a tempo. Continue a partir de cursor.',
    en: 'The subscription was ended because its changes were not read in time. Continue from cursor.',
  },
  rightsChanged: {
    pt: 'Seus direitos mudaram enquanto havia mudanças por ler. Continue a partir de cursor.',
    en: 'Your rights changed while there were changes to read. Continue from cursor.',
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
  noCursor: { pt: 'não é um cursor', en: 'is not a cursor' },
} satisfies Texts;
