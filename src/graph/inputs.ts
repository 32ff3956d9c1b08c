import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  isEnumType,
  type GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputType,
  type GraphQLLeafType,
} from 'graphql';
import type { EntityClass, Member } from './member.ts';
import type { Shape, ShapeColumn, ShapeMany, Shapes } from './shape.ts';

export const listOf = (type: GraphQLInputType): GraphQLInputType => new GraphQLList(new GraphQLNonNull(type));

/** Comparisons that all columns but Booleans have, then those of texts, then those of numbers, days and timestamps. */
const EQUALITY = {
  eq: 'Is this value',
  ne: 'Is another value; an empty one is none',
  in: 'Is one of these values',
  notIn: 'Is none of these values, and not empty',
};
const TEXT = {
  contains: 'Contains this text, ignoring case and accents',
  startsWith: 'Starts with this text, ignoring case and accents',
};
const RANGE = {
  lt: 'Is less than this value',
  lte: 'Is this value or less',
  gt: 'Is more than this value',
  gte: 'Is this value or more',
};
const IS_NULL = 'Whether the column is empty; no other comparison finds empty columns';

const NAMES: Readonly<Record<string, string>> = { String: 'Text', Float: 'Decimal', ID: 'Id' };

/** The inputs `filter` and `orderBy` of all shapes. Each type is created once. */
export class Inputs {
  readonly #filters = new Map<EntityClass, GraphQLInputObjectType>();
  readonly #manies = new Map<EntityClass, GraphQLInputObjectType>();
  readonly #orders = new Map<EntityClass, GraphQLInputObjectType>();
  readonly #comparisons = new Map<string, GraphQLInputObjectType>();

  constructor(
    private readonly shapes: Shapes,
    /** The enum `Ordem`. */
    private readonly direction: GraphQLEnumType,
  ) {}

  filter(record: EntityClass): GraphQLInputObjectType {
    return made(this.#filters, record, () => this.#filter(this.#shape(record)));
  }

  orderBy(record: EntityClass): GraphQLInputObjectType {
    return made(this.#orders, record, () => this.#orderBy(this.#shape(record)));
  }

  #shape(record: EntityClass): Shape {
    return this.shapes.all.get(record)!;
  }

  #filter({ name, columns, links, own, pages }: Shape): GraphQLInputObjectType {
    const type: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: `${name}Filter`,
      description: `Conditions on ${name} records. All members that are given must hold.`,
      fields: () => ({
        and: { type: listOf(type), description: 'All of these hold; every record does if there are none' },
        or: { type: listOf(type), description: 'One of these holds; no record does if there are none' },
        not: { type, description: 'This does not hold' },
        ...fields(columns, column => ({
          type: this.#comparison(column.type),
          ...standsFor(columnMember(column)),
        })),
        ...fields(this.shapes.known(links), ({ links: path, to }) => ({
          type: this.filter(to),
          ...standsFor({ kind: 'link', links: path, to }),
        })),
        ...fields(this.shapes.known([...own, ...pages]), many => ({
          type: this.#many(many),
          ...standsFor({ kind: 'reverse', reverse: many.reverse, to: many.to }),
        })),
      }),
    });
    return type;
  }

  #many({ to }: ShapeMany): GraphQLInputObjectType {
    return made(this.#manies, to, () => {
      const { name } = this.#shape(to);
      return new GraphQLInputObjectType({
        name: `${name}ManyFilter`,
        description: `Conditions on the ${name} records of a record.`,
        fields: () => ({
          some: { type: this.filter(to), description: 'At least one of them matches' },
          none: { type: this.filter(to), description: 'None of them matches' },
          every: { type: this.filter(to), description: 'All of them match, also if there are none' },
        }),
      });
    });
  }

  #comparison(type: GraphQLLeafType): GraphQLInputObjectType {
    return made(this.#comparisons, type.name, () => {
      const fields: GraphQLInputFieldConfigMap = {};
      const add = (comparisons: Readonly<Record<string, string>>): void => {
        for (const [name, description] of Object.entries(comparisons))
          fields[name] = { type: name === 'in' || name === 'notIn' ? listOf(type) : type, description };
      };
      if (type === GraphQLBoolean) add({ eq: EQUALITY.eq });
      else add(EQUALITY);
      if (type.name === 'String') add(TEXT);
      else if (type !== GraphQLBoolean && type !== GraphQLID && !isEnumType(type)) add(RANGE);
      fields['isNull'] = { type: GraphQLBoolean, description: IS_NULL };
      return new GraphQLInputObjectType({
        name: `${NAMES[type.name] ?? type.name}Filter`,
        description: `Comparisons with a column of type ${type.name}. All that are given must hold.`,
        fields,
      });
    });
  }

  #orderBy({ name, columns, links }: Shape): GraphQLInputObjectType {
    return new GraphQLInputObjectType({
      name: `${name}OrderBy`,
      description: `One column by which ${name} records are ordered.`,
      isOneOf: true,
      fields: () => ({
        ...fields(columns, column => ({ type: this.direction, ...standsFor(columnMember(column)) })),
        ...fields(this.shapes.known(links), ({ links: path, to }) => ({
          type: this.orderBy(to),
          ...standsFor({ kind: 'link', links: path, to }),
        })),
      }),
    });
  }
}

export const standsFor = (member: Member) => ({ extensions: { member } });

export const columnMember = ({ path, isFlag, identifier }: ShapeColumn): Member => ({
  kind: 'column',
  path,
  isFlag,
  identifier,
});

/** Fields by name. Each has the description of its source. */
export function fields<T extends { name: string; description: string }, Field extends object>(
  all: readonly T[],
  field: (one: T) => Field,
): Record<string, { description: string } & Field> {
  return Object.fromEntries(all.map(one => [one.name, { description: one.description, ...field(one) }]));
}

export function made<K, T>(all: Map<K, T>, key: K, make: () => T): T {
  let known = all.get(key);
  if (!known) all.set(key, (known = make()));
  return known;
}
