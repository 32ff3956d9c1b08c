import type { Armazem } from '../entities/almoxarifado/armazem.ts';
import { invalidField } from '../errors.ts';
import { stockTexts } from './messages.ts';
import { withoutPunctuation } from './cnpj.ts';

/** Whether the text has the form of a stored CEP. */
export const isCep = (text: string): boolean => /^\d{8}$/.test(text);

/** Stores a CEP without punctuation. @throws VALIDATION_FAILED when it is not a CEP */
export function settleCep(armazem: Armazem): Promise<void> {
  armazem.cep = withoutPunctuation(armazem.cep);
  if (!isCep(armazem.cep)) throw invalidField('VALIDATION_FAILED', 'cep', stockTexts.cep);
  return Promise.resolve();
}
