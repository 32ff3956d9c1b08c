import { getNamedType, type GraphQLArgument, type GraphQLInputObjectType } from 'graphql';
import type { MetadataStorage } from '@mikro-orm/core';
import { invalidField } from '../errors.ts';
import { placeOf } from '../listing/cursor.ts';
import { filtered, type RecordList } from '../listing/list.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { graphTexts } from './messages.ts';
import { LISTED, type Start } from './distance.ts';
import { readFilter } from './filter.ts';
import { readOrder } from './order.ts';
import type { Rights } from './rights.ts';

/** The derived arguments of a list. */
export interface RefiningArgs {
  filter?: object | null;
  orderBy?: readonly object[] | null;
  after?: string | null;
  page?: number | null;
}

/**
 * The list with the client's filter, ordering and cursor. The filter is added to the conditions of the list. The
 * client's ordering comes before the list's own.
 * @throws BAD_REQUEST, FORBIDDEN with the path into the argument
 */
export async function refined<T extends object>(
  list: RecordList<T>,
  declared: readonly GraphQLArgument[],
  { filter, orderBy, after, page }: RefiningArgs,
  rights: Rights,
  metadata: MetadataStorage,
  start: Start = LISTED,
): Promise<RecordList<T>> {
  let found = list;
  const typeOf = (name: string): GraphQLInputObjectType =>
    getNamedType(declared.find(arg => arg.name === name)!.type) as GraphQLInputObjectType;
  if (filter) {
    const where = await readFilter(typeOf('filter'), filter, 'filter', rights, metadata, start);
    found = filtered(found, where);
  }
  if (orderBy) {
    const orders = await readOrder(typeOf('orderBy'), orderBy, 'orderBy', rights, start);
    found = found.with({ orders: [...orders, ...found.orders] });
  }
  if (after == null) return found;
  if (page != null && page !== 1) throw brokenCursor(fieldMessages.notWith('page'));
  const place = placeOf(found, after);
  if (!place || !found.window) throw brokenCursor(graphTexts.otherCursor);
  return found.with({ after: place });
}

const brokenCursor = (message: Text) => invalidField('BAD_REQUEST', 'after', message);
