import { OperatorError } from '../../src/errors.ts';

/** How one resource is called in each place. */
export interface Names {
  /** File: `nota-fiscal`. */
  file: string;
  /** Last part of the REST path: `notas-fiscais`. */
  files: string;
  /** Class: `NotaFiscal`. */
  type: string;
  types: string;
  /** GraphQL query of one: `notaFiscal`. */
  field: string;
  /** GraphQL query of the list: `notasFiscais`. */
  fields: string;
  /** For people: `nota fiscal`. */
  words: string;
}

/** @throws OperatorError for a name that cannot be one of a file and a class */
export function namesOf(file: string, files = pluralOf(file)): Names {
  for (const name of [file, files])
    if (!/^[a-z]+(-[a-z]+)*$/.test(name))
      throw new OperatorError(`${name}: write lower-case words without accents, joined by hyphens`);
  if (file === files) throw new OperatorError(`${file}: name the plural too, as the last argument`);
  const [type, types] = [pascal(file), pascal(files)];
  return {
    file,
    files,
    type,
    types,
    field: type[0]!.toLowerCase() + type.slice(1),
    fields: types[0]!.toLowerCase() + types.slice(1),
    words: file.replaceAll('-', ' '),
  };
}

/** Portuguese plural of the first word, which is the one that is counted: `unidades-medida`. */
function pluralOf(name: string): string {
  const [first, ...others] = name.split('-') as [string, ...string[]];
  const endings = [
    [/ao$/, 'oes'],
    [/m$/, 'ns'],
    [/([aeou])l$/, '$1is'],
    [/il$/, 'is'],
    [/([rz])$/, '$1es'],
    [/([aeiou])$/, '$1s'],
  ] as const;
  const [ending, plural] = endings.find(([pattern]) => pattern.test(first)) ?? [/$/, ''];
  return [first.replace(ending, plural), ...others].join('-');
}

const pascal = (name: string): string =>
  name
    .split('-')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('');
