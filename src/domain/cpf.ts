/** The two check digits for the first nine digits of a CPF. */
export function checkDigits(nine: string): string {
  const first = checkDigit(nine);
  return first + checkDigit(nine + first);
}

function checkDigit(digits: string): string {
  const sum = digits.split('').reduce((sum, digit, i) => sum + Number(digit) * (digits.length + 1 - i), 0);
  return String(((sum * 10) % 11) % 10);
}

/**
 * Whether these are the eleven digits of a CPF. One digit repeated eleven times is refused, although its check digits
 * are right.
 */
export const isCpf = (digits: string): boolean =>
  /^(\d)(?!\1{10})\d{10}$/.test(digits) && checkDigits(digits.slice(0, 9)) === digits.slice(9);
