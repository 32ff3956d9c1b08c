import type { GraphQLInputField, GraphQLInputObjectType } from 'graphql';

export type EntityClass = new () => object;

/** Records of a class whose link `mappedBy` points at the record. A to-many field may come before the link. */
export interface Reverse {
  of: EntityClass;
  mappedBy: string;
  /** SQL condition on these records, with alias `t`. */
  only?: string | undefined;
  /** If given, the target of this link is shown instead of the record itself. */
  through?: string | undefined;
  /** Whether REST shows them with the record. */
  isShown: boolean;
}

/** The forms of identifiers that are no `Int`. Clients see them as `ID`. */
export type Identifier = 'bigint' | 'uuid';

/** What a member of a derived input stands for: a column, at the end of a path, or a link, or several at once. */
export type Member =
  | { kind: 'column'; path: string; isFlag: boolean; identifier?: Identifier | undefined }
  | { kind: 'link'; links: readonly string[]; to: EntityClass }
  | { kind: 'reverse'; reverse: Reverse; to: EntityClass };

/** The member that a field of a derived input stands for; undefined for `and`, `or`, `not` and quantifiers. */
export const memberOf = ({ extensions }: GraphQLInputField): Member | undefined =>
  extensions['member'] as Member | undefined;

/** The members that are given. A member that is null counts as absent. */
export function* givenMembers(
  type: GraphQLInputObjectType,
  value: object,
): Generator<[field: GraphQLInputField, given: unknown]> {
  const fields = type.getFields();
  for (const [name, given] of Object.entries(value)) if (given != null) yield [fields[name]!, given];
}
