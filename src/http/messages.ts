import type { Texts } from '../messages.ts';

/** What people read about requests that are no HTTP as the service takes it, in both languages. */
export const httpTexts = {
  notHttp: { pt: 'A requisição não é HTTP.', en: 'The request is not valid HTTP.' },
  oneHost: {
    pt: 'Uma requisição HTTP/1.1 tem exatamente um cabeçalho Host.',
    en: 'An HTTP/1.1 request has exactly one Host header.',
  },
  noProxy: {
    pt: 'Este serviço não é um proxy: não atende CONNECT.',
    en: 'This service is no proxy: it does not take CONNECT.',
  },
  headersTooLarge: (bytes: number) => ({
    pt: `Endereço e cabeçalhos passam de ${bytes} bytes.`,
    en: `URL and headers exceed ${bytes} bytes.`,
  }),
  requestTooSlow: {
    pt: 'A requisição não chegou a tempo.',
    en: 'The request did not arrive in time.',
  },
} satisfies Texts;
