import {
  execute,
  getNamedType,
  GraphQLNonNull,
  GraphQLScalarType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  responsePathAsArray,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../request/context.ts';
import { isFlag } from '../entities/choices.ts';
import { fragmentsOf } from './fragments.ts';
import { mapInSlices } from './long-lists.ts';
import { showing, type Read, type Show, type Shown } from './plain-records.ts';
import { isPlain } from './plain-selection.ts';

/** No document of a client can contain this name, because GraphQL's names have no spaces. */
const PLAIN = 'data, if plain';

/** A value that is part of the answer as it is. */
const Ready = new GraphQLScalarType({ name: 'Ready', serialize: value => value });

/**
 * Gives each type of page a hidden field beside `data`, whose records one function shows. For GraphQL it is a scalar, so
 * that it does not complete each field of each record by itself. It is not enumerable, so introspection and the printed
 * schema do not see it.
 */
export function addPlainData(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const data = dataOf(type);
    if (!data) continue;
    const value: GraphQLField<unknown, Context> = {
      ...data,
      name: PLAIN,
      type: isNonNullType(data.type) ? new GraphQLNonNull(Ready) : Ready,
      resolve: resolving(getNamedType(data.type) as GraphQLObjectType),
      extensions: { insteadOf: data },
    };
    Object.defineProperty((type as GraphQLObjectType).getFields(), PLAIN, { value });
  }
  return schema;
}

/** The records of a page's type. */
const dataOf = (type: unknown): GraphQLField<unknown, Context> | undefined =>
  isObjectType(type) && type.name.endsWith('Page') ? type.getFields()['data'] : undefined;

/** Errors of fields that graphql-js does not see. A request has one execution at a time. */
const fieldErrors = new WeakMap<Context, GraphQLError[]>();

/** The resolver of a flag uses only the record. */
const readOf = (field: GraphQLField<unknown, never>): Read =>
  isFlag(field) ? (field.resolve as Read) : record => record[field.name];

function resolving(record: GraphQLObjectType): GraphQLFieldResolver<unknown, Context> {
  const shows = new WeakMap<object, Show>();
  const showOf = ({ fieldNodes, fragments }: GraphQLResolveInfo): Show => {
    // The list of merged fields is the same for all pages of an execution.
    const key = fieldNodes.length === 1 ? fieldNodes[0]! : fieldNodes;
    let show = shows.get(key);
    if (!show) shows.set(key, (show = showing(fieldNodes, record, { readOf, fragments }, 1)));
    return show;
  };
  return (source, _args, context, info) => {
    const show = showOf(info);
    const at = () => responsePathAsArray(info.path);
    const list: Shown = { at, path: [], errors: fieldErrors.get(context)! };
    return mapInSlices((source as { data: unknown[] }).data, (record, i) => {
      list.path[0] = i;
      return show(record, list);
    });
  };
}

/** Documents are kept, so they come again. */
const known = new WeakMap<DocumentNode, DocumentNode>();

/** The same document for execution: reads the hidden field instead of `data` where the selection is plain. */
function withPlainData(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  let found = known.get(document);
  if (!found) known.set(document, (found = rewritten(schema, document)));
  return found;
}

/** Executes a document. Records of pages that are selected plainly are shown at once. */
export async function executePlainly(
  args: ExecutionArgs & { contextValue: Context },
): Promise<ExecutionResult> {
  const errors: GraphQLError[] = [];
  fieldErrors.set(args.contextValue, errors);
  const result = await execute({ ...args, document: withPlainData(args.schema, args.document) });
  return errors.length > 0 ? { ...result, errors: [...(result.errors ?? []), ...errors] } : result;
}

/** Documents of mutations stay as they are: a stored answer belongs to the text of its document. */
function rewritten(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const { definitions } = document;
  if (definitions.some(node => 'operation' in node && node.operation !== OperationTypeNode.QUERY))
    return document;
  const plain = plainPages(schema, document);
  if (plain.size === 0) return document;
  return eachData(schema, document, (node, page) =>
    plain.has(page)
      ? { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value: PLAIN } }
      : undefined,
  );
}

/**
 * The types of pages whose records are all selected plainly. If one selection is not plain, none of that type counts:
 * fields with the same name in the answer are merged, so they must be the same field.
 */
function plainPages(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<GraphQLObjectType> {
  const fragments = Object.fromEntries(fragmentsOf(document));
  const pages = new Map<GraphQLObjectType, boolean>();
  eachData(schema, document, (node, page, record) => {
    pages.set(page, pages.get(page) !== false && isPlain(node.selectionSet!, record, fragments));
  });
  return new Set([...pages].filter(([, plain]) => plain).map(([page]) => page));
}

/** Visits the records of each page. What `change` returns replaces the field. */
function eachData(
  schema: GraphQLSchema,
  document: DocumentNode,
  change: (
    node: FieldNode,
    page: GraphQLObjectType,
    record: GraphQLObjectType,
  ) => FieldNode | undefined | void,
): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field: node => {
        const page = types.getParentType();
        const data = node.name.value === 'data' ? dataOf(page) : undefined;
        return data
          ? change(node, page as GraphQLObjectType, getNamedType(data.type) as GraphQLObjectType)
          : undefined;
      },
    }),
  );
}
