import { invalidField } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import type { EntryOrder } from './directory.ts';
import type { TextAttribute } from './entry-condition.ts';

/** One element of a client's order. */
export type GivenOrder = Partial<Record<TextAttribute, string | null>>;

/** Reads an order. @throws BAD_REQUEST for an element that does not have exactly one member */
export const readEntryOrders = (given: readonly GivenOrder[]): EntryOrder[] =>
  given.map((one, i) => {
    const [first, ...others] = Object.entries(one).filter(([, direction]) => direction != null);
    if (!first || others.length > 0)
      throw invalidField('BAD_REQUEST', `orderBy[${i}]`, fieldMessages.oneMember);
    const [text, direction] = first as [TextAttribute, string];
    return { text, direction: direction.toLowerCase() as EntryOrder['direction'] };
  });
