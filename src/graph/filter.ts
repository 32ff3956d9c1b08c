import { getNullableType, type GraphQLInputField, type GraphQLInputObjectType } from 'graphql';
import type { MetadataStorage } from '@mikro-orm/core';
import { flagOf } from '../entities/choices.ts';
import { AppError, invalidField } from '../errors.ts';
import {
  allOf,
  scopeCondition,
  type Comparison,
  type Condition,
  type Filtered,
} from '../listing/condition.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';
import { graphTexts } from './messages.ts';
import { isReadable } from '../text/readable.ts';
import type { Start } from './distance.ts';
import { isIdentifier } from './identifier.ts';
import { givenMembers, memberOf, type Member, type Reverse } from './member.ts';
import { forbidden, type Rights } from './rights.ts';

/** Limits of one filter: nested levels, members, and values of `in` and `notIn` together. */
const FILTER_LIMITS = { depth: 12, members: 100, values: 1_000 } as const;

/**
 * A position in a filter: the path to its record, and how far that is from the last record that the caller may list.
 */
interface Place {
  type: GraphQLInputObjectType;
  /** Links to the record, from the root of the statement or of the subquery. */
  links: readonly string[];
  /** Links since the last record of a list that the caller may read. */
  far: number;
  /** Path into the filter, for errors. */
  field: string;
  depth: number;
}

/** Reads a client's filter. @throws BAD_REQUEST, FORBIDDEN with the path into the filter */
export async function readFilter(
  type: GraphQLInputObjectType,
  value: object,
  field: string,
  rights: Rights,
  metadata: MetadataStorage,
  { links, far }: Start,
): Promise<Filtered> {
  const reading = new FilterReading(rights, metadata);
  const condition = await reading.object({ type, links, far, field, depth: 1 }, value);
  return { condition, values: reading.values };
}

class FilterReading {
  readonly values: unknown[] = [];
  #members = 0;
  #listed = 0;

  constructor(
    private readonly rights: Rights,
    private readonly metadata: MetadataStorage,
  ) {}

  async object(place: Place, value: object): Promise<Condition> {
    if (place.depth > FILTER_LIMITS.depth)
      throw broken(place.field, fieldMessages.filterDepth(FILTER_LIMITS.depth));
    const parts: Condition[] = [];
    for (const [field, given] of givenMembers(place.type, value)) {
      if (++this.#members > FILTER_LIMITS.members)
        throw broken(place.field, graphTexts.filterMembers(FILTER_LIMITS.members));
      parts.push(await this.member(below(place, field.name), field, given));
    }
    return allOf(...parts) ?? ALL;
  }

  private async member(place: Place, field: GraphQLInputField, given: unknown): Promise<Condition> {
    const member = memberOf(field);
    if (!member) return this.combined(place, field.name as 'and' | 'or' | 'not', given);
    if (member.kind === 'column') return this.column(place, member, given as Record<string, unknown>);
    const inner = { ...place, type: getNullableType(field.type) as GraphQLInputObjectType };
    if (member.kind === 'reverse') return this.quantified(inner, member.reverse, given as object);
    const links = [...place.links, ...member.links];
    return this.object(
      { ...inner, links, far: await this.rights.follow(place.far, member.to, place.field) },
      given as object,
    );
  }

  private async combined(place: Place, by: 'and' | 'or' | 'not', given: unknown): Promise<Condition> {
    if (by === 'not') return { not: await this.object(place, given as object) };
    const parts: Condition[] = [];
    for (const [i, part] of (given as object[]).entries())
      parts.push(await this.object({ ...place, field: `${place.field}[${i}]` }, part));
    return by === 'and' ? { and: parts } : { or: parts };
  }

  private column(
    { links, field }: Place,
    { path: own, isFlag, identifier }: Extract<Member, { kind: 'column' }>,
    given: Record<string, unknown>,
  ): Condition {
    const path = [...links, own].join('.');
    const parts = Object.entries(given).map(([is, value]): Condition => {
      if (value == null) throw broken(`${field}.${is}`, fieldMessages.useIsNull);
      if (is === 'isNull') return { path, isNull: value as boolean };
      if (Array.isArray(value) && (this.#listed += value.length) > FILTER_LIMITS.values)
        throw broken(`${field}.${is}`, fieldMessages.filterValues(FILTER_LIMITS.values));
      if ([value].flat().some(one => typeof one === 'string' && !isReadable(one)))
        throw broken(`${field}.${is}`, fieldMessages.unreadableText);
      if (identifier && ![value].flat().every(one => isIdentifier(identifier, one as string)))
        throw broken(`${field}.${is}`, fieldMessages.type(expected[identifier]));
      this.values.push(isFlag ? flagOf(value === true) : value);
      return { path, is: is as Comparison };
    });
    return allOf(...parts) ?? ALL;
  }

  private async quantified(place: Place, reverse: Reverse, given: object): Promise<Condition> {
    const { of, mappedBy, only, through } = reverse;
    const { far, needs } = this.rights.stepToMany(place.far, reverse);
    // Records that the caller may not read must not influence the result.
    const scope = needs ? await this.rights.on(needs) : {};
    if (!scope) throw forbidden(place.field);
    const entity = this.metadata.get(of);
    const edge = { entity, mappedBy, only, toJSON: () => `${of.name}.${mappedBy} ${only ?? ''}` };
    const parts: Condition[] = [];
    for (const [field, conditions] of givenMembers(place.type, given)) {
      const type = getNullableType(field.type) as GraphQLInputObjectType;
      const inner = {
        ...below(place, field.name),
        type,
        links: through ? [through] : [],
        far,
      };
      const within = scopeCondition(scope, this.values);
      const where = await this.object(inner, conditions as object);
      const quantifier = field.name as 'some' | 'none' | 'every';
      parts.push({ path: place.links, edge, quantifier, within, where });
    }
    return allOf(...parts) ?? ALL;
  }
}

/** Matches every record. */
const ALL: Condition = { and: [] };

const below = (place: Place, name: string): Place => ({
  ...place,
  field: `${place.field}.${name}`,
  depth: place.depth + 1,
});

const broken = (field: string, message: Text): AppError => invalidField('BAD_REQUEST', field, message);
