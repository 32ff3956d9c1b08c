/** What spreadsheet programs show in place of a value, in English and Portuguese. */
const ERRORS: ReadonlySet<string> = new Set(
  [
    ['N/A', 'N/D', 'N/DISP', 'DIV/0!', 'REF!', 'NAME?', 'NOME?', 'VALUE!', 'VALOR!', 'NUM!', 'NÚM!'],
    ['NULL!', 'NULO!', 'SPILL!', 'DESPEJAR!', 'CALC!', 'GETTING_DATA'],
  ].flatMap(names => names.map(name => `#${name}`)),
);

/** Whether a cell shows an error. It has no value then, not even a text. */
export const isCellError = (text: string): boolean => ERRORS.has(text);

/** Shown for a formula that no program has calculated yet, and for an error without a name. */
export const NO_VALUE = '#CALC!';
