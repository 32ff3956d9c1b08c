/** Where a message of graphql-js begins to show what the client sent: a value, a literal, a token. */
const SHOWN = / got invalid value |, found |(?<= value): /;
const PLACE = / at "[\w.[\]]+"(?=; )/;
const REASON =
  /Expected (?:non-nullable )?type "[\w![\]]+"|Field "\w+" (?:of required type "[\w![\]]+" was not provided|is not defined by type "\w+")|A Date(?:Time)? is written [^.]*|\w+ cannot represent (?:an? )?[\w -]*value/;

/**
 * The message of graphql-js about a document or variable that it cannot use, without what the client sent: that may be
 * a password, and clients write such messages into logs of their own.
 */
export function withoutValues(message: string): string {
  const told = message
    .replace(/^Value "[^]*" does not exist in ("\w+" enum)[^]*$/, 'The value does not exist in $1.')
    .replace(/^(Syntax Error: Unexpected) (?!character)[^]*$/, '$1 token.');
  const shown = SHOWN.exec(told);
  if (!shown) return told;
  const head = told.slice(0, shown.index);
  const rest = told.slice(shown.index);
  const what = shown[0].includes('invalid') ? ' got an invalid value' : '';
  const [reason] = REASON.exec(rest) ?? [];
  return `${head}${what}${PLACE.exec(rest)?.[0] ?? ''}${reason ? `; ${reason}` : ''}.`;
}
