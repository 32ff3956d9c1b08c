import type { Text, Texts } from '../messages.ts';

/** What people read about the database, in both languages. */
export const databaseTexts = {
  databaseAway: {
    pt: 'O banco de dados não responde. Tente de novo em instantes.',
    en: 'The database is not responding. Try again shortly.',
  },
  databaseReadOnly: {
    pt: 'O banco de dados não aceita alterações no momento; as consultas funcionam. Tente de novo em instantes.',
    en: 'The database is read-only at the moment; reads work. Try again shortly.',
  },
  tookTooLong: {
    pt: 'O banco de dados não terminou a tempo. Tente de novo em instantes; se a consulta é grande, com filtros mais estreitos.',
    en: 'The database did not finish in time. Try again shortly; if the query is large, with narrower filters.',
  },
  outcomeUnknown: {
    pt: 'O banco de dados não confirmou a gravação, que pode ter sido feita ou não. Com Idempotency-Key, envie a requisição de novo; sem ela, confira antes.',
    en: 'The database did not confirm the change. It may have been made or not. With an Idempotency-Key, send the request again; without one, check first.',
  },
  overloaded: {
    pt: 'Há requisições demais em curso. Tente de novo em instantes.',
    en: 'Too many requests are running. Try again shortly.',
  },
  tooManyWrites: {
    pt: 'Há gravações demais à espera umas das outras. Nada foi gravado. Tente de novo em instantes.',
    en: 'Too many writes are waiting. Nothing was written. Try again shortly.',
  },
  recordHeld: {
    pt: 'Outra gravação ocupa o mesmo registro há tempo demais. Nada foi gravado. Tente de novo em instantes.',
    en: 'Another write has locked the same record for too long. Nothing was written. Try again shortly.',
  },
  answerTooLarge: (rows: number, bytes: number) => ({
    pt: `A requisição leria mais de ${rows} registros, ou responderia mais de ${bytes} bytes. Peça menos registros, menos campos ou menos níveis de listas.`,
    en: `The request would read more than ${rows} records or return more than ${bytes} bytes. Request fewer records, fewer fields or fewer nested lists.`,
  }),
  referencedBy: (what: Text) => ({
    pt: `O registro é usado por ${what.pt}.`,
    en: `The record is used by ${what.en}.`,
  }),
  entryRejected: {
    pt: 'A entrada do lote foi rejeitada. O lote fica, para que a rejeição e seu motivo não se percam. Para o que chegou, registre outro lote.',
    en: 'The entry of the batch was rejected. The batch stays, so that the rejection and its reason are not lost. For what arrived, create another batch.',
  },
  overlaps: {
    pt: 'O período se sobrepõe a outro já registrado.',
    en: 'The period overlaps another registered period.',
  },
  numberTooLarge: {
    pt: 'O resultado passa do maior número que se pode guardar.',
    en: 'The result is too large to be stored.',
  },
  mapIsClosed: (ano: number, mes: number) => ({
    pt: `O mapa de ${mes}/${ano} está fechado. Registre a correção no mês corrente (o que espera aprovação pode ser rejeitado e registrado de novo), ou reabra o mapa.`,
    en: `The map of ${mes}/${ano} is closed. Register the correction in the current month (what waits for approval can be rejected and registered anew), or reopen the map.`,
  }),
  codePf: { pt: 'deve ser TPN e 8 dígitos', en: 'must be TPN and 8 digits' },
  ncm: { pt: 'deve ser um NCM como 3824.99.89', en: 'must be an NCM such as 3824.99.89' },
  density: { pt: 'deve estar entre 0,01 e 99,99', en: 'must be between 0.01 and 99.99' },
  percent: { pt: 'deve ser uma porcentagem', en: 'must be a percentage' },
  withinDays: (most: number) => ({
    pt: `deve ser um dia de hoje até daqui a ${most} dias`,
    en: `must be a day from today to ${most} days from now`,
  }),
  brokenRule: {
    pt: 'Uma regra do banco de dados não permite um dos valores.',
    en: 'A rule of the database does not allow one of the values.',
  },
  notAllowed: { pt: 'não é um valor permitido', en: 'is not an allowed value' },
} satisfies Texts;
