import type { Texts } from '../messages.ts';

/** What people read about the news feed, in both languages. */
export const newsTexts = {
  noFeed: {
    pt: 'O serviço não tem canal de notícias (NEWS_FEED_URL). Peça a quem administra o serviço.',
    en: "The service has no news feed (NEWS_FEED_URL). Ask the service's administrator.",
  },
  feedUnreadable: {
    pt: 'O canal de notícias não pôde ser lido agora, e nada mudou. O registro do serviço diz por quê.',
    en: 'The news feed could not be read now, and nothing changed. The log of the service says why.',
  },
} satisfies Texts;
