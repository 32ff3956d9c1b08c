import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfigMap,
  type GraphQLLeafType,
} from 'graphql';
import { yesOf } from '../entities/choices.ts';
import { DateScalar } from '../entities/scalars.ts';
import { columnMember, fields, made, standsFor, type Inputs } from './inputs.ts';
import type { EntityClass } from './member.ts';
import type { Shape, ShapeColumn, Shapes } from './shape.ts';

const isTime = ({ type }: ShapeColumn): boolean => type.name === 'Date' || type.name === 'DateTime';
const isNumber = ({ type, isKey }: ShapeColumn): boolean =>
  !isKey && (type.name === 'Int' || type.name === 'Float');
const isOrdered = (column: ShapeColumn): boolean => isTime(column) || isNumber(column);

/** The aggregates, the columns that have each of them, and their descriptions. */
const sums = [
  { name: 'sum', kind: 'Numbers', description: 'Sum of each column; null if there are no values' },
  { name: 'avg', kind: 'Numbers', description: 'Average of each column; null if there are no values' },
  { name: 'min', kind: 'Extremes', description: 'Least value of each column; null if there are no values' },
  {
    name: 'max',
    kind: 'Extremes',
    description: 'Greatest value of each column; null if there are no values',
  },
] as const;

export type SumName = (typeof sums)[number]['name'];

export const isSumName = (name: string): name is SumName => sums.some(sum => sum.name === name);

/** Periods by which days and timestamps are grouped. */
const period = new GraphQLEnumType({
  name: 'Periodo',
  description: "A period in the institution's time zone.",
  values: {
    DAY: { description: 'A calendar day' },
    MONTH: { description: 'A month, by its first day' },
    YEAR: { description: 'A year, by its first day' },
  },
});

/** The types of `summary` and `groups` of one class of records. */
export interface SumTypesOf {
  summary: GraphQLObjectType;
  group: GraphQLObjectType;
  by: GraphQLInputObjectType;
  orderBy: GraphQLInputObjectType;
}

/** The types of `summary` and `groups` of all shapes. Each type is created once. */
export class SumTypes {
  readonly #all = new Map<EntityClass, SumTypesOf>();
  readonly #keys = new Map<EntityClass, GraphQLObjectType>();
  readonly #bys = new Map<EntityClass, GraphQLInputObjectType>();

  constructor(
    private readonly shapes: Shapes,
    private readonly inputs: Inputs,
    private readonly direction: GraphQLEnumType,
  ) {}

  of(record: EntityClass): SumTypesOf {
    return made(this.#all, record, () => {
      const shape = this.shapes.all.get(record)!;
      const figures = {
        count: { type: new GraphQLNonNull(GraphQLInt), description: 'Number of records' },
        ...figureFields(shape),
      };
      const key = {
        type: new GraphQLNonNull(this.#key(record)),
        description: 'The values that its records have in common',
      };
      return {
        summary: new GraphQLObjectType({
          name: `${shape.name}Summary`,
          description: `Figures of ${shape.name} records.`,
          fields: figures,
        }),
        group: new GraphQLObjectType({
          name: `${shape.name}Group`,
          description: `${shape.name} records with the same key.`,
          fields: { key, ...figures },
        }),
        by: this.#by(record),
        orderBy: this.#orderBy(record, shape),
      };
    });
  }

  #key(record: EntityClass): GraphQLObjectType {
    return made(this.#keys, record, () => {
      const { name, columns, links } = this.shapes.all.get(record)!;
      return new GraphQLObjectType({
        name: `${name}GroupKey`,
        description: `The values by which ${name} records are grouped.`,
        fields: () => ({
          ...fields(columns, column => ({
            ...(isTime(column)
              ? { type: DateScalar, description: `First day of the period. ${column.description}` }
              : { type: column.type }),
            ...keyAt(column.path.split('.'), column.isFlag ? yesOf : undefined),
          })),
          ...fields(this.shapes.known(links), ({ links: path, to }) => ({
            type: this.#key(to),
            ...keyAt(path),
          })),
        }),
      });
    });
  }

  #by(record: EntityClass): GraphQLInputObjectType {
    return made(this.#bys, record, () => {
      const { name, columns, links } = this.shapes.all.get(record)!;
      return new GraphQLInputObjectType({
        name: `${name}GroupBy`,
        description: `Columns by which ${name} records are grouped.`,
        fields: () => ({
          ...fields(columns, column => ({
            type: isTime(column) ? period : GraphQLBoolean,
            ...standsFor(columnMember(column)),
          })),
          ...fields(this.shapes.known(links), ({ links: path, to }) => ({
            type: this.#by(to),
            ...standsFor({ kind: 'link', links: path, to }),
          })),
        }),
      });
    });
  }

  #orderBy(record: EntityClass, shape: Shape): GraphQLInputObjectType {
    const { name } = shape;
    const kinds = new Map<string, GraphQLInputObjectType>();
    const inputOf = (kind: string): GraphQLInputObjectType =>
      made(
        kinds,
        kind,
        () =>
          new GraphQLInputObjectType({
            name: `${name}${kind}OrderBy`,
            description: `One figure by which groups of ${name} records are ordered.`,
            isOneOf: true,
            fields: fields(columnsOf(shape, kind), column => ({
              type: this.direction,
              ...standsFor(columnMember(column)),
            })),
          }),
      );
    return new GraphQLInputObjectType({
      name: `${name}GroupOrderBy`,
      description: `One figure or value by which groups of ${name} records are ordered.`,
      isOneOf: true,
      fields: {
        count: { type: this.direction, description: 'By the number of records' },
        key: { type: this.inputs.orderBy(record), description: 'By one of the values that make the groups' },
        ...fields(
          sums.filter(({ kind }) => columnsOf(shape, kind).length > 0),
          sum => ({ type: inputOf(sum.kind) }),
        ),
      },
    });
  }
}

/** How to find a value, or the values of a linked record, in the key of a group. */
const keyAt = (path: readonly string[], shown: (value: unknown) => unknown = value => value) => ({
  resolve: (key: unknown) =>
    shown(path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], key)),
  extensions: { property: path.join('.') },
});

const columnsOf = ({ columns }: Shape, kind: string): ShapeColumn[] =>
  columns.filter(kind === 'Numbers' ? isNumber : isOrdered);

/** `sum`, `avg`, `min` and `max`, except those without any column. */
function figureFields(shape: Shape): GraphQLFieldConfigMap<unknown, unknown> {
  const kinds = new Map<string, GraphQLObjectType>();
  const type = (kind: string, shown: (column: ShapeColumn) => GraphQLLeafType): GraphQLObjectType =>
    made(
      kinds,
      kind,
      () =>
        new GraphQLObjectType({
          name: `${shape.name}${kind}`,
          description: `A figure of each column of ${shape.name} records.`,
          fields: fields(columnsOf(shape, kind), column => ({
            type: shown(column),
            resolve: (figures: unknown) => (figures as Record<string, unknown>)[column.path],
            extensions: { property: column.path },
          })),
        }),
    );
  return fields(
    sums.filter(({ kind }) => columnsOf(shape, kind).length > 0),
    ({ kind }) => ({
      type: new GraphQLNonNull(type(kind, column => (kind === 'Numbers' ? GraphQLFloat : column.type))),
    }),
  );
}
