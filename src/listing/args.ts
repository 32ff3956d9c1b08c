import { ArgsType, Field, Int, registerEnumType } from 'type-graphql';

/** A GraphQL type, as type-graphql's decorators take it. */
export type TypeFunction = NonNullable<Parameters<typeof Field>[0]> & (() => unknown);

/** Direction of an ordering; clients write it in either case (contract 3). */
export enum Ordem {
  asc = 'asc',
  desc = 'desc',
  ASC = 'ASC',
  DESC = 'DESC',
}
registerEnumType(Ordem, {
  name: 'Ordem',
  description: 'Direction of an ordering. Empty values come last when ascending.',
  valuesConfig: { ASC: { description: 'Same as `asc`' }, DESC: { description: 'Same as `desc`' } },
});

/**
 * How a filter compares: `text` anywhere in the column, ignoring case and accents; `exact` the same value; `member`
 * one of the column's values. `day` a moment that falls on that calendar day of the institution, `fromDay` and
 * `untilDay` on that day, or a later or an earlier one; `from` and `until` that value, or a later or an earlier one.
 */
export type Match = 'text' | 'exact' | 'member' | 'day' | 'fromDay' | 'untilDay' | 'from' | 'until';

export interface FilterDeclaration {
  argument: string;
  /** The columns compared; one that matches is enough. */
  paths: readonly string[];
  match: Match;
  /** What the columns are compared with, of what the client gave; undefined for no condition at all. */
  value: (given: unknown) => unknown;
  /** Whether it picks the rows that the entity's expression reckons with, not those that come of it. */
  within: boolean;
  /** What it is called where its words are read, in Portuguese; its column's title when absent. */
  title: string | undefined;
  /** The entity that its key identifies, and the column with the name by which people know that. */
  names: Named | undefined;
}

type Named = readonly [entity: () => new () => object, property: string];

interface OrderDeclaration {
  argument: string;
  path: string;
}

/**
 * How a list is cut into pages (contract 3): `never` comes whole; `always` in pages;
 * `optional` whole unless `pagination: true`; `default` in pages unless `pagination: false`.
 */
type Paging = 'never' | 'always' | 'optional' | 'default';

/** A list as its args class declares it. */
export interface ListDeclaration {
  entity: () => new () => object;
  paging: Paging;
  filters: FilterDeclaration[];
  /** In the order in which they apply when several are given. */
  orders: OrderDeclaration[];
  /** What it is ordered by where the client says nothing. */
  usually: readonly { path: string; direction: 'asc' | 'desc' }[];
}

const members = new Map<object, Pick<ListDeclaration, 'filters' | 'orders'>>();
const declarations = new Map<Function, ListDeclaration>();

/** Every list that was declared so far, with its args class. */
export const declaredLists = (): Iterable<[Function, ListDeclaration]> => declarations;

function membersOf(prototype: object): Pick<ListDeclaration, 'filters' | 'orders'> {
  let found = members.get(prototype);
  if (!found) members.set(prototype, (found = { filters: [], orders: [] }));
  return found;
}

/** What a class declares, after what the classes declare that it extends. */
function inheritedBy(prototype: object): Pick<ListDeclaration, 'filters' | 'orders'> {
  if (prototype === ListArgs.prototype) return { filters: [], orders: [] };
  const above = inheritedBy(Object.getPrototypeOf(prototype) as object);
  const { filters, orders } = membersOf(prototype);
  return { filters: [...above.filters, ...filters], orders: [...above.orders, ...orders] };
}

/** What every list may take; which of these a list offers follows from its paging. */
export abstract class ListArgs {
  pagination?: boolean | null;
  page?: number | null;
  itemsPerPage?: number | null;
}

interface ListOptions {
  paging: Paging;
  /** Columns by which it is ordered where the client says nothing: `-dtSaida` from the latest on. */
  usually?: readonly string[];
}

/** Makes an args class the declaration of a list: what it lists, and how it is paged. */
export function List(entity: () => new () => object, { paging, usually = [] }: ListOptions) {
  return (target: new () => ListArgs): void => {
    declarations.set(target, {
      entity,
      paging,
      ...inheritedBy(target.prototype),
      usually: usually.map(path =>
        path.startsWith('-') ? { path: path.slice(1), direction: 'desc' } : { path, direction: 'asc' },
      ),
    });
    ArgsType()(target);
    if (paging === 'optional' || paging === 'default') {
      Field(() => Boolean, {
        defaultValue: paging === 'default',
        nullable: true,
        description: 'Whether to cut the list into pages',
      })(target.prototype, 'pagination');
    }
    if (paging !== 'never') {
      Field(() => Int, { defaultValue: 1, nullable: true, description: 'Number of the page, from 1' })(
        target.prototype,
        'page',
      );
      Field(() => Int, { defaultValue: 10, nullable: true, description: 'Records on a page' })(
        target.prototype,
        'itemsPerPage',
      );
    }
  };
}

interface FilterOptions {
  match?: Match;
  /** What the columns are compared with, of what the client gave; undefined for no condition at all. */
  value?: (given: never) => unknown;
  description?: string;
  /** What a client gives that gives nothing. */
  default?: boolean;
  /** Whether it picks the rows that the entity's expression reckons with (`WITHIN`), not those that come of it. */
  within?: boolean;
  /** What it is called in documents, in Portuguese; the title of its column when absent. */
  title?: string;
  /** For a key: the entity that it identifies, and the column with the name to show in its place. */
  names?: Named;
}

const meanings: Readonly<Record<Match, string>> = {
  text: 'contains this text, ignoring case and accents',
  exact: 'is exactly this',
  member: 'has this among others',
  day: 'falls on this day',
  fromDay: 'falls on this day or later',
  untilDay: 'falls on this day or earlier',
  from: 'is this or later',
  until: 'is this or earlier',
};

/**
 * A filter: one argument compared with the column at `path` (`tipoControle.descricao` goes through a link), or with
 * several, of which one must match. A String filter matches as `text`, any other as `exact`, unless `match` says otherwise.
 */
export function Filter(type: TypeFunction, path: string | readonly string[], options: FilterOptions = {}) {
  return (prototype: ListArgs, argument: string): void => {
    const match = options.match ?? (type() === String ? 'text' : 'exact');
    const paths = typeof path === 'string' ? [path] : path;
    const value = (options.value ?? ((given: unknown) => given)) as (given: unknown) => unknown;
    const { within = false, title, names } = options;
    membersOf(prototype).filters.push({ argument, paths, match, value, within, title, names });
    const columns = paths.map(name => `\`${name}\``).join(' or ');
    const description = options.description ?? `Only where ${columns} ${meanings[match]}`;
    const defaultValue = options.default !== undefined && { defaultValue: options.default };
    Field(type, { nullable: true, description, ...defaultValue })(prototype, argument);
  };
}

/** An ordering by the column at `path`. Text is ordered by Portuguese collation. */
export function OrderBy(path: string) {
  return (prototype: ListArgs, argument: string): void => {
    membersOf(prototype).orders.push({ argument, path });
    Field(() => Ordem, { nullable: true, description: `Order by \`${path}\`` })(prototype, argument);
  };
}

/** The list that an args object belongs to. */
export function listOf(args: ListArgs): ListDeclaration {
  const declaration = declarations.get(args.constructor);
  if (!declaration) throw new Error(`${args.constructor.name} has no @List`);
  return declaration;
}
