import { ArgsType, Field, Int, registerEnumType } from 'type-graphql';
import {
  declareList,
  inheritedBy,
  membersOf,
  USUAL_SIZE,
  type Match,
  type Named,
  type Paging,
} from './declaration.ts';

/** A GraphQL type as type-graphql's decorators accept it. */
export type TypeFunction = NonNullable<Parameters<typeof Field>[0]> & (() => unknown);

/** Direction of an ordering. Clients may write it in upper or lower case (contract 3). */
export enum Ordem {
  asc = 'asc',
  desc = 'desc',
  ASC = 'ASC',
  DESC = 'DESC',
}
registerEnumType(Ordem, {
  name: 'Ordem',
  description: 'Direction of an ordering. Empty values come last when ascending.',
  valuesConfig: {
    asc: { description: 'Smallest first' },
    desc: { description: 'Largest first' },
    ASC: { description: 'Same as `asc`' },
    DESC: { description: 'Same as `desc`' },
  },
});

/** All arguments that a list can have. Its paging decides which of them it has. */
export abstract class ListArgs {
  pagination?: boolean | null;
  page?: number | null;
  itemsPerPage?: number | null;
}

interface ListOptions {
  paging: Paging;
  /** Columns of the default ordering; `-dtSaida` is descending. */
  usually?: readonly string[];
  /** Values that every record of the list has. The list never shows others. */
  always?: Readonly<Record<string, unknown>>;
  /** Values that the records of the list have, unless the client's `filter` asks for these columns. REST shows no others. */
  byDefault?: Readonly<Record<string, string>>;
  /**
   * Name of the field on other records that shows their part of the list, such as `movimentacoes` of a batch; by
   * default the name of the query.
   */
  plural?: string;
}

/**
 * Declares an args class as a list: its entity and its paging.
 *
 *     @List(() => Lote, { paging: 'optional' })
 *     export class LotesArgs extends ListArgs {
 *       @Filter(() => DateScalar, 'dataVenc') dataVenc?: string;
 *       @Filter(() => String, 'material.titulo') titulo?: string;
 *       @OrderBy('codLote') orderByCodLote?: Ordem;
 *     }
 */
export function List(
  entity: () => new () => object,
  { paging, usually = [], always = {}, byDefault = {}, plural }: ListOptions,
) {
  return (target: new () => ListArgs): void => {
    declareList(target, {
      entity,
      paging,
      always,
      byDefault,
      plural,
      ...inheritedBy(target.prototype),
      usually: usually.map(path =>
        path.startsWith('-') ? { path: path.slice(1), direction: 'desc' } : { path, direction: 'asc' },
      ),
    });
    declarePaging(target, paging);
  };
}

/** Declares an args class as that of a list whose records no entity has. Its resolver reads the part of `windowOf`. */
export const Paged = () => (target: new () => ListArgs) => declarePaging(target, 'optional');

function declarePaging(target: new () => ListArgs, paging: Paging): void {
  ArgsType()(target);
  if (paging !== 'always') {
    Field(() => Boolean, {
      defaultValue: true,
      nullable: true,
      description: 'Whether to cut the list into pages',
    })(target.prototype, 'pagination');
  }
  Field(() => Int, { defaultValue: 1, nullable: true, description: 'Number of the page, from 1' })(
    target.prototype,
    'page',
  );
  Field(() => Int, { defaultValue: USUAL_SIZE, nullable: true, description: 'Records on a page' })(
    target.prototype,
    'itemsPerPage',
  );
}

interface FilterOptions {
  match?: Match;
  /** Converts the client's value to the compared one; undefined means no condition. */
  value?: (given: never) => unknown;
  description?: string;
  /** Value when the client gives none. */
  default?: boolean;
  /**
   * Whether the filter applies to the rows inside the entity's expression (`WITHIN`), not to the rows of its result.
   */
  within?: boolean;
  /** Portuguese title in documents; the column's title when absent. */
  title?: string;
  /** Portuguese description, if its title and its match do not say everything. */
  words?: string;
  /** For a key: the entity that it identifies, and that entity's column with the name to show. */
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
  above: 'is more than this',
};

/**
 * Declares an argument as a filter on the column at `path` (`tipoControle.descricao` follows a link). With several
 * paths, one must match. A String filter matches as `text`, any other as `exact`, unless `match` is given.
 */
export function Filter(type: TypeFunction, path: string | readonly string[], options: FilterOptions = {}) {
  return (prototype: ListArgs, argument: string): void => {
    const match = options.match ?? (type() === String ? 'text' : 'exact');
    const paths = typeof path === 'string' ? [path] : path;
    const value = (options.value ?? ((given: unknown) => given)) as (given: unknown) => unknown;
    const { within = false, title, words, names } = options;
    const declared = { argument, paths, match, value, within, default: options.default, title, words, names };
    membersOf(prototype).filters.push(declared);
    const columns = paths.map(name => `\`${name}\``).join(' or ');
    const description = options.description ?? `Only where ${columns} ${meanings[match]}`;
    const defaultValue = options.default !== undefined && { defaultValue: options.default };
    Field(type, { nullable: true, description, ...defaultValue })(prototype, argument);
  };
}

/** Declares an argument as an ordering by the column at `path`. Text is ordered by Portuguese collation. */
export function OrderBy(path: string) {
  return (prototype: ListArgs, argument: string): void => {
    membersOf(prototype).orders.push({ argument, path });
    Field(() => Ordem, { nullable: true, description: `Order by \`${path}\`` })(prototype, argument);
  };
}
