import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
} from 'graphql';
import { withholdable } from '../graph/withheld.ts';
import { Inputs, listOf } from '../graph/inputs.ts';
import type { EntityClass } from '../graph/member.ts';
import { Shapes, type Shape } from '../graph/shape.ts';
import { SumTypes } from '../graph/sum-types.ts';
import { defaultColumns, listOfQuery, USUAL_SIZE, type ListDeclaration } from '../listing/declaration.ts';
import { CursorScalar } from '../entities/scalars.ts';
import type { Context } from '../request/context.ts';
import type { ReadArgs } from './nested-arguments.ts';
import {
  groups,
  readGroupArgs,
  readListArgs,
  refinedMany,
  reversePage,
  summary,
  USUAL_GROUPS,
} from './pages.ts';

/** Marks fields that the REST face does not have. */
const graphqlOnly = { graphqlOnly: true };

/**
 * Adds to the schema everything that follows from the entities, so that no resource repeats it: filters and orderings
 * of all columns and links, pages of the records that point at a record, cursors and sums.
 */
export function derive(schema: GraphQLSchema): GraphQLSchema {
  const direction = schema.getType('Ordem') as GraphQLEnumType;
  const shapes = new Shapes(schema);
  const inputs = new Inputs(shapes, direction);
  const sums = new SumTypes(shapes, inputs, direction);
  const refining = (
    record: EntityClass,
    filtering = 'Only records that match',
  ): GraphQLFieldConfigArgumentMap => ({
    filter: { type: inputs.filter(record), description: filtering, extensions: graphqlOnly },
    orderBy: {
      type: listOf(inputs.orderBy(record)),
      description: 'Order of the records, before any other order. Empty values come last when ascending.',
      extensions: graphqlOnly,
    },
    after: {
      type: CursorScalar,
      description: '`nextCursor` of the page before: reads on from there, which costs the same on every page',
      extensions: graphqlOnly,
    },
  });
  for (const { type, field } of withholdable(shapes)) {
    mayFail((schema.getType(type) as GraphQLObjectType).getFields()[field]!);
  }
  for (const { field, record } of shapes.queries)
    addArgs(field, refining(record, filteringOf(listOfQuery(field.name)!)));
  for (const [record, shape] of shapes.all) {
    const type = schema.getType(shape.name) as GraphQLObjectType;
    addFields(type, pagesOf(shape));
    for (const many of shapes.known(shape.own)) {
      const field = type.getFields()[many.name]!;
      const { filter, orderBy } = refining(many.to);
      addArgs(field, { filter: filter!, orderBy: orderBy! });
      field.resolve = refinedMany(many);
      field.extensions = { ...field.extensions, readsRefined: true, ...reading(readListArgs) };
      mayFail(field);
    }
    const page = schema.getType(`${shape.name}Page`);
    if (isObjectType(page)) addFields(page, pageFields(record));
  }
  return new GraphQLSchema({ ...schema.toConfig(), extensions: { ...schema.extensions, shapes } });

  function pagesOf({ pages }: Shape): GraphQLFieldConfigMap<unknown, Context> {
    return Object.fromEntries(
      pages.map(({ name, to, reverse, description }) => [
        name,
        {
          type: schema.getType(`${shapes.all.get(to)!.name}Page`) as GraphQLObjectType,
          description,
          args: { ...paging, ...refining(to) },
          resolve: reversePage(reverse),
          extensions: { ...graphqlOnly, readsLater: true, readsTogether: true, ...reading(readListArgs) },
        },
      ]),
    );
  }

  function pageFields(record: EntityClass): GraphQLFieldConfigMap<unknown, Context> {
    const types = sums.of(record);
    return {
      nextCursor: {
        type: CursorScalar,
        description: '`after` for the next page; null on the last one, and for a list without pages',
        extensions: graphqlOnly,
      },
      summary: {
        type: types.summary,
        description: 'Figures of all records of the list, whatever the page',
        resolve: summary,
        extensions: { ...graphqlOnly, readsLater: true },
      },
      groups: {
        type: new GraphQLList(new GraphQLNonNull(types.group)),
        description: 'Figures of all records of the list by groups, whatever the page; the largest first',
        args: {
          by: { type: new GraphQLNonNull(listOf(types.by)), description: 'What makes the groups' },
          orderBy: { type: listOf(types.orderBy), description: 'Order of the groups' },
          first: { type: GraphQLInt, defaultValue: USUAL_GROUPS, description: 'Most groups' },
        },
        resolve: groups,
        extensions: { ...graphqlOnly, readsLater: true, ...reading(readGroupArgs) },
      },
    };
  }
}

/** Says what a list leaves out by default. */
const filteringOf = (list: ListDeclaration): string =>
  ['Only records that match', ...defaultColumns(list).map(shownByDefault)].join('. ');

const shownByDefault = (column: string): string =>
  `A condition on \`${column}\` brings what the list leaves out by default, too`;

const paging: GraphQLFieldConfigArgumentMap = {
  pagination: { type: GraphQLBoolean, defaultValue: true, description: 'Whether to cut the list into pages' },
  page: { type: GraphQLInt, defaultValue: 1, description: 'Number of the page, from 1' },
  itemsPerPage: { type: GraphQLInt, defaultValue: USUAL_SIZE, description: 'Records on a page' },
};

/** How the arguments of a field are read, also before the mutation whose answer has it. */
const reading = (readArgs: ReadArgs) => ({ readArgs });

/**
 * Makes a field nullable that can fail while its record does not. Otherwise its null would hide the record, and also what a
 * mutation has done. In REST it cannot fail, so it keeps its type there.
 */
function mayFail(field: GraphQLField<unknown, unknown>): void {
  if (!isNonNullType(field.type)) return;
  field.extensions = { ...field.extensions, legacyType: field.type };
  field.type = field.type.ofType;
}

function addFields(type: GraphQLObjectType, fields: GraphQLFieldConfigMap<unknown, Context>): void {
  // A separate type normalises the fields like any type.
  Object.assign(type.getFields(), new GraphQLObjectType({ name: 'Added', fields }).getFields());
}

function addArgs(field: GraphQLField<unknown, unknown>, args: GraphQLFieldConfigArgumentMap): void {
  const type = new GraphQLObjectType({ name: 'Added', fields: { field: { type: GraphQLString, args } } });
  (field.args as GraphQLArgument[]).push(...type.getFields()['field']!.args);
}
