import {
  getNamedType,
  GraphQLID,
  isLeafType,
  isObjectType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { accessOf } from '../access/access.ts';
import { isFlag } from '../entities/choices.ts';
import { declaredOf, linkKey } from '../entities/column.ts';
import { viaOf } from '../entities/computed.ts';
import { manyDeclared } from '../entities/many.ts';
import { defaultColumns, listOfQuery } from '../listing/declaration.ts';
import { stepTo, stepToMany, type Step } from './distance.ts';
import type { EntityClass, Identifier, Reverse } from './member.ts';
import { isFollowed, type TypeList } from './rights.ts';

/** A column that clients see. */
export interface ShapeColumn {
  name: string;
  /** Path to it: its property, or links and a property for what is shown from a linked record (`pessoa.nome`). */
  path: string;
  type: GraphQLLeafType;
  description: string;
  /** The form of an `ID`. */
  identifier?: Identifier | undefined;
  /** Whether the database holds `S` or `N` for it. */
  isFlag: boolean;
  /** Whether it identifies a record, so that sums make no sense. */
  isKey: boolean;
}

/** A to-one link that clients see. */
interface ShapeLink {
  name: string;
  property: string;
  /** The links to its target: itself, or those that it stands for (`lote.material`). */
  links: readonly string[];
  to: EntityClass;
  description: string;
}

/** A to-many link. */
export interface ShapeMany {
  name: string;
  reverse: Reverse;
  /** Class of the records that it shows. */
  to: EntityClass;
  description: string;
}

/** What clients can filter, order, follow and sum up of a class of records. */
export interface Shape {
  /** Name of the GraphQL type. */
  name: string;
  columns: ShapeColumn[];
  links: ShapeLink[];
  /** To-many fields that belong to the record. */
  own: ShapeMany[];
  /** Records of other lists that point at the record. */
  pages: ShapeMany[];
}

/** The shapes of all classes of records in the schema, and their lists. */
export class Shapes {
  readonly all = new Map<EntityClass, Shape>();
  readonly lists = new Map<EntityClass, TypeList>();
  readonly #classes = new Map<string, EntityClass>();
  /** The queries that answer a list declared by an args class. */
  queries: { field: GraphQLField<unknown, unknown>; record: EntityClass }[] = [];

  constructor(schema: GraphQLSchema) {
    const classes = new Map(
      getMetadataStorage().objectTypes.map(({ name, target }) => [name, target as EntityClass]),
    );
    for (const field of Object.values(schema.getQueryType()!.getFields())) {
      const record = classes.get(recordOf(field) ?? '');
      if (!record) continue;
      if (!this.lists.has(record)) this.#addList(record, field);
      if (listOfQuery(field.name)) this.queries.push({ field, record });
    }
    for (const [name, record] of classes) {
      const type = schema.getType(name);
      const shape = isObjectType(type) ? shapeOf(type, record, classes) : undefined;
      if (!shape || shape.columns.every(({ path }) => path === KEY)) continue;
      this.all.set(record, shape);
      this.#classes.set(name, record);
    }
    for (const [record, { name }] of this.lists) this.#addPages(record, name);
    this.queries = this.queries.filter(({ record }) => this.all.has(record));
  }

  /** The class of records whose GraphQL type has this name; undefined for other types. */
  classOf(type: string): EntityClass | undefined {
    return this.#classes.get(type);
  }

  /** The links that lead to a class with a shape. */
  known<T extends { to: EntityClass }>(links: readonly T[]): T[] {
    return links.filter(({ to }) => this.all.has(to));
  }

  /** Follows a link or a to-many field of a record that is so far from a listed one; undefined for any other property. */
  follow(record: EntityClass, property: string, far: number): (Step & { to: EntityClass }) | undefined {
    const { links = [], own = [] } = this.all.get(record) ?? {};
    const link = links.find(one => one.property === property);
    if (link) return { ...stepTo(this.lists, far, link.to), to: link.to };
    const many = own.find(({ name }) => name === property);
    return many && { ...stepToMany(this.lists, far, many.reverse), to: many.to };
  }

  #addList(record: EntityClass, field: GraphQLField<unknown, unknown>): void {
    const access = accessOf(field);
    if (!access || !isFollowed(access)) return;
    const list = listOfQuery(field.name);
    this.lists.set(record, {
      name: list?.plural ?? field.name,
      access,
      always: list?.always ?? {},
      defaults: list ? defaultColumns(list) : [],
    });
  }

  /**
   * Adds pages of the records of a list to each record that they point at. If several links point there, the name of
   * the page contains the link (`estoquesByLocalArmazenado`).
   */
  #addPages(of: EntityClass, plural: string): void {
    const links = this.all.get(of)?.links ?? [];
    for (const { property, links: path, to } of links) {
      const shape = this.all.get(to);
      if (!shape) continue;
      const isOnly = links.filter(link => link.to === to).length === 1;
      const name = isOnly ? plural : `${plural}By${property[0]!.toUpperCase()}${property.slice(1)}`;
      const description = `${this.all.get(of)!.name} records whose \`${property}\` is this record`;
      shape.pages.push({
        name,
        to: of,
        reverse: { of, mappedBy: path.join('.'), isShown: false },
        description: description + alsoShown(this.lists.get(of)!),
      });
    }
    for (const { name: field } of this.all.get(of)?.own ?? []) this.#addPageThrough(of, plural, field);
  }

  /** Adds pages of the records of a list to the records that a to-many field leads to. */
  #addPageThrough(of: EntityClass, plural: string, field: string): void {
    const { entity, seenFrom } = manyDeclared(of, field)!;
    if (!seenFrom) return;
    const to = declaredOf(entity(), linkKey(seenFrom))!.leadsTo!();
    const mappedBy = `${field}.${seenFrom}`;
    const description = `${this.all.get(of)!.name} records of which one of \`${field}\` is this record`;
    this.all
      .get(to)!
      .pages.push({ name: plural, to: of, reverse: { of, mappedBy, isShown: false }, description });
  }
}

/** The shapes of a schema; undefined for the REST view, which does not need them. */
export const shapesOf = ({ extensions }: GraphQLSchema): Shapes | undefined =>
  extensions['shapes'] as Shapes | undefined;

function shapeOf(
  type: GraphQLObjectType,
  record: EntityClass,
  classes: ReadonlyMap<string, EntityClass>,
): Shape {
  const shape: Shape = { name: type.name, columns: [], links: [], own: [], pages: [] };
  for (const field of Object.values(type.getFields())) {
    const { name } = field;
    const property = (field.extensions['property'] as string | undefined) ?? name;
    const description = field.description ?? '';
    const shown = getNamedType(field.type);
    const via = viaOf(record, property);
    const column = declaredOf(record, property);
    if (isLeafType(shown) && (column || via || property === KEY)) {
      shape.columns.push({
        name,
        path: via ?? property,
        type: shown,
        description,
        identifier: shown === GraphQLID ? (column?.kind === 'uuid' ? 'uuid' : 'bigint') : undefined,
        isFlag: isFlag(field),
        isKey: isKeyName(property),
      });
    }
    const to = classes.get(shown.name);
    if (!to || !isObjectType(shown)) continue;
    const many = manyDeclared(record, property);
    if (many) {
      const { mappedBy, only, through } = many;
      const reverse = { of: many.entity(), mappedBy, only, through: through?.[0], isShown: true };
      shape.own.push({ name, reverse, to, description });
    } else if (via || declaredOf(record, linkKey(property))?.leadsTo) {
      shape.links.push({ name, property, links: via?.split('.') ?? [property], to, description });
    }
  }
  return shape;
}

/** What to mind of a linked page whose list leaves out records by default. */
const alsoShown = ({ name, defaults }: TypeList): string =>
  defaults.length > 0
    ? `, also those that \`${name}\` leaves out unless \`filter\` asks for ${defaults.map(column => `\`${column}\``).join(' or ')}`
    : '';

/** The key of each record. */
const KEY = 'id';

/** Keys of records, and of people who created or changed something. */
const isKeyName = (property: string): boolean => /^id($|[A-Z])|Por$/.test(property);

/** The type of the records of a page; undefined for other types. */
function recordOf({ type }: GraphQLField<unknown, unknown>): string | undefined {
  const page = getNamedType(type);
  const fields = isObjectType(page) ? page.getFields() : {};
  return 'itemsPerPage' in fields ? getNamedType(fields['data']!.type).name : undefined;
}
