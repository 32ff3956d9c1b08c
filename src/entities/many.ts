import { OneToMany } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { Declarations } from './declarations.ts';

interface ManyOptions {
  /** SQL condition on the children, with alias `t`: only these are shown. */
  only?: string;
  /** The link of the children whose target is shown instead of the child, and the target's entity. */
  through?: readonly [link: string, entity: () => new () => object];
  /** The link of the children whose target shows the records that have such a child, as `Pessoa.planosEnsino` does. */
  seenFrom?: string;
  /** Columns of the record: if all of them are 0 or `N`, it has no children, and they are not read. */
  unless?: readonly string[];
}

/** A to-many field as it was declared. */
export interface ManyDeclaration {
  entity: () => new () => object;
  mappedBy: string;
  description: string;
  only: string | undefined;
  through: readonly [link: string, entity: () => new () => object] | undefined;
  seenFrom: string | undefined;
  unless: readonly string[];
}

const manies = new Declarations<ManyDeclaration>();

/** The to-many field of this name; undefined if there is none. */
export const manyDeclared = (entity: object, property: string): ManyDeclaration | undefined =>
  manies.own(entity, property);

/**
 * A to-many link whose records belong to this one and are deleted with it. Read in one batch for all rows of a list.
 */
export function Many<T extends object>(
  entity: () => new () => T,
  mappedBy: keyof T & string,
  description: string,
  { only, through, seenFrom, unless = [] }: ManyOptions = {},
) {
  return (target: object, property: string): void => {
    Field(() => [through ? through[1]() : entity()], { description })(target, property);
    OneToMany({ entity, mappedBy: mappedBy as never, orphanRemoval: true })(target, property);
    manies.add(target, property, { entity, mappedBy, description, only, through, seenFrom, unless });
  };
}
