import { OneToMany } from '@mikro-orm/decorators/legacy';
import { Field } from 'type-graphql';
import { Declarations } from './declarations.ts';

interface ManyOptions {
  /** SQL condition on the children, with alias `t`. Only these are shown. */
  only?: string;
  /** The link of the children whose target is shown instead of the child, and the entity of the target. */
  through?: readonly [link: string, entity: () => new () => object];
  /** The link of the children whose target shows the records with such a child, as `Pessoa.planosEnsino` does. */
  seenFrom?: string;
  /** Columns of the record. If all of them are 0 or `N`, the record has no children, and they are not read. */
  unless?: readonly string[];
}

/** The declaration of a to-many field. */
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
 * A to-many link whose records belong to this one and are deleted with it. They are read in one batch for all rows of a
 * list.
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
