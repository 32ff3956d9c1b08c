import type { EntityProperty } from '@mikro-orm/core';
import { collated, type Builder } from './builder.ts';
import { existsBehind, onColumn, type Edge } from './edges.ts';

/** Comparisons with one parameter. The parameter of `in` and `notIn` is an array. None of them matches null. */
export type Comparison =
  'eq' | 'ne' | 'in' | 'notIn' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'startsWith';

/** An edge with its name in the shape of a query. */
type NamedEdge = Edge & { toJSON(): string };

/** A condition on a record without its values. Paths follow links, such as `lote.material.titulo`. */
export type Condition =
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly path: string; readonly is: Comparison }
  | { readonly path: string; readonly isNull: boolean }
  | {
      readonly path: readonly string[];
      readonly edge: NamedEdge;
      readonly quantifier: 'some' | 'none' | 'every';
      /** The caller sees only the records that meet this condition. */
      readonly within: Condition | undefined;
      readonly where: Condition;
    };

/** The number of parameters of a condition. */
export function parametersOf(condition: Condition | undefined): number {
  if (!condition || 'isNull' in condition) return 0;
  if ('and' in condition) return condition.and.reduce((sum, part) => sum + parametersOf(part), 0);
  if ('or' in condition) return condition.or.reduce((sum, part) => sum + parametersOf(part), 0);
  if ('not' in condition) return parametersOf(condition.not);
  return 'edge' in condition ? parametersOf(condition.within) + parametersOf(condition.where) : 1;
}

/** Paths to the texts that must contain another text to meet the condition. */
export function searchedPaths(condition: Condition): string[] {
  if ('and' in condition) return condition.and.flatMap(searchedPaths);
  return 'is' in condition && (condition.is === 'contains' || condition.is === 'startsWith')
    ? [condition.path]
    : [];
}

/** Whether a condition depends only on columns of the record itself. */
export function isOfRecord(condition: Condition): boolean {
  if ('and' in condition) return condition.and.every(isOfRecord);
  if ('or' in condition) return condition.or.every(isOfRecord);
  if ('not' in condition) return isOfRecord(condition.not);
  return !('edge' in condition) && !condition.path.includes('.');
}

/** The columns of the record itself that a condition asks for, whatever it says of them. */
export function ownColumns(condition: Condition): string[] {
  if ('and' in condition) return condition.and.flatMap(ownColumns);
  if ('or' in condition) return condition.or.flatMap(ownColumns);
  if ('not' in condition) return ownColumns(condition.not);
  return 'edge' in condition ? [] : [condition.path];
}

/** Numbers the parameters of a statement in the order in which their values are given. */
export class Parameters {
  #last: number;

  constructor(before: number) {
    this.#last = before;
  }

  next(): string {
    return `$${++this.#last}`;
  }
}

/** The condition in SQL. Its result may be null, which does not match. */
export function conditionSql(builder: Builder, condition: Condition, parameters: Parameters): string {
  const inside = (part: Condition): string => conditionSql(builder, part, parameters);
  if ('and' in condition) return joined(condition.and.map(inside), ' and ', 'true');
  if ('or' in condition) return joined(condition.or.map(inside), ' or ', 'false');
  if ('not' in condition) return builder.missing(inside(condition.not));
  if ('edge' in condition) return quantified(builder, condition, parameters);
  return onColumn(builder, condition.path, column => {
    const { sql, property } = column;
    if ('isNull' in condition) return `${sql} is ${condition.isNull ? '' : 'not '}null`;
    const parameter = parameters.next();
    if (condition.is === 'contains') return builder.searches(column, parameter);
    if (condition.is === 'startsWith') return builder.searches(column, parameter, 'start');
    return compared(sql, property, condition.is, parameter);
  });
}

const joined = (parts: readonly string[], by: string, none: string): string =>
  parts.length > 1 ? `(${parts.join(by)})` : (parts[0] ?? none);

function compared(
  column: string,
  property: EntityProperty,
  is: Exclude<Comparison, 'contains' | 'startsWith'>,
  parameter: string,
): string {
  const sql = collated(column, property);
  if (is === 'in') return `${sql} = any(${typed(parameter, property, '[]')})`;
  if (is === 'notIn') return `(${sql} is not null and ${sql} <> all(${typed(parameter, property, '[]')}))`;
  return `${sql} ${operators[is]} ${typed(parameter, property)}`;
}

/** Sums of integers are integers in PostgreSQL, but clients may compare them with a fraction. */
const typed = (parameter: string, { type }: EntityProperty, array = ''): string =>
  type === 'double' ? `${parameter}::float8${array}` : parameter;

const operators = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function quantified(
  builder: Builder,
  { path, edge, quantifier, within, where }: Extract<Condition, { edge: Edge }>,
  parameters: Parameters,
): string {
  const parent = builder.along(builder.start, path);
  const exists = existsBehind(builder, edge, parent, inner => {
    const visible = within ? `${conditionSql(inner, within, parameters)} and ` : '';
    const condition = conditionSql(inner, where, parameters);
    return visible + (quantifier === 'every' ? inner.missing(condition) : condition);
  });
  return quantifier === 'some' ? exists : `not ${exists}`;
}

/** A condition with the values of its parameters, in their order. */
export interface Filtered {
  condition: Condition;
  values: readonly unknown[];
}

/** The conditions of a scope. Adds their values to `values`. */
export function scopeCondition(
  scope: Readonly<Record<string, unknown>>,
  values: unknown[],
): Condition | undefined {
  const parts = Object.entries(scope).map(([path, value]): Condition => {
    values.push(value);
    return { path, is: Array.isArray(value) ? 'in' : 'eq' };
  });
  return allOf(...parts);
}

/** Combines conditions; none if all are absent. */
export function allOf(...conditions: (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter(condition => condition !== undefined);
  return given.length > 1 ? { and: given } : given[0];
}
