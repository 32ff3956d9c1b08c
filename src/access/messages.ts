import type { Texts } from '../messages.ts';

/** What people read about limits of use, in both languages. */
export const accessTexts = {
  tooManyAttempts: (seconds: number) => ({
    pt: `Tentativas demais. Tente de novo em ${seconds} s.`,
    en: `Too many attempts. Try again in ${seconds} s.`,
  }),
  yourExports: (most: number) => ({
    pt: `Você já tem ${most} exportação(ões) em curso, o máximo por pessoa. Espere que uma termine.`,
    en: `You already have ${most} export(s) running, the maximum per person. Wait until one ends.`,
  }),
  yourDocuments: (most: number) => ({
    pt: `Você já tem ${most} documentos em preparo, o máximo por pessoa. Espere que um termine.`,
    en: `You already have ${most} documents in preparation, the maximum per person. Wait until one is ready.`,
  }),
  yourImports: (most: number) => ({
    pt: `Você já tem ${most} importações em andamento, o máximo por pessoa. Espere que uma termine.`,
    en: `You already have ${most} imports in progress, the maximum per person. Wait until one ends.`,
  }),
  yourSubscriptions: (most: number) => ({
    pt: `Você já tem ${most} assinaturas abertas, o máximo por pessoa. Feche uma delas.`,
    en: `You already have ${most} subscriptions open, the maximum per person. Close one of them.`,
  }),
  yourTransfers: (most: number) => ({
    pt: `Você já envia ou baixa ${most} arquivos, o máximo por pessoa. Espere que um termine.`,
    en: `You already have ${most} uploads and downloads running, the maximum per person. Wait until one ends.`,
  }),
  yourContents: (bytes: number) => ({
    pt: `Você já lê conteúdos de arquivos demais: por pessoa são no máximo ${bytes} bytes de uma vez. Espere que uma leitura termine, ou leia com Accept: application/octet-stream.`,
    en: `You are reading too many file contents: the maximum per person is ${bytes} bytes at a time. Wait until a read ends, or read with Accept: application/octet-stream.`,
  }),
  tooManyRequests: {
    pt: 'Há requisições suas demais em andamento. Tente de novo em instantes.',
    en: 'Too many of your requests are running. Try again shortly.',
  },
  tooBusy: {
    pt: 'Há exportações demais em curso. Tente de novo em instantes.',
    en: 'Too many exports are running. Try again shortly.',
  },
} satisfies Texts;
