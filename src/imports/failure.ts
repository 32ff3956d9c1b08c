import { fromDatabase } from '../database/errors.ts';
import { messages, type Text } from '../messages.ts';
import { jobTexts } from './messages.ts';
import { Unimportable } from './problems.ts';

/** The reason in the record of an import that an error ended. */
export function failureOf(error: unknown): { situacao: 'recusada' | 'interrompida'; text: Text } {
  if (error instanceof Unimportable) return { situacao: 'recusada', text: error.text };
  const known = fromDatabase(error);
  if (!known) return { situacao: 'interrompida', text: jobTexts.failed };
  const { detail: given = jobTexts.refusedValue, errors = [] } = known.details;
  const detail = given === messages.brokenFields ? jobTexts.refusedValue : given;
  const fields = errors.map(({ field, message }) => ({
    pt: ` ${field}: ${message.pt}`,
    en: ` ${field}: ${message.en}`,
  }));
  const whole = {
    pt: detail.pt + fields.map(({ pt }) => pt).join(''),
    en: detail.en + fields.map(({ en }) => en).join(''),
  };
  return { situacao: 'interrompida', text: whole };
}
