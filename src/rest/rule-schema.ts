import { getMetadataStorage } from 'class-validator';
import { getMetadataStorage as graphqlMetadata } from 'type-graphql';
import { ListArgs } from '../listing/args.ts';
import { groupsOf } from '../request/validation.ts';
import type { JsonSchema } from './json-schema.ts';

/** JSON Schema keywords of the class-validator rules that inputs use, by rule name. */
const keywords: Readonly<Record<string, (constraints: unknown[]) => JsonSchema>> = {
  maxLength: ([max]) => ({ maxLength: max }),
  minLength: ([min]) => ({ minLength: min }),
  min: ([min]) => ({ minimum: min }),
  max: ([max]) => ({ maximum: max }),
  arrayMinSize: ([min]) => ({ minItems: min }),
  isIn: ([values]) => ({ enum: values }),
  isNotEmpty: () => ({ minLength: 1 }),
  isNotBlank: () => ({ minLength: 1, pattern: '\\S' }),
  isIdentifier: () => ({}),
  isLink: () => ({ format: 'uri', pattern: '^https?://' }),
  isPicture: () => ({ format: 'uri', pattern: '^(https?://|data:image/)' }),
};

const classOf = (input: string): Function | undefined =>
  graphqlMetadata().inputTypes.find(type => type.name === input)?.target;

/** The rules of an input field as JSON Schema. Both names are GraphQL names. */
export function rulesOf(input: string, field: string): JsonSchema {
  const declared = classOf(input);
  return declared ? rulesOfClass(declared, field) : {};
}

/** The groups of fields of which a client must give one. All names are GraphQL names. */
export function eitherOf(input: string): readonly (readonly string[])[] {
  const declared = classOf(input);
  return declared ? groupsOf(declared) : [];
}

/** Rules of the paging arguments of every list. The largest page size is a setting. */
const pageRules: Readonly<Record<string, JsonSchema>> = {
  page: { minimum: 1 },
  itemsPerPage: { minimum: 1 },
};

/** The class that declares the arguments of a field; undefined if they are declared one by one. */
export function argsClassOf(field: string): Function | undefined {
  const { queries, mutations } = graphqlMetadata();
  const declared = [...queries, ...mutations].find(({ schemaName }) => schemaName === field);
  const args = declared?.params?.find(({ kind }) => kind === 'args');
  return (args as { getType: () => Function } | undefined)?.getType();
}

/** The rules of an argument as JSON Schema. */
export function argumentRules(field: string, argument: string): JsonSchema {
  const target = argsClassOf(field);
  if (!target) return {};
  const rules = rulesOfClass(target, argument);
  return target.prototype instanceof ListArgs ? { ...pageRules[argument], ...rules } : rules;
}

function rulesOfClass(target: Function, field: string): JsonSchema {
  const rules = getMetadataStorage()
    .getTargetValidationMetadatas(target, '', false, false)
    .filter(rule => rule.propertyName === field);
  return Object.assign(
    {},
    ...rules.map(rule => keywords[rule.name!]!(rule.constraints as unknown[])),
  ) as JsonSchema;
}
