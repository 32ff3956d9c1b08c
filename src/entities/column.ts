import { sql, type Opt } from '@mikro-orm/core';
import { Check, Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, Float, ID, Int } from 'type-graphql';
import { ChoiceField, choices, flags, type Choices, type ValueOf } from './choices.ts';
import { Declarations } from './declarations.ts';
import { snakeCase } from '../text/names.ts';
import { DateScalar, DateTimeScalar } from './scalars.ts';

/** Timestamps are stored to the millisecond, as clients see them. */
export const timestamp = { type: 'datetime', columnType: 'timestamptz(3)' } as const;

/** The kinds of columns, with their types in GraphQL and in the database. */
export const kinds = {
  text: { graphql: () => String, column: { type: 'string' } },
  integer: { graphql: () => Int, column: { type: 'integer' } },
  decimal: { graphql: () => Float, column: { type: 'double' } },
  // An integer that may exceed the 32 bits of Int; exact up to 2^53.
  sum: { graphql: () => Float, column: { type: 'double' } },
  boolean: { graphql: () => Boolean, column: { type: 'boolean' } },
  date: { graphql: () => DateScalar, column: { type: 'date' } },
  timestamp: { graphql: () => DateTimeScalar, column: timestamp },
  // The database makes it.
  uuid: { graphql: () => ID, column: { type: 'uuid', defaultRaw: 'gen_random_uuid()' } },
} as const;

export type ColumnKind = keyof typeof kinds;

export interface ColumnOptions {
  description: string;
  nullable?: boolean;
  /** Name in the database, if it differs from the property's. */
  column?: string;
  /** Maximum number of characters of a text, also in inputs (`@FieldOf`). */
  max?: number;
  /** The allowed values of a text, enforced by a CHECK constraint. */
  oneOf?: Choices;
  /** Also stored folded, with an index for text filters (trigrams). */
  search?: boolean;
  /** Indexed for ordering and, for text, by Portuguese collation. */
  sort?: boolean;
  unique?: boolean;
  /** Whether the record is named by this text. Inputs then refuse what nobody sees in it. */
  identifies?: boolean;
  default?: string | number | boolean;
  /** Set by the database on insert (`created`), and again on each update (`changed`). */
  stamp?: 'created' | 'changed';
  /** Whether the audit trail leaves out its changes. */
  unaudited?: boolean;
}

/** The property with the folded text of a searched column (`search`). */
export const foldedOf = (property: string): string => `${property}Busca`;

/**
 * A stored column that both faces show. It declares the column of the table, the GraphQL field and the fields of
 * inputs.
 *
 *     @Column('text', { max: 100, search: true, sort: true, description: 'Name of the unit' }) descricao!: string;
 */
export function Column(kind: ColumnKind, options: ColumnOptions) {
  return (target: object, property: string): void => {
    const { description, nullable = false, max, unique, oneOf } = options;
    const column = options.column ?? snakeCase(property);
    if (oneOf) ChoiceField(oneOf, { description, nullable })(target, property);
    else Field(kinds[kind].graphql, { description, nullable })(target, property);
    Property({
      ...kinds[kind].column,
      ...(options.column && { fieldName: options.column }),
      nullable,
      ...(kind === 'text' && (max ? { length: max } : { columnType: 'text' })),
      ...(unique && { unique }),
      ...(options.default !== undefined && { default: options.default }),
      ...(options.stamp && { defaultRaw: 'now()' }),
      ...(options.stamp === 'changed' && { onUpdate: () => sql.now() }),
    })(target, property);
    declared.add(target, property, {
      kind,
      description,
      nullable,
      max,
      oneOf,
      default: options.default,
      search: options.search,
      sort: options.sort,
      identifies: options.identifies,
      unaudited: options.unaudited,
    });
    if (options.default !== undefined) Extensions({ absent: options.default })(target, property);
    if (oneOf) {
      const values = oneOf.values.map(v => `'${v}'`).join(', ');
      Check({
        name: `${snakeCase(target.constructor.name).slice(1)}_${column}_check`,
        expression: `"${column}" in (${values})`,
      })(target.constructor);
    }
    if (options.search) Searched()(target, property);
    if (options.sort) {
      const collated = `"${column}"${kind === 'text' ? ' collate "pt_br"' : ''}`;
      // The pages of a list that is searched and ordered by this column are found in the index alone.
      const searched = options.search ? ` include ("${snakeCase(foldedOf(property))}")` : '';
      index(target, `${column}_sort`, `(${collated}, "id")${searched}`);
    }
  };
}

/** Stores a text also in folded form, with an index for text filters. A trigger writes it, and only filters read it. */
export function Searched() {
  return (target: object, property: string): void => {
    const column = snakeCase(foldedOf(property));
    Property({ type: 'string', columnType: 'text', nullable: true, lazy: true, hidden: true })(
      target,
      foldedOf(property),
    );
    index(target, column, `using gin ("${column}" gin_trgm_ops)`);
  };
}

/** The declaration of a column, or of the key of a link. */
export interface ColumnDeclaration extends Pick<
  ColumnOptions,
  'description' | 'max' | 'oneOf' | 'default' | 'search' | 'sort' | 'identifies' | 'unaudited'
> {
  kind: ColumnKind;
  nullable: boolean;
  /** The entity to which a key leads. */
  leadsTo?: () => new () => object;
}

/** Every column, and every link by the name of its key. */
const declared = new Declarations<ColumnDeclaration>();

/** The declaration of a column, by the class or by one that it extends. */
export const declaredOf = (entity: object, name: string): ColumnDeclaration | undefined =>
  declared.inherited(entity, name);

/** Whether an index has the entity's rows in the order of this column. */
export const isIndexedInOrder = (entity: object, property: string): boolean =>
  declared.own(entity, property)?.sort ?? false;

/** Whether that index also stores the column folded. */
export const isSearchedInOrder = (entity: object, property: string): boolean =>
  isIndexedInOrder(entity, property) && declared.own(entity, property)?.search === true;

/** Whether the audit trail leaves out the changes of this column. */
export const isUnaudited = (entity: object, property: string): boolean =>
  declared.own(entity, property)?.unaudited ?? false;

/** An index that MikroORM's options cannot express. */
function index(target: object, suffix: string, body: string): void {
  const table = snakeCase(target.constructor.name).slice(1);
  const name = `${table}_${suffix}`;
  Index({ name, expression: `create index "${name}" on "${table}" ${body}` })(target.constructor);
}

interface LinkOptions {
  description: string;
  nullable?: boolean;
  unique?: boolean;
  /** Whether this record is a part of the linked one, and is deleted with it. */
  owner?: boolean;
  /** Whether only the key is shown, for example of another person. */
  keyOnly?: boolean;
  /** False if an index of the entity begins with the link. */
  index?: false;
}

/** `idUnidadeMedida` for the link `unidadeMedida`: the name of a link's key in inputs and outputs. */
export const linkKey = (link: string): string => `id${link[0]!.toUpperCase()}${link.slice(1)}`;

/**
 * A to-one link: the column `id_<link>`, the GraphQL field `id<Link>` with the key and the field `<link>` with the
 * record. A linked record cannot be deleted, unless it is the owner.
 *
 *     @Link(() => UnidadeMedida, { description: 'Unit in which it is counted' }) unidadeMedida!: UnidadeMedida;
 */
export function Link(entity: () => new () => object, options: LinkOptions) {
  return (target: object, property: string): void => {
    const { description, nullable = false, unique = false, owner = false, keyOnly = false, index } = options;
    Field(() => Int, { description: `Key of: ${description}`, nullable })(target, linkKey(property));
    declared.add(target, linkKey(property), {
      kind: 'integer',
      description,
      nullable,
      leadsTo: entity,
    });
    if (!keyOnly) Field(entity, { description, nullable })(target, property);
    ManyToOne(entity, {
      fieldName: snakeCase(linkKey(property)),
      nullable,
      ...(unique ? { unique } : { index: index ?? true }),
      deleteRule: owner ? 'cascade' : 'restrict',
      updateRule: 'restrict',
    })(target, property);
  };
}

/**
 * A to-one link by the key in another column, which stays as it is. No constraint keeps such a key (contract 4), so the link is
 * empty where it is of no record. REST shows the column alone.
 *
 *     @LinkBy('solicitadoPor', () => Pessoa, 'Who asked') solicitante?: Pessoa | null;
 */
export function LinkBy(column: string, entity: () => new () => object, description: string) {
  return (target: object, property: string): void => {
    Extensions({ graphqlOnly: true })(target, property);
    Field(entity, { description, nullable: true })(target, property);
    const key = { kind: 'integer', description, nullable: true, leadsTo: entity } as const;
    declared.add(target, linkKey(property), key);
    ManyToOne(entity, { fieldName: snakeCase(column), nullable: true, persist: false })(target, property);
  };
}

export { flags };
export type Flag = Opt<ValueOf<typeof flags>>;

/** `situacao` of records that can be inactivated (specification 3). */
export const situations = choices('Situacao', 'State of a record', {
  ATIVO: ['A', 'Active'],
  INATIVO: ['I', 'Inactive'],
});
export type Situacao = Opt<ValueOf<typeof situations>>;

/** The column `situacao` of records that can be inactivated. */
export function SituacaoColumn() {
  return Column('text', { description: situations.description, max: 1, oneOf: situations, default: 'A' });
}
