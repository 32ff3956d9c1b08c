/**
 * ASCII forms of letters and signs that do not decompose into ASCII; that of a capital letter is also that of the small
 * one. Micro is U, as in ISO 2955. Other Greek letters have their Portuguese names, so that none looks like a unit.
 */
const FORMS: Readonly<Record<string, string>> = {
  μ: 'U',
  Ω: 'OHM',
  ω: 'OMEGA',
  Μ: 'M',
  '∆': 'DELTA',
  Α: 'ALFA',
  Β: 'BETA',
  Γ: 'GAMA',
  Δ: 'DELTA',
  Ε: 'EPSILON',
  Ζ: 'ZETA',
  Η: 'ETA',
  Θ: 'TETA',
  Ι: 'IOTA',
  Κ: 'CAPA',
  Λ: 'LAMBDA',
  Ν: 'NI',
  Ξ: 'CSI',
  Ο: 'OMICRON',
  Π: 'PI',
  Ρ: 'RO',
  Σ: 'SIGMA',
  Τ: 'TAU',
  Υ: 'UPSILON',
  Φ: 'FI',
  Χ: 'QUI',
  Ψ: 'PSI',
  Ø: 'O',
  Æ: 'AE',
  Œ: 'OE',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'NG',
  '≥': '>=',
  '≤': '<=',
  '⩾': '>=',
  '⩽': '<=',
  '≈': '~',
  '±': '+-',
  '×': 'X',
  '÷': '/',
  '⁄': '/',
  '·': '.',
  '⋅': '.',
  '∙': '.',
  '→': '->',
  '←': '<-',
  '↔': '<->',
  '⇌': '<=>',
  '‰': ' POR MIL',
  '‘': "'",
  '’': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '−': '-',
  '€': 'EUR',
};

const MARKS = /\p{Mn}/gu;
const DASHES = /\p{Pd}/gu;
const NOT_ASCII = /[^ -~]/u;
const EACH_NOT_ASCII = /[^ -~]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** An exponent, which would become one number with the digits before it. */
const EXPONENT = /(?<=[\d₀-₉])[⁰¹²³⁴-⁹⁺⁻]+/gu;
/** The fraction of a mixed number, likewise. */
const FRACTION = /(?<=\d)[¼-¾⅐-⅞]/gu;

/**
 * Converts text to ASCII capitals on one line. What changes a quantity has a form of its own. A letter or digit without
 * an ASCII form becomes a question mark, so that its loss is seen, and any other sign a blank.
 */
export function ascii(text: string): string {
  return text
    .replace(EXPONENT, '^$&')
    .replace(FRACTION, ' $&')
    .normalize('NFC')
    .replaceAll('≠', '<>')
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(DASHES, '-')
    .replace(EACH_NOT_ASCII, formOf)
    .toUpperCase()
    .replace(/ +/g, ' ')
    .trim();
}

function formOf(sign: string): string {
  const capital = sign.toUpperCase();
  const form = FORMS[sign] ?? FORMS[capital] ?? capital;
  if (!NOT_ASCII.test(form)) return form;
  return LETTER_OR_DIGIT.test(sign) ? '?' : ' ';
}
