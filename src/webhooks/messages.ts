import type { Text, Texts } from '../messages.ts';

/** What people read about webhooks, in both languages. */
export const webhookTexts = {
  noKey: {
    pt: 'O serviço não tem WEBHOOK_KEY, com que guarda os segredos de webhooks.',
    en: 'The service has no WEBHOOK_KEY, with which it encrypts the secrets of webhooks.',
  },
  address: {
    pt: 'deve ser um endereço https, sem usuário e senha',
    en: 'must be an https address, without user and password',
  },
  notReached: {
    pt: 'não é um endereço público, nem de uma rede que WEBHOOK_ALLOW nomeia',
    en: 'is neither a public address nor in a network that WEBHOOK_ALLOW names',
  },
  unknownEvent: (name: string): Text => ({
    pt: `não há eventos ${name}`,
    en: `there is no kind of event ${name}`,
  }),
  mayNotRead: (kind: string): Text => ({
    pt: `o dono do webhook não pode ler ${kind}`,
    en: `the owner of the webhook may not read ${kind}`,
  }),
} satisfies Texts;
