import { invalidField } from '../errors.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { directoryTexts } from './messages.ts';
import { isReadable } from '../text/readable.ts';
import { type DirectoryEntry } from './directory.ts';
import type { EntryCondition, FlagAttribute, TextAttribute } from './entry-condition.ts';
import { normalised } from '../text/normalised.ts';

/** Comparisons of a text in a client's filter. */
export interface GivenText {
  eq?: string | null;
  ne?: string | null;
  in?: string[] | null;
  notIn?: string[] | null;
  contains?: string | null;
  startsWith?: string | null;
  isNull?: boolean | null;
}

/** A client's filter. */
export interface GivenFilter
  extends
    Partial<Record<TextAttribute, GivenText | null>>,
    Partial<Record<FlagAttribute, { eq?: boolean | null } | null>> {
  and?: GivenFilter[] | null;
  or?: GivenFilter[] | null;
  not?: GivenFilter | null;
}

/** Limits of one filter: nested levels, and comparisons with their values. */
const LIMITS = { depth: 12, values: 200 } as const;

const FLAGS: ReadonlySet<string> = new Set<keyof DirectoryEntry>([
  'contaGerencial',
  'suspensa',
  'possuiSenha',
]);

/**
 * Reads a filter. @throws BAD_REQUEST with the path to an invalid condition, or to one that a directory cannot evaluate
 */
export function readEntryFilter(given: GivenFilter): EntryCondition {
  let values = 0;
  return all(given, 'filter', 1);

  function all(filter: GivenFilter, field: string, depth: number): EntryCondition {
    if (depth > LIMITS.depth) throw broken(field, fieldMessages.filterDepth(LIMITS.depth));
    const and = Object.entries(filter)
      .filter(([, value]) => value != null)
      .map(([name, value]) => member(name, value as object, `${field}.${name}`, depth));
    return { and };
  }

  function member(name: string, value: object, field: string, depth: number): EntryCondition {
    if (name === 'not') return { not: all(value, field, depth + 1) };
    if (name === 'and' || name === 'or') {
      const parts = (value as GivenFilter[]).map((one, i) => all(one, `${field}[${i}]`, depth + 1));
      return name === 'and' ? { and: parts } : { or: parts };
    }
    const given = Object.entries(value).filter(([, operand]) => operand !== undefined);
    const and = given.map(([is, operand]: [string, unknown]): EntryCondition => {
      const at = `${field}.${is}`;
      if (operand === null) throw broken(at, fieldMessages.useIsNull);
      const texts = [operand].flat().filter(one => typeof one === 'string');
      if ((values += Math.max(texts.length, 1)) > LIMITS.values)
        throw broken(at, fieldMessages.filterValues(LIMITS.values));
      if (!texts.every(isReadable)) throw broken(at, fieldMessages.unreadableText);
      return FLAGS.has(name)
        ? { flag: name as FlagAttribute, value: operand as boolean }
        : compared(name as TextAttribute, is as keyof GivenText, operand, at);
    });
    return { and };
  }
}

function compared(text: TextAttribute, is: keyof GivenText, operand: unknown, field: string): EntryCondition {
  if (is === 'isNull') return { text, isNull: operand as boolean };
  if (is === 'contains' || is === 'startsWith') {
    // Directories store a CPF with or without punctuation, so a part of it cannot be found.
    if (text === 'employeetype') throw broken(field, directoryTexts.wholeOnly);
    return { text, contains: operand as string, atStart: is === 'startsWith' };
  }
  const found: EntryCondition = { text, in: ([operand].flat() as string[]).map(one => spelled(text, one)) };
  return is === 'eq' || is === 'in' ? found : { and: [{ text, isNull: false }, { not: found }] };
}

/** A value in the format of entries. */
const spelled = (text: TextAttribute, value: string): string => {
  if (text === 'email') return normalised(value);
  return text === 'employeetype' ? value.replaceAll(/[.\-/\s]/g, '') : value;
};

const broken = (field: string, message: Text) => invalidField('BAD_REQUEST', field, message);
