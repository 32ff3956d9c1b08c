import { getMetadataStorage } from 'class-validator';
import { getMetadataStorage as graphqlMetadata } from 'type-graphql';
import type { JsonSchema } from './json-schema.ts';

/** JSON Schema keywords of the class-validator rules that inputs use, by rule name. */
const keywords: Readonly<Record<string, (constraints: unknown[]) => JsonSchema>> = {
  maxLength: ([max]) => ({ maxLength: max }),
  minLength: ([min]) => ({ minLength: min }),
  min: ([min]) => ({ minimum: min }),
  max: ([max]) => ({ maximum: max }),
  isIn: ([values]) => ({ enum: values }),
  isNotEmpty: () => ({ minLength: 1 }),
  isLink: () => ({ format: 'uri', pattern: '^https?://' }),
  isPicture: () => ({ format: 'uri', pattern: '^(https?://|data:image/)' }),
};

/** The rules of an input field as JSON Schema. Both names are GraphQL names. */
export function rulesOf(input: string, field: string): JsonSchema {
  const declared = graphqlMetadata().inputTypes.find(type => type.name === input);
  if (!declared) return {};
  const rules = getMetadataStorage()
    .getTargetValidationMetadatas(declared.target, '', false, false)
    .filter(rule => rule.propertyName === field);
  return Object.assign(
    {},
    ...rules.map(rule => keywords[rule.name!]!(rule.constraints as unknown[])),
  ) as JsonSchema;
}
