import type { Texts } from '../messages.ts';

/** What people read about GraphQL documents and subscriptions, in both languages. */
export const graphqlTexts = {
  subscribeByEvents: {
    pt: 'Assinaturas são respondidas como eventos: envie Accept: text/event-stream, ou use WebSocket.',
    en: 'Subscriptions are answered as events: send Accept: text/event-stream, or use WebSocket.',
  },
  versionByArgument: {
    pt: 'Em GraphQL, a versão lida vai no argumento versao da mutação, e não em If-Match. Envie sem este cabeçalho.',
    en: 'In GraphQL, the version that was read is the argument versao of the mutation, not If-Match. Send the request without this header.',
  },
  subscriptionsOnly: {
    pt: 'Aqui se respondem só assinaturas. Envie consultas e mutações por POST a /graphql.',
    en: 'Only subscriptions are answered here. Send queries and mutations by POST to /graphql.',
  },
  badHandshake: {
    pt: 'O pedido de WebSocket não é válido: envie GET com Sec-WebSocket-Key e Sec-WebSocket-Version: 13.',
    en: 'The WebSocket handshake is not valid: send GET with Sec-WebSocket-Key and Sec-WebSocket-Version: 13.',
  },
  otherOrigin: {
    pt: 'Páginas desta origem não podem assinar. Quem administra o serviço pode admiti-la em CORS_ORIGINS.',
    en: "Pages of this origin may not subscribe. The service's administrator can allow it in CORS_ORIGINS.",
  },
  unexpected: {
    pt: 'Erro inesperado. Informe o X-Request-Id a quem administra o serviço.',
    en: "Unexpected error. Report the X-Request-Id to the service's administrator.",
  },
  pagesTooLarge: (requested: number, most: number) => ({
    pt: `As páginas pedidas podem ter ${requested} registros ao todo, e uma requisição lê no máximo ${most} registros. Diminua itemsPerPage.`,
    en: `The requested pages may contain ${requested} records in total, but a request reads at most ${most}. Lower itemsPerPage.`,
  }),
  persistedVersion: { pt: 'deve ser 1', en: 'must be 1' },
  persistedHash: {
    pt: 'deve ser o SHA-256 da consulta, em hexadecimal minúsculo',
    en: 'must be the SHA-256 of the query, in lower-case hexadecimal',
  },
  unknown: { pt: 'não é um campo conhecido', en: 'is not a known field' },
} satisfies Texts;
