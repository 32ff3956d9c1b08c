import { getMetadataStorage } from 'type-graphql';

/**
 * How a filter compares a column with the value from the client:
 * - `text`: the column contains the value, ignoring case and accents
 * - `exact`: the column equals the value
 * - `member`: the column is an array and contains the value
 * - `day`, `fromDay`, `untilDay`: the timestamp is on, from or until this calendar day of the institution
 * - `from`, `until`: the column is at least, at most the value
 * - `above`: the column is more than the value
 */
export type Match = 'text' | 'exact' | 'member' | 'day' | 'fromDay' | 'untilDay' | 'from' | 'until' | 'above';

export interface FilterDeclaration {
  argument: string;
  /** The compared columns. A row passes if one of them matches. */
  paths: readonly string[];
  match: Match;
  /** Converts the client's value to the compared one; undefined means no condition. */
  value: (given: unknown) => unknown;
  /** Whether the filter applies to the rows inside the entity's expression, not to the rows of its result. */
  within: boolean;
  /** Value when the client gives none. */
  default?: boolean | undefined;
  /** Portuguese title in documents; the column's title when absent. */
  title: string | undefined;
  /** Portuguese description, if its title and its match do not say everything. */
  words?: string | undefined;
  /** For a key: the entity that it identifies, and the column with that entity's name. */
  names: Named | undefined;
}

export type Named = readonly [entity: () => new () => object, property: string];

interface OrderDeclaration {
  argument: string;
  path: string;
}

/**
 * How REST pages a list (contract 3): `always`: always; `optional`: only with `pagination: true`; `default`: unless
 * `pagination: false`. In GraphQL every list that can come whole is paged by default.
 */
export type Paging = 'always' | 'optional' | 'default';

/** Records on a page if the client does not say how many. */
export const USUAL_SIZE = 10;

/** A list as its args class declares it. */
export interface ListDeclaration {
  entity: () => new () => object;
  paging: Paging;
  filters: FilterDeclaration[];
  /** If a client gives several orderings, they apply in this order. */
  orders: OrderDeclaration[];
  /** Default ordering. */
  usually: readonly { path: string; direction: 'asc' | 'desc' }[];
  /** Values that every record of the list has. */
  always: Readonly<Record<string, unknown>>;
  /** Values that the records of the list have, unless the client's `filter` asks for these columns. */
  byDefault: Readonly<Record<string, string>>;
  /** Name of the field on other records that shows their part of the list; by default the name of the query. */
  plural: string | undefined;
}

const members = new Map<object, Pick<ListDeclaration, 'filters' | 'orders'>>();
const declarations = new Map<Function, ListDeclaration>();

export const declareList = (args: Function, declaration: ListDeclaration): void => {
  declarations.set(args, declaration);
};

/**
 * The columns by which a list leaves out records, unless the client says otherwise: by an argument, or by a `filter` that asks
 * for the column.
 */
export const defaultColumns = ({ filters, byDefault }: ListDeclaration): string[] => [
  ...Object.keys(byDefault),
  ...filters.flatMap(({ default: usual, value, paths }) =>
    usual !== undefined && value(usual) !== undefined ? paths : [],
  ),
];

/** All lists declared so far, with their args classes. */
export const declaredLists = (): Iterable<[Function, ListDeclaration]> => declarations;

/** The filters and orderings that a class declares itself. */
export function membersOf(prototype: object): Pick<ListDeclaration, 'filters' | 'orders'> {
  let found = members.get(prototype);
  if (!found) members.set(prototype, (found = { filters: [], orders: [] }));
  return found;
}

/** The declarations of a class, after those of the classes that it extends. */
export function inheritedBy(prototype: object): Pick<ListDeclaration, 'filters' | 'orders'> {
  if (prototype === Object.prototype) return { filters: [], orders: [] };
  const above = inheritedBy(Object.getPrototypeOf(prototype) as object);
  const { filters, orders } = membersOf(prototype);
  return { filters: [...above.filters, ...filters], orders: [...above.orders, ...orders] };
}

/** The list that the args class of a query declares; undefined for other queries. */
export function listOfQuery(name: string): ListDeclaration | undefined {
  const query = getMetadataStorage().queries.find(({ schemaName }) => schemaName === name);
  const args = query?.params?.find(({ kind }) => kind === 'args');
  return args && declarations.get((args as { getType: () => Function }).getType());
}

/** The list declaration of an args object. */
export function listOf(args: object): ListDeclaration {
  const declaration = declarations.get(args.constructor);
  if (!declaration) throw new Error(`${args.constructor.name} has no @List`);
  return declaration;
}
