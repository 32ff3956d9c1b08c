import type { Texts } from '../messages.ts';

/** What people read about the directory, in both languages. */
export const directoryTexts = {
  directoryTooLarge: (cap: number) => ({
    pt: `O diretório responderia mais de ${cap} entradas. Peça-o em páginas com pagination=true; se isso não basta, uma pessoa com employeetype.`,
    en: `The directory would return more than ${cap} entries. Ask for pages with pagination=true; if that is not enough, for one person with employeetype.`,
  }),
  directoryAway: {
    pt: 'O diretório não responde. Tente de novo em instantes.',
    en: 'The directory is not responding. Try again shortly.',
  },
  directoryFixed: {
    pt: 'O diretório não deixa mudar este atributo, que dá nome à entrada.',
    en: 'The directory does not allow changing this attribute, because it names the entry.',
  },
  directoryRefuses: {
    pt: 'O diretório não aceita este valor.',
    en: 'The directory does not accept this value.',
  },
  accountHasPassword: {
    pt: 'A conta já tem senha: anexe-a com a senha.',
    en: 'The account already has a password. Use it to attach the account.',
  },
  accountSuspended: { pt: 'A conta está suspensa.', en: 'The account is suspended.' },
  accountHeldAlready: {
    pt: 'A pessoa já é responsável por esta conta.',
    en: 'The person already holds this account.',
  },
  notAnAccount: { pt: 'não é uma conta gerencial', en: 'is not a managerial account' },
  suspended: { pt: 'está suspensa ou inativa', en: 'is suspended or inactive' },
  notAHolder: { pt: 'não é responsável por esta conta', en: 'does not hold this account' },
  deadCode: { pt: 'está errado, já foi usado ou expirou', en: 'is wrong, already used or expired' },
  wrongPassword: { pt: 'não é a senha da conta', en: "is not the account's password" },
  refusedPassword: { pt: 'foi recusada pelo diretório', en: 'was refused by the directory' },
  wholeOnly: {
    pt: 'o diretório só compara valores inteiros: use eq ou in',
    en: 'the directory compares whole values only: use eq or in',
  },
} satisfies Texts;
