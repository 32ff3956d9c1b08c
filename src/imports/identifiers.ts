import { isValid as hasCheckDigits } from '@fnando/cnpj';
import { isCep } from '../domain/cep.ts';
import { isCnpj, withoutPunctuation } from '../domain/cnpj.ts';
import { isCpf } from '../domain/cpf.ts';
import { isEmail } from '../text/email.ts';
import { webAddress } from '../text/web-address.ts';
import { hasHidden } from '../text/visible.ts';
import { identifier, type Format } from './formats.ts';
import { said } from './messages.ts';
import { normalised } from '../text/normalised.ts';

/** Most digits of an identifier. A database cannot find values by an index that are much longer. */
const MOST_DIGITS = 60;

/** An identifier of another system that consists of digits. Leading zeros are kept. */
export const digits: Format = {
  expected: said.digits(MOST_DIGITS),
  read: given => (/^\d+$/.test(given) && given.length <= MOST_DIGITS ? given : undefined),
};

/** A CPF with or without punctuation. Leading zeros are restored, because spreadsheets remove them from numbers. */
export const cpf: Format = {
  expected: said.cpf,
  read: given => {
    const digits = withoutPunctuation(given).padStart(11, '0');
    return isCpf(digits) ? digits : undefined;
  },
};

/** A CNPJ with or without punctuation. Leading zeros are restored, as for a CPF, if the check digits are right then. */
export const cnpj: Format = {
  expected: said.cnpj,
  read: given => {
    const found = withoutPunctuation(given);
    if (isCnpj(found)) return found;
    const whole = found.padStart(14, '0');
    return hasCheckDigits(whole) ? whole : undefined;
  },
};

/** A CEP with or without punctuation. Leading zeros are restored, as for a CPF. */
export const cep: Format = {
  expected: said.cep,
  read: given => {
    const digits = withoutPunctuation(given).padStart(8, '0');
    return isCep(digits) ? digits : undefined;
  },
};

/** A code of the Federal Police for a chemical. */
export const code: Format = {
  expected: said.code,
  read: given => (/^TPN\d{8}$/.test(given.toUpperCase()) ? given.toUpperCase() : undefined),
};

/** An NCM with its points. Missing points are added. */
export const ncm: Format = {
  expected: said.ncm,
  read: given =>
    /^\d{4}\.?\d{2}\.?\d{2}$/.test(given)
      ? given.replaceAll('.', '').replace(/^(.{4})(..)/, '$1.$2.')
      : undefined,
};

/** A user name, normalised as in logins. */
export const login: Format = {
  expected: said.login,
  read: given => identifier(100).read(normalised(given)),
};

export const email: Format = {
  expected: said.email,
  read: given => (isEmail(given) && !hasHidden(given) ? given : undefined),
};

/** A person's e-mail address, normalised for comparison. */
export const ownEmail: Format = { ...email, read: given => email.read(normalised(given)) };

export const link: Format = {
  expected: said.link,
  read: given => {
    const address = webAddress(given);
    return address && address.length <= 2000 ? address : undefined;
  },
};
