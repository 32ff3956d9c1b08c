import { fromDatabase } from '../database/errors.ts';
import { messages, type Text } from '../messages.ts';
import { jobTexts } from './messages.ts';

/** The reason in the record of an import that broke off. */
export function failureOf(error: unknown): Text {
  const known = fromDatabase(error);
  if (!known) return jobTexts.failed;
  const { detail: given = jobTexts.refusedValue, errors = [] } = known.details;
  const detail = given === messages.brokenFields ? jobTexts.refusedValue : given;
  const fields = errors.map(({ field, message }) => ({
    pt: ` ${field}: ${message.pt}`,
    en: ` ${field}: ${message.en}`,
  }));
  return {
    pt: detail.pt + fields.map(({ pt }) => pt).join(''),
    en: detail.en + fields.map(({ en }) => en).join(''),
  };
}
