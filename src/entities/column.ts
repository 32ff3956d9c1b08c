import { sql, type Opt } from '@mikro-orm/core';
import { Check, Index, ManyToOne, OneToMany, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int } from 'type-graphql';
import { DateScalar, DateTimeScalar } from './scalars.ts';

/** How every moment is stored: to the millisecond, as clients see it. */
export const timestamp = { type: 'datetime', columnType: 'timestamptz(3)' } as const;

/** What a kind of column is in GraphQL and in the database. */
export const kinds = {
  text: { graphql: () => String, column: { type: 'string' } },
  integer: { graphql: () => Int, column: { type: 'integer' } },
  decimal: { graphql: () => Float, column: { type: 'double' } },
  // A whole number that may pass the 32 bits of Int; exact up to 2^53.
  sum: { graphql: () => Float, column: { type: 'double' } },
  boolean: { graphql: () => Boolean, column: { type: 'boolean' } },
  date: { graphql: () => DateScalar, column: { type: 'date' } },
  timestamp: { graphql: () => DateTimeScalar, column: timestamp },
} as const;

export type ColumnKind = keyof typeof kinds;

export interface ColumnOptions {
  description: string;
  nullable?: boolean;
  /** Most characters of a text, also in inputs (`@FieldOf`). */
  max?: number;
  /** The only values of a text, by CHECK constraint. */
  oneOf?: readonly string[];
  /** Indexed for text filters (trigrams of the folded text). */
  search?: boolean;
  /** Indexed for ordering and, for text, by Portuguese collation. */
  sort?: boolean;
  unique?: boolean;
  default?: string | number | boolean;
  /** Set by the database on insert (`created`), and again on each update (`changed`). */
  stamp?: 'created' | 'changed';
  /** Whether the audit trail is silent about its changes. */
  unaudited?: boolean;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`);

/** A stored column that both faces show: one declaration for the table, for the GraphQL field and for inputs. */
export function Column(kind: ColumnKind, options: ColumnOptions) {
  return (target: object, property: string): void => {
    const { description, nullable = false, max, unique, oneOf } = options;
    const column = snake(property);
    Field(kinds[kind].graphql, { description, nullable })(target, property);
    Property({
      ...kinds[kind].column,
      nullable,
      ...(kind === 'text' && (max ? { length: max } : { columnType: 'text' })),
      ...(unique && { unique }),
      ...(options.default !== undefined && { default: options.default }),
      ...(options.stamp && { defaultRaw: 'now()' }),
      ...(options.stamp === 'changed' && { onUpdate: () => sql.now() }),
    })(target, property);
    if (options.unaudited) remember(unaudited, target, property, true);
    remember(declared, target, property, { kind, description, nullable, max, oneOf });
    if (oneOf) {
      const values = oneOf.map(v => `'${v}'`).join(', ');
      Check({
        name: `${snake(target.constructor.name).slice(1)}_${column}_check`,
        expression: `"${column}" in (${values})`,
      })(target.constructor);
    }
    if (options.search) index(target, `${column}_search`, `using gin (fold("${column}") gin_trgm_ops)`);
    if (options.sort)
      index(target, `${column}_sort`, `("${column}"${kind === 'text' ? ' collate "pt_br"' : ''}, "id")`);
  };
}

/** What a column says of the values that it takes; of a link, what its key says. */
export interface Declared extends Pick<ColumnOptions, 'description' | 'max' | 'oneOf'> {
  kind: ColumnKind;
  nullable: boolean;
  /** What the key leads to. */
  leadsTo?: () => new () => object;
}

/** Every column by class and property, links by the names of their keys. */
const declared = new Map<object, Map<string, Declared>>();

/** What the class itself or one that it extends declares under a name. */
export const declaredOf = (entity: object | null, name: string): Declared | undefined =>
  entity === null
    ? undefined
    : (declared.get(entity)?.get(name) ?? declaredOf(Object.getPrototypeOf(entity) as object | null, name));

/** The columns of whose changes the audit trail does not tell, by class and property. */
const unaudited = new Map<object, Map<string, true>>();

export const isUnaudited = (entity: object, property: string): boolean =>
  unaudited.get(entity)?.has(property) ?? false;

/** An index that MikroORM's own options cannot express. */
function index(target: object, suffix: string, body: string): void {
  const table = snake(target.constructor.name).slice(1);
  const name = `${table}_${suffix}`;
  Index({ name, expression: `create index "${name}" on "${table}" ${body}` })(target.constructor);
}

interface LinkOptions {
  description: string;
  nullable?: boolean;
  unique?: boolean;
  /** Whether this record belongs to the linked one, and goes with it. */
  owner?: boolean;
  /** Whether only the key is shown, and nothing of the record: of another person, say. */
  keyOnly?: boolean;
}

/** `idUnidadeMedida` of the link `unidadeMedida`: the name under which a link's key is read and written. */
export const linkKey = (link: string): string => `id${link[0]!.toUpperCase()}${link.slice(1)}`;

/**
 * A to-one link: the column `id_<link>`, the GraphQL field `id<Link>` with the key and the field `<link>` with the record.
 * A linked record cannot be deleted, unless it is the owner.
 */
export function Link(entity: () => new () => object, options: LinkOptions) {
  return (target: object, property: string): void => {
    const { description, nullable = false, unique = false, owner = false, keyOnly = false } = options;
    Field(() => Int, { description: `Key of: ${description}`, nullable })(target, linkKey(property));
    remember(declared, target, linkKey(property), {
      kind: 'integer',
      description,
      nullable,
      leadsTo: entity,
    });
    if (!keyOnly) Field(entity, { description, nullable })(target, property);
    ManyToOne(entity, {
      fieldName: snake(linkKey(property)),
      nullable,
      ...(unique ? { unique } : { index: true }),
      deleteRule: owner ? 'cascade' : 'restrict',
      updateRule: 'restrict',
    })(target, property);
  };
}

interface ManyOptions {
  /** SQL condition on the children, whose columns stand under `t`: only those are shown. */
  only?: string;
  /** The link of the children that is shown in their place, and what it leads to. */
  through?: readonly [link: string, entity: () => new () => object];
}

/** `only` of each to-many field that has one. */
const onlys = new Map<object, Map<string, string>>();
/** Link that a to-many field goes through, by class and property. */
const throughs = new Map<object, Map<string, string>>();

/** A to-many link, whose records belong to this one and go with it. Read in one batch for all rows of a list. */
export function Many<T extends object>(
  entity: () => new () => T,
  mappedBy: keyof T & string,
  description: string,
  { only, through }: ManyOptions = {},
) {
  return (target: object, property: string): void => {
    Field(() => [through ? through[1]() : entity()], { description })(target, property);
    OneToMany({ entity, mappedBy: mappedBy as never, orphanRemoval: true })(target, property);
    if (only) remember(onlys, target, property, only);
    if (through) remember(throughs, target, property, through[0]);
  };
}

/** Paths of the fields that show a record found along links, by class and property. */
const vias = new Map<object, Map<string, string>>();

/** Shows what stands at the end of a path of links (`lote.material`, `pessoa.nome`) as if it stood here. Nothing is stored. */
export function Via(entity: () => unknown, path: string, description: string) {
  return (target: object, property: string): void => {
    Field(entity as () => ObjectConstructor, { description })(target, property);
    remember(vias, target, property, path);
  };
}

/** Columns from which a resolver makes a field, by class and property. */
const sources = new Map<object, Map<string, readonly string[]>>();

/** A field that the query's own resolver makes from these columns, which are read for it. Nothing is stored. */
export function Derived(type: () => unknown, columns: readonly string[], description: string) {
  return (target: object, property: string): void => {
    Field(type as () => ObjectConstructor, { description, nullable: true })(target, property);
    remember(sources, target, property, columns);
  };
}

export const onlyOf = (entity: object, property: string): string | undefined =>
  onlys.get(entity)?.get(property);
export const throughOf = (entity: object, property: string): string | undefined =>
  throughs.get(entity)?.get(property);
/** By the class itself or one that it extends. */
export const viaOf = (entity: object | null, property: string): string | undefined =>
  entity === null
    ? undefined
    : (vias.get(entity)?.get(property) ?? viaOf(Object.getPrototypeOf(entity) as object | null, property));
export const sourcesOf = (entity: object, property: string): readonly string[] =>
  sources.get(entity)?.get(property) ?? [];

function remember<T>(store: Map<object, Map<string, T>>, target: object, property: string, value: T): void {
  const known = store.get(target.constructor) ?? new Map<string, T>();
  store.set(target.constructor, known.set(property, value));
}

/** Flags of the specification: yes or no (contract 4). */
export const flags = ['S', 'N'] as const;
export type Flag = Opt<(typeof flags)[number]>;

/** `situacao`: `A` active, `I` inactive (specification 3). */
export const situations = ['A', 'I'] as const;
export type Situacao = Opt<(typeof situations)[number]>;

/** The column `situacao` of whatever can be inactivated. */
export function SituacaoColumn() {
  return Column('text', { description: '`A` active, `I` inactive', max: 1, oneOf: situations, default: 'A' });
}
