import { getNullableType, type GraphQLInputObjectType } from 'graphql';
import { invalidField } from '../errors.ts';
import type { Order } from '../listing/keyset.ts';
import { fieldMessages } from '../messages.ts';
import type { Start } from './distance.ts';
import { givenMembers, memberOf } from './member.ts';
import type { Rights } from './rights.ts';

/** Reads a client's `orderBy`. @throws BAD_REQUEST, FORBIDDEN with the path into it */
export async function readOrder(
  type: GraphQLInputObjectType,
  value: readonly object[],
  field: string,
  rights: Rights,
  { links, far }: Start,
): Promise<Order[]> {
  const orders: Order[] = [];
  for (const [i, one] of value.entries())
    orders.push(await readOne(type, one, `${field}[${i}]`, rights, [...links], far));
  return orders;
}

async function readOne(
  type: GraphQLInputObjectType,
  value: object,
  field: string,
  rights: Rights,
  links: string[],
  start: number,
): Promise<Order> {
  let [at, given, far, path] = [type, value, start, field];
  for (;;) {
    const members = [...givenMembers(at, given)];
    if (members.length !== 1) throw invalidField('BAD_REQUEST', path, fieldMessages.oneMember);
    const [[input, below]] = members as [[(typeof members)[0][0], unknown]];
    const member = memberOf(input)!;
    path = `${path}.${input.name}`;
    if (member.kind === 'column')
      return {
        path: [...links, member.path].join('.'),
        direction: (below as string).toLowerCase() as Order['direction'],
      };
    if (member.kind === 'link') {
      links.push(...member.links);
      far = await rights.follow(far, member.to, path);
    }
    at = getNullableType(input.type) as GraphQLInputObjectType;
    given = below as object;
  }
}
