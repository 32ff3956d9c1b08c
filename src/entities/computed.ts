import { Field } from 'type-graphql';
import { Declarations } from './declarations.ts';

/** Paths of fields declared with `@Via`. */
const vias = new Declarations<string>();

/** Shows the value at the end of a path of links (`lote.material`, `pessoa.nome`) as a field. It is not stored. */
export function Via(entity: () => unknown, path: string, description: string) {
  return (target: object, property: string): void => {
    Field(entity as () => ObjectConstructor, { description })(target, property);
    vias.add(target, property, path);
  };
}

/** Source columns of fields declared with `@Derived`. */
const sources = new Declarations<readonly string[]>();

/** A field that a resolver computes from these columns, which are read with it. It is not stored. */
export function Derived(type: () => unknown, columns: readonly string[], description: string) {
  return (target: object, property: string): void => {
    Field(type as () => ObjectConstructor, { description, nullable: true })(target, property);
    sources.add(target, property, columns);
  };
}

export const viaOf = (entity: object, property: string): string | undefined =>
  vias.inherited(entity, property);

export const sourcesOf = (entity: object, property: string): readonly string[] =>
  sources.own(entity, property) ?? [];
