import type { GraphQLInputType } from 'graphql';
import type { JsonSchema } from './json-schema.ts';

/** Where a client gives an argument. */
type Place = 'path' | 'query' | 'body';

/** One argument of an operation, under the name that legacy clients give it. */
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
  /** What the validators of its input say. */
  rules?: JsonSchema;
}
