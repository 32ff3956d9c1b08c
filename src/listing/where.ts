import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { escapeLiteral } from 'pg';
import { collated, requiredProperty, textOf, type Builder, type Column } from './builder.ts';
import { conditionSql, Parameters } from './condition.ts';
import { onColumn } from './edges.ts';
import { rowsAfter } from './keyset.ts';
import { countedParameters, filterParameters, type Query } from './query.ts';

/**
 * Placeholder in an entity's expression, replaced by the filters on its inner rows (`within`). The expression must give
 * the alias `t` to its inner rows, with the entity's column names.
 */
export const WITHIN = withinOr('true');

/** The placeholder `WITHIN` with a condition that applies when the client gives no such filter. */
export function withinOr(usual: string): string {
  return `/* filters, or */ (${usual}) /* . */`;
}

/**
 * Marker in an entity's expression. Before it are the common table expressions that all rows share; after it is the
 * SELECT that makes each row from them, independently of the others. A statement then computes the shared part once,
 * and can read some rows without the others.
 */
export const EACH_ROW = '/* each row */';

/** Whether the rows of an expression have a shared part. */
export const hasShared = (expression: string): boolean => expression.includes(EACH_ROW);

const PLACEHOLDER = /\/\* filters, or \*\/ (.*?) \/\* \. \*\//s;

/** Whether the expression of an entity depends on filters. */
export const hasWithin = (expression: string): boolean => PLACEHOLDER.test(expression);

function condition(
  builder: Builder,
  { paths, match, array, constant }: Query['filters'][number],
  parameter: number,
): string {
  const compare = (column: Column): string => {
    const { sql, property } = column;
    if (constant !== undefined) return `${collated(sql, property)} = ${escapeLiteral(constant)}`;
    if (array) return `${sql} = any($${parameter})`;
    if (match === 'text') return builder.searches(column, `$${parameter}`);
    // Half-open range in the session's time zone, which can use an index.
    if (match === 'day') return `(${sql} >= $${parameter}::date and ${sql} < $${parameter}::date + 1)`;
    if (match === 'fromDay') return `${sql} >= $${parameter}::date`;
    if (match === 'untilDay') return `${sql} < $${parameter}::date + 1`;
    if (match === 'member') return `$${parameter} = any(${sql})`;
    return `${collated(sql, property)} ${comparison[match]} $${parameter}`;
  };
  const compared = paths.map(path => onColumn(builder, path, compare));
  return compared.length > 1 ? `(${compared.join(' or ')})` : compared[0]!;
}

const comparison = { exact: '=', from: '>=', until: '<=', above: '>' } as const;

/**
 * The FROM clause of the entity's rows (its table, or its expression as a subquery), and the shared part with which the
 * statement begins.
 */
export function sourceOf(builder: Builder, query: Query): { source: string; shared: string } {
  const { expression } = builder.root;
  if (!expression) return { source: builder.source, shared: '' };
  const within = conditionsOf(builder, query, true).join(' and ');
  // A function, because `replace` gives `$1` in a string a special meaning.
  const text = textOf(expression).replace(PLACEHOLDER, (_, usual: string) => within || usual);
  const [rows, shared = ''] = text.split(EACH_ROW).toReversed();
  return { source: `(${rows})`, shared };
}

function conditionsOf(builder: Builder, { filters }: Query, within: boolean): string[] {
  let parameter = 0;
  return filters.flatMap(filter => {
    if (filter.constant === undefined) parameter++;
    return (filter.within ?? false) === within ? [condition(builder, filter, parameter)] : [];
  });
}

export function whereOf(builder: Builder, query: Query): string {
  const conditions = conditionsOf(builder, query, false);
  if (query.where)
    conditions.push(conditionSql(builder, query.where, new Parameters(filterParameters(query))));
  if (query.only) conditions.push(`(${query.only})`);
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}

/** Adds to `where` the condition that rows belong to the parent `p`, if there are parents. Its path may need joins. */
export function belongs(builder: Builder, { per }: Query, where: string): string {
  if (per === undefined) return '';
  // So few people are authors that PostgreSQL expects each of them to have a large part of the rows, and would read all
  // rows for one who has none. Of a range it expects few rows, and looks them up.
  const ofParent = ({ sql, property }: Column): string =>
    isLinkBy(property) ? `${sql} between p.id and p.id` : `${sql} = p.id`;
  return `${where ? ' and' : ' where'} ${onColumn(builder, per, ofParent)}`;
}

/** Whether a link is declared with `@LinkBy`: its column is stored as another property. */
const isLinkBy = ({ persist }: EntityProperty): boolean => persist === false;

/**
 * Whether no index has the rows of a parent in the order of their keys: those that are several links away, or have the parent
 * by `@LinkBy`.
 */
export const isSearchedByParent = (entity: EntityMetadata, per: string): boolean =>
  per.includes('.') || isLinkBy(requiredProperty(entity, per));

/** Adds to `where` the condition that rows come after a record. */
export function afterOf(builder: Builder, query: Query, where: string): string {
  if (!query.after) return '';
  const parameters = new Parameters(countedParameters(query));
  return `${where ? ' and' : ' where'} ${rowsAfter(builder, query.orders, query.after, parameters, query.from ? '>=' : '>')}`;
}
