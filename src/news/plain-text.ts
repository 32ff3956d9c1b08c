/** Named characters of HTML from U+00A0 on, in the order of their codes. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const named = new Map<string, string>([
  ...LATIN_1.split(' ').map((name, i) => [name, String.fromCharCode(0xa0 + i)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    hellip: '…',
    euro: '€',
    trade: '™',
  }),
]);

/** Elements whose content is never shown. */
const UNSEEN = /<(script|style|template|iframe|noscript)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi;
/** A tag, also an unclosed one. A `<` that no name follows is text. */
const TAG = /<[/!?]?[a-z][^>]*(?:>|$)/gi;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi;
/** Control characters. They are invisible, and some cannot be stored. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\ufeff]/g;

const withoutTags = (html: string): string => html.replace(UNSEEN, ' ').replace(TAG, ' ');

const decoded = (html: string): string =>
  html.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return named.get(name) ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex!, 16);
    return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
  });

/**
 * The visible text of a piece of HTML, in one line. Tags that appear after character references are resolved are also
 * removed, so that no markup is left.
 */
export const plainText = (html: string): string =>
  withoutTags(decoded(withoutTags(html)))
    .replace(CONTROL, '')
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim();

/** The text, cut at the end of a word if it is longer than `max` characters. */
export function shortened(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const start = characters.slice(0, max - 1).join('');
  return `${start.replace(/\s+\S{0,40}$/, '')}…`;
}
