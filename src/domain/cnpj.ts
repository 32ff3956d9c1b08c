import type { EntityManager } from '@mikro-orm/postgresql';
import type { Empresa } from '../entities/almoxarifado/empresa.ts';
import { TipoEmpresa } from '../entities/almoxarifado/tipo-empresa.ts';
import { invalidField } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import { stockTexts } from './messages.ts';

/** Whether the text has the form of a stored CNPJ. */
export const isCnpj = (text: string): boolean => /^[0-9A-Z]{12}[0-9]{2}$/.test(text);

/**
 * SQL condition: whether the check digits of a stored CNPJ are right. They are modulo 11 of its characters, each with
 * the value of its ASCII code minus 48, so that CNPJs with letters (IN RFB 2.229/2024) need no special case.
 */
export const cnpjFits = (cnpj: string): string => `(${cnpj} <> repeat('0', 14) and (
  select sum(v * ((12 - i) % 8 + 2)) filter (where i < 13) * 10 % 11 % 10 = max(v) filter (where i = 13)
    and sum(v * ((13 - i) % 8 + 2)) filter (where i < 14) * 10 % 11 % 10 = max(v) filter (where i = 14)
  from (select i, ascii(substr(${cnpj}, i, 1)) - 48 as v from generate_series(1, 14) i) d
))`;

/** The stored form of a CNPJ: letters and digits only, in capitals. */
export const withoutPunctuation = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/**
 * Stores a company's CNPJ without punctuation (CNPJs issued since 2026 may have letters). An empty text becomes null.
 * @throws VALIDATION_FAILED when it is not a CNPJ, or is missing although the kind of company requires it (contract 7)
 */
export async function settleCnpj(empresa: Empresa, _input: object, em: EntityManager): Promise<void> {
  empresa.cnpj = empresa.cnpj ? withoutPunctuation(empresa.cnpj) || null : null;
  const { obrigaCnpj } = await em.findOneOrFail(TipoEmpresa, empresa.tipoEmpresa.id);
  if (empresa.cnpj === null && obrigaCnpj === 'S')
    throw invalidField('VALIDATION_FAILED', 'cnpj', fieldMessages.required);
  if (empresa.cnpj !== null && !isCnpj(empresa.cnpj))
    throw invalidField('VALIDATION_FAILED', 'cnpj', stockTexts.cnpj);
}
