import type { GraphQLEnumType } from 'graphql';
import { Extensions, Field, registerEnumType } from 'type-graphql';

/** A closed set of texts that a column may hold. */
export interface Choices<Value extends string = string> {
  values: readonly Value[];
  /** What the set is. */
  description: string;
  /** GraphQL type: an enum with a readable name for each text, or Boolean. */
  graphql: () => object;
  /** How GraphQL writes a text. */
  written: (value: string) => string;
  /** What REST says of a field, where clients give the texts themselves; `absent` counts when it is left out. */
  legend: (description: string, absent: string | undefined) => string;
}

/** The text of a set. */
export type ValueOf<C> = C extends Choices<infer Value> ? Value : never;

/** Enum members: what a column holds, and what it means. */
type Members = Readonly<Record<string, readonly [value: string, meaning: string]>>;

/** Names of the enums of closed sets. */
const enums = new Set<string>();

/** Whether an enum stands for the texts of a column. */
export const isChoice = ({ name }: GraphQLEnumType): boolean => enums.has(name);

/**
 * Declares a closed set, whose GraphQL enum has this name: `choices('Situacao', '…', { ATIVO: ['A', 'Active'] })`.
 * `properNames` says that meanings keep their capital letter within a sentence.
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

interface ChoiceOptions {
  description: string;
  nullable?: boolean | undefined;
  /** What counts when an input leaves it out. */
  absent?: string | undefined;
}

/**
 * A GraphQL field with one of these texts. The extensions tell the REST view how to show it: `flag`, that a Boolean
 * stands for a text; `legacyDescription`, what it is there.
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
