import { IsIn, MaxLength } from 'class-validator';
import { Field } from 'type-graphql';
import { ChoiceField } from '../entities/choices.ts';
import { declaredOf, kinds } from '../entities/column.ts';
import type { Autoria } from '../entities/registro.ts';
import { References } from '../request/references.ts';
import { IsIdentifier, IsNotBlank } from '../request/validation.ts';

/** The type that an input has for a column: for a link, the key of the record. */
type Given<Value> = NonNullable<Value> extends Autoria ? number | Extract<Value, null> : Value;

/** The columns of an entity, under their names in inputs. */
type Columns<T> = {
  [P in keyof T & string as NonNullable<T[P]> extends Autoria ? `id${Capitalize<P>}` : P]: Given<T[P]>;
};

/** An input that has the field `K`. It may omit it if null is allowed. */
type Having<K extends string, Value, Nullable> = Nullable extends true
  ? { [P in K]?: Value | null }
  : Nullable extends false
    ? { [P in K]: NonNullable<Value> }
    : null extends Value
      ? { [P in K]?: Value }
      : { [P in K]: Value };

/** The input itself if it allows null whenever clients may send null; otherwise `never`. */
type Allowing<Input, K extends keyof Input, Value, Nullable> = Nullable extends true
  ? OrNull<Input, K>
  : Nullable extends false
    ? Input
    : null extends Value
      ? OrNull<Input, K>
      : Input;
type OrNull<Input, K extends keyof Input> = null extends Input[K] ? Input : never;

/** Differences between a field of an input and its column. */
interface Differences<Nullable> {
  description?: string;
  /** Whether clients may omit it or send null. */
  nullable?: Nullable;
  /** Maximum number of characters, if it is smaller than that of the column. */
  max?: number;
  /** Whether a required text may be `""` or white space alone. */
  mayBeEmpty?: boolean;
}

/**
 * A field of an input that writes the entity's column of the same name, or the link with this key. Type, description,
 * length, allowed values, nullability and the target of a key come from the column, unless `differences` override them.
 * A text that the input or the column requires must not be blank. Rules that a column cannot express are added as
 * decorators:
 *
 *     @FieldOf(Lote) @Min(1) quantidade!: number;
 *
 * @throws Error for a name that is not a column of the entity
 */
export function FieldOf<T extends object, Nullable extends boolean | undefined = undefined>(
  entity: new () => T,
  differences: Differences<Nullable> = {},
) {
  return <K extends keyof Columns<T> & string, Input extends Having<K, Columns<T>[K], Nullable>>(
    input: Allowing<Input, K, Columns<T>[K], Nullable>,
    property: K,
  ): void => {
    const column = declaredOf(entity, property);
    if (!column) throw new Error(`${entity.name} has no column ${property}`);
    const { kind, description, nullable, max, oneOf, leadsTo, mayBeEmpty, identifies } = {
      ...column,
      ...differences,
    };
    if (oneOf) {
      const absent = nullable && !column.nullable ? (column.default as string | undefined) : undefined;
      ChoiceField(oneOf, { description, nullable, absent })(input, property);
      IsIn(oneOf.values)(input, property);
    } else Field(kinds[kind].graphql, { description, nullable })(input, property);
    if (oneOf) return;
    if (max !== undefined) MaxLength(max)(input, property);
    if (kind === 'text' && !(nullable && column.nullable) && !mayBeEmpty) IsNotBlank()(input, property);
    if (identifies) IsIdentifier()(input, property);
    if (leadsTo) References(leadsTo)(input, property);
  };
}
