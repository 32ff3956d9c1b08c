import type { GraphQLInputType } from 'graphql';
import type { JsonSchema } from './json-schema.ts';

/** Part of the request that contains an argument. */
type Place = 'path' | 'query' | 'body';

/** One argument of an operation, under its legacy name. */
export interface Parameter {
  name: string;
  place: Place;
  type: GraphQLInputType;
  description: string | undefined;
  defaultValue: unknown;
  /** Name of the GraphQL argument, or of the field of its `input` object. */
  property: string;
  /** Whether it belongs to an argument of the field, to the field's `input` object, or to the REST face alone. */
  of: 'field' | 'input' | 'rest';
  /** Required, but may be null. */
  present?: boolean;
  /** JSON Schema keywords of its validators. */
  rules?: JsonSchema;
}
