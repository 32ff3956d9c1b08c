import type { Identifier } from './member.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DIGITS = /^[0-9]{1,19}$/;
const LARGEST = 2n ** 63n - 1n;

/** Whether a text has the form of such an identifier, so that the database can compare it. */
export const isIdentifier = (form: Identifier, text: string): boolean =>
  form === 'uuid' ? UUID.test(text) : DIGITS.test(text) && BigInt(text) <= LARGEST;
