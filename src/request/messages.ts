import type { Texts } from '../messages.ts';

/** What people read about their request, in both languages. */
export const requestTexts = {
  encodingUnknown: (encodings: string) => ({
    pt: `O Content-Encoding do corpo deve ser um destes: ${encodings}.`,
    en: `The Content-Encoding of the body must be one of ${encodings}.`,
  }),
  managersOnly: {
    pt: 'É preciso ter nível 3 em algum controller.',
    en: 'Level 3 on some controller is required.',
  },
  tokenNeeded: {
    pt: 'Envie no cabeçalho token um token válido.',
    en: 'Send a valid token in the token header.',
  },
  apiKeyNeeded: {
    pt: 'Envie nos cabeçalhos app-name e api-key as credenciais do sistema.',
    en: "Send the calling system's credentials in the app-name and api-key headers.",
  },
  apiKeyRefused: {
    pt: 'A chave enviada no cabeçalho api-key não vale para o sistema de app-name: está errada, expirou ou foi revogada, ou o sistema está inativo. Peça outra a quem administra o serviço.',
    en: "The key in the api-key header is not valid for the system in app-name: it is wrong, has expired or was revoked, or the system is inactive. Ask the service's administrator for another one.",
  },
  mustManageAll: {
    pt: 'Só age por outra pessoa quem tem nível 3 em tudo o que os perfis dela dão ou já deram.',
    en: 'To act for another person, you need level 3 on everything that their profiles grant or have granted.',
  },
  tookTooLong: {
    pt: 'A requisição demorou demais e foi abandonada. Se ela grava algo, isso pode ter sido feito ou não: com Idempotency-Key, envie-a de novo; sem ela, confira antes.',
    en: 'The request timed out. If it changes data, the change may have been made or not. With an Idempotency-Key, send it again; without one, check first.',
  },
  keyUnusable: {
    pt: 'O cabeçalho Idempotency-Key deve ter de 1 a 255 caracteres visíveis de ASCII.',
    en: 'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  },
  otherRequest: {
    pt: 'Esta Idempotency-Key já foi usada por outra requisição. Use uma nova para cada uma.',
    en: 'This Idempotency-Key was used for another request. Use a new one for each request.',
  },
  stillRunning: {
    pt: 'A primeira requisição com esta Idempotency-Key ainda está em curso. Tente de novo em instantes.',
    en: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  },
  servicePath: {
    pt: 'deve ser um caminho deste serviço, como /relatorios/…?pdf=true',
    en: 'must be a path of this service, such as /relatorios/…?pdf=true',
  },
  maxLength: (max: number) => ({
    pt: `deve ter no máximo ${max} caracteres`,
    en: `must have at most ${max} characters`,
  }),
  minLength: (min: number) => ({
    pt: `deve ter no mínimo ${min} caracteres`,
    en: `must have at least ${min} characters`,
  }),
  link: {
    pt: 'deve ser um endereço que começa com http:// ou https://',
    en: 'must be an address that begins with http:// or https://',
  },
  picture: {
    pt: 'deve ser um endereço que começa com http://, https:// ou data:image/',
    en: 'must be an address that begins with http://, https:// or data:image/',
  },
} satisfies Texts;
