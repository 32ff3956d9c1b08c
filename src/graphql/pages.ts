import {
  getNamedType,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
} from 'graphql';
import { invalid, type FieldError } from '../errors.ts';
import { pageErrors, sizeErrors } from '../request/validation.ts';
import { siblingsOf } from '../listing/siblings.ts';
import type { ListArgs } from '../listing/args.ts';
import { RecordList, recordWith, windowOf } from '../listing/list.ts';
import { wholeOf, type Page } from '../listing/page.ts';
import { readSums } from '../listing/read-sums.ts';
import { propertyOf, selectionOf } from '../listing/selection.ts';
import type { SumsShape } from '../listing/sums.ts';
import { Call } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { later } from './guard.ts';
import type { Asked } from './nested-arguments.ts';
import { figuresOf, groupOf, readGroups, sumsOf, type GroupArgs } from '../graph/groups.ts';
import type { Reverse } from '../graph/member.ts';
import { refined, type RefiningArgs } from '../graph/refine.ts';
import { forbidden } from '../graph/rights.ts';
import { shapesOf, type ShapeMany } from '../graph/shape.ts';
import { selectedBelow } from './plain-selection.ts';

type Path = GraphQLResolveInfo['path'];
type Resolve = GraphQLFieldResolver<unknown, Context>;

type PageArgs = RefiningArgs & ListArgs;

/** Reads the arguments of a page or of a to-many field, without its list. */
export async function readListArgs(
  given: RefiningArgs & Pick<ListArgs, 'page' | 'itemsPerPage'>,
  { context, declared, rights }: Asked,
): Promise<void> {
  throwIfAny(pageErrors(given, context));
  const { metadata } = context.services.listing;
  await refined(new RecordList(Object, []), declared, { ...given, after: null }, rights, metadata);
}

/** Pages of the records that point at each record of a list: one statement for all records that were read together. */
export const reversePage =
  ({ of, mappedBy }: Reverse): Resolve =>
  (source, given, context, info) => {
    const { id } = source as { id: number };
    const { times, memo } = siblingsOf(source as { id: number });
    const pages = together(memo, context, info, async () => {
      const args = given as PageArgs;
      throwIfAny(pageErrors(args, context));
      const call = new Call(context, info, {}, args);
      const scope = await call.rights!.on(of);
      if (!scope) throw forbidden(info.fieldName);
      const parents = { link: mappedBy, ids: [...times.keys()] };
      return call.pages(recordWith(of, scope).with({ window: windowOf(args, 'default'), parents }), times);
    });
    return pages.then(found => found.get(id));
  };

/** A to-many field of the record itself, with its arguments. `to` is the class of what it shows. */
export const refinedMany =
  ({ reverse, to }: ShapeMany): Resolve =>
  (source, given, context, info) => {
    const { of, mappedBy, only, through } = reverse;
    const { id } = source as { id: number };
    const { times, memo } = siblingsOf(source as { id: number });
    const records = together(memo, context, info, async () => {
      const call = new Call(context, info, {}, given as RefiningArgs);
      const { far, needs } = call.rights!.stepToMany(distanceOf(info), reverse);
      const scope = needs ? await call.rights!.on(needs) : {};
      if (!scope) throw forbidden(info.fieldName);
      const parents = { link: mappedBy, ids: [...times.keys()], only };
      return call.children(recordWith(of, scope).with({ parents }), times, { through, far, record: to });
    });
    return records.then(found => found.get(id) ?? []);
  };

/**
 * How far the record of a field is from a listed one. Its path has the names in the answer, so the fields are looked up
 * in the document.
 */
function distanceOf({ path, schema, operation, fragments }: GraphQLResolveInfo): number {
  const shapes = shapesOf(schema)!;
  let nodes: readonly Pick<FieldNode, 'selectionSet'>[] = [operation];
  let type = schema.getRootType(operation.operation)!;
  let far = 0;
  for (const name of namesOf(path.prev)) {
    const selected = selectedBelow(nodes, fragments).get(name)!;
    const field = type.getFields()[selected[0]!.name.value]!;
    const record = shapes.classOf(type.name);
    // What no link leads to is a record of a list, or leads to its records.
    far = (record && shapes.follow(record, propertyOf(field), far)?.far) ?? 0;
    type = getNamedType(field.type) as GraphQLObjectType;
    nodes = selected;
  }
  return far;
}

/** The names of a path, from the root on, without the places in lists. */
function namesOf(path: Path | undefined): string[] {
  if (!path) return [];
  return typeof path.key === 'string' ? [...namesOf(path.prev), path.key] : namesOf(path.prev);
}

/** `summary` of a page: sums over the whole list. */
export const summary: Resolve = async (source, _args, _context, info) => {
  const known = figuresIn(source, info);
  if (known) return known;
  const sums = sumsOf(selectionOf(info));
  const shape: SumsShape = { by: [], sums, orders: [], limited: false };
  const rows = await sumsOfPage(source as Page<object>, shape, [], info);
  return figuresOf(sums, rows[0] ?? [0]);
};

/** Default number of groups. */
export const USUAL_GROUPS = 100;

type GroupPageArgs = GroupArgs & { first: number | null };

/** Reads the arguments of `groups`. */
export async function readGroupArgs(
  { first, ...args }: GroupPageArgs,
  { context, declared, selection, rights }: Asked,
): Promise<SumsShape> {
  throwIfAny(sizeErrors('first', first, context.services.listing.limits.itemsPerPage));
  return readGroups(declared, args, selection, rights);
}

/** `groups` of a page: sums over the whole list, by the keys of the groups. */
export const groups: Resolve = async (source, given, context, info) => {
  const known = figuresIn(source, info);
  if (known) return known;
  const args = given as GroupPageArgs;
  const { args: declared } = info.parentType.getFields()[info.fieldName]!;
  const rights = new Call(context, info).rights!;
  const shape = await readGroupArgs(args, { context, declared, selection: selectionOf(info), rights });
  const rows = await sumsOfPage(source as Page<object>, shape, [args.first ?? USUAL_GROUPS], info);
  return rows.map(row => groupOf(shape, row));
};

/** What was computed together with the page. A stored answer has only that. */
const figuresIn = (page: unknown, { path }: GraphQLResolveInfo): unknown =>
  (page as Page<object>).figures?.[path.key];

async function sumsOfPage(
  page: Page<object>,
  shape: SumsShape,
  limit: readonly number[],
  info: GraphQLResolveInfo,
): Promise<unknown[][]> {
  const { list, listing, parent, memo } = wholeOf(page);
  const found = await once(memo, info, () =>
    readSums(listing, list, { shape, selection: selectionOf(info) }, limit),
  );
  return found.get(parent) ?? [];
}

/** @throws BAD_REQUEST */
function throwIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Reads once for all records with the same `memo` and field of the document, within the time limit of the request. */
const together = <T>(
  memo: Map<string, unknown>,
  context: Context,
  info: GraphQLResolveInfo,
  read: () => Promise<T>,
): Promise<T> => once(memo, info, () => later(context, info, read));

/** Runs the work once for all records with the same `memo` and field of the document. */
function once<T>(
  memo: Map<string, unknown>,
  { fieldNodes }: GraphQLResolveInfo,
  work: () => Promise<T>,
): Promise<T> {
  const key = fieldNodes
    .map(node => {
      let number = numbers.get(node);
      if (number === undefined) numbers.set(node, (number = ++lastNumber));
      return number;
    })
    .join();
  let found = memo.get(key) as Promise<T> | undefined;
  if (!found) memo.set(key, (found = work()));
  return found;
}
