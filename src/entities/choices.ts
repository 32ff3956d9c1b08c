import type { GraphQLEnumType } from 'graphql';
import { Extensions, Field, registerEnumType } from 'type-graphql';

/** A closed set of texts that a column may hold. */
export interface Choices<Value extends string = string> {
  values: readonly Value[];
  /** Description of the set. */
  description: string;
  /** GraphQL type: an enum with a readable name for each text, or Boolean. */
  graphql: () => object;
  /** Converts a text to GraphQL's form. */
  written: (value: string) => string;
  /** The description in REST, where clients send the texts themselves. `absent`: the default value of an input. */
  legend: (description: string, absent: string | undefined) => string;
}

/** The text of a set. */
export type ValueOf<C> = C extends Choices<infer Value> ? Value : never;

/** Enum members: each with its text in the column, and its meaning. */
type Members = Readonly<Record<string, readonly [value: string, meaning: string]>>;

/** Names of the enums of closed sets. */
const enums = new Set<string>();

/** Whether an enum stands for the texts of a column. */
export const isChoice = ({ name }: GraphQLEnumType): boolean => enums.has(name);

/**
 * Declares a closed set of texts, with a GraphQL enum of this name. With `properNames`, meanings keep their capital
 * letter within a sentence.
 *
 *     const situations = choices('Situacao', 'State of a record', {
 *       ATIVO: ['A', 'Active'],
 *       INATIVO: ['I', 'Inactive'],
 *     });
 */
export function choices<const M extends Members>(
  name: string,
  description: string,
  members: M,
  { properNames = false } = {},
): Choices<M[keyof M][0]> {
  const all = Object.entries(members);
  const type = Object.fromEntries(all.map(([member, [value]]) => [member, value]));
  const valuesConfig = Object.fromEntries(
    all.map(([member, [, meaning]]) => [member, { description: meaning }]),
  );
  enums.add(name);
  registerEnumType(type, { name, description, valuesConfig });
  return {
    values: Object.values(type),
    description,
    graphql: () => type,
    written: value => all.find(([, [stored]]) => stored === value)![0],
    legend: (said, absent) => {
      const inSentence = (meaning: string): string =>
        properNames ? meaning : meaning.charAt(0).toLowerCase() + meaning.slice(1);
      const meanings = all.map(
        ([, [value, meaning]]) =>
          `\`${value}\` ${inSentence(meaning)}${value === absent ? ' (when absent)' : ''}`,
      );
      return `${said === description ? '' : `${said}: `}${meanings.join(', ')}`;
    },
  };
}

/** Flags of the specification: yes or no (contract 4). They are Boolean in GraphQL. */
export const flags: Choices<'S' | 'N'> = {
  values: ['S', 'N'],
  description: 'Yes or no',
  graphql: () => Boolean,
  written: value => String(value === 'S'),
  legend: (said, absent) => `${said}: \`S\` or \`N\`${absent ? `; \`${absent}\` when absent` : ''}`,
};

export const flagOf = (yes: boolean): 'S' | 'N' => (yes ? 'S' : 'N');

/** Reverses `flagOf`. */
export const yesOf = (letter: unknown): boolean | null => (letter == null ? null : letter === 'S');

/** Whether a field or a field of an input is declared as a flag. */
export const isFlag = ({ extensions }: { extensions: Readonly<Record<string, unknown>> }): boolean =>
  extensions['flag'] === true;

interface ChoiceOptions {
  description: string;
  nullable?: boolean | undefined;
  /** Value if an input omits it. */
  absent?: string | undefined;
}

/**
 * A GraphQL field with a text of this set. The extensions tell the REST view how to show it: `flag` means that a
 * Boolean replaces a text; `legacyDescription` is the description there.
 */
export function ChoiceField(set: Choices, { description, nullable = false, absent }: ChoiceOptions) {
  return (target: object, property: string): void => {
    const byDefault = absent === undefined ? '' : `; \`${set.written(absent)}\` when absent`;
    Field(set.graphql as () => ObjectConstructor, { description: description + byDefault, nullable })(
      target,
      property,
    );
    Extensions({
      legacyDescription: set.legend(description, absent),
      ...(set === flags && { flag: true }),
    })(target, property);
  };
}
