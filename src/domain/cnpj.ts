import type { EntityManager } from '@mikro-orm/postgresql';
import type { Empresa } from '../entities/almoxarifado/empresa.ts';
import { TipoEmpresa } from '../entities/almoxarifado/tipo-empresa.ts';
import { invalid } from '../errors.ts';
import { fieldMessages } from '../messages.ts';

/** Whether this has the form of a CNPJ as it is stored. */
export const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}[0-9]{2}$/.test(text);

/** A CNPJ as it is stored: letters and digits alone, letters in capitals. */
export const withoutPunctuation = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/**
 * Stores a company's CNPJ without punctuation (the alphanumeric one of 2026 has letters); an empty one is none.
 * @throws VALIDATION_FAILED when it is no CNPJ, or there is none and the kind of company demands one (contract 7)
 */
export async function settleCnpj(empresa: Empresa, _input: object, em: EntityManager): Promise<void> {
  empresa.cnpj = empresa.cnpj ? withoutPunctuation(empresa.cnpj) || null : null;
  const { obrigaCnpj } = await em.findOneOrFail(TipoEmpresa, empresa.tipoEmpresa.id);
  if (empresa.cnpj === null && obrigaCnpj === 'S')
    throw invalid('VALIDATION_FAILED', [{ field: 'cnpj', message: fieldMessages.required }]);
  if (empresa.cnpj !== null && !isCnpj(empresa.cnpj))
    throw invalid('VALIDATION_FAILED', [{ field: 'cnpj', message: fieldMessages.cnpj }]);
}
