/** Where a graphql-js message begins to quote the client's input: a value, a literal or a token. */
const SHOWN = / got invalid value |, found |(?<= value): /;
const PLACE = / at "[\w.[\]]+"(?=; )/;
const REASON =
  /Expected (?:non-nullable )?type "[\w![\]]+"|Field "\w+" (?:of required type "[\w![\]]+" was not provided|is not defined by type "\w+")|A Date(?:Time)? is written [^.]*|\w+ cannot represent (?:an? )?[\w -]*value/;

/**
 * The graphql-js message about an unusable document or variable, without the client's input. The input may contain a
 * password, and clients log such messages.
 */
export function withoutValues(message: string): string {
  const text = message
    .replace(/^Value "[^]*" does not exist in ("\w+" enum)[^]*$/, 'The value does not exist in $1.')
    .replace(/^(Syntax Error: Unexpected) (?!character)[^]*$/, '$1 token.');
  const shown = SHOWN.exec(text);
  if (!shown) return text;
  const head = text.slice(0, shown.index);
  const rest = text.slice(shown.index);
  const what = shown[0].includes('invalid') ? ' got an invalid value' : '';
  const [reason] = REASON.exec(rest) ?? [];
  return `${head}${what}${PLACE.exec(rest)?.[0] ?? ''}${reason ? `; ${reason}` : ''}.`;
}
