import { getNamedType, getNullableType, GraphQLNonNull, isInputObjectType, isNonNullType } from 'graphql';
import { accessOf, isRepeatable } from '../access/access.ts';
import { conditionsOf } from './conditions.ts';
import type { Example } from './examples/example.ts';
import { examples } from './examples/examples.ts';
import { either, jsonSchema, objectSchema, type JsonSchema } from './json-schema.ts';
import type { LegacyView } from './legacy-schema.ts';
import { permissionSentence, securityOf } from './openapi-access.ts';
import type { Parameter } from './parameter.ts';
import { withVariants, type Operation } from './operation.ts';
import { eitherOf } from './rule-schema.ts';
import { responsesOf } from './openapi-responses.ts';

/** The description of an operation. `itemsPerPage` is the largest page size. */
export function describeOperation(
  operation: Operation,
  view: LegacyView,
  itemsPerPage: number | undefined,
): object {
  const { parameters, route, kind, field } = operation;
  const body = bodyOf(operation);
  const access = accessOf(field)!;
  const example = examples[`${route.method} ${route.path}`];
  return {
    // When GraphQL returns null, REST returns 404.
    summary: field.description?.replace(/; null when .*/, ''),
    description: permissionSentence(access),
    parameters: [
      ...parameters
        .filter(parameter => parameter.place !== 'body')
        .map(parameter => ({
          ...describeParameter(parameter, itemsPerPage),
          ...exampleOf(example, parameter),
        })),
      ...Object.entries({
        ...route.headers,
        ...(kind === 'mutation' && isRepeatable(access) && repeatable),
        ...conditionsOf(operation),
      }).map(([name, description]) => ({
        name,
        in: 'header',
        description,
        required: false,
        schema: { type: 'string' },
      })),
    ],
    ...(body.length > 0 && {
      requestBody: {
        required: body.some(p => isNonNullType(p.type) || p.present),
        content: {
          'application/json': {
            schema: bodySchema(operation, body),
            ...(example && { example: example.body }),
          },
        },
      },
    }),
    security: securityOf(access),
    responses: responsesOf(operation, view, access),
  };
}

/** The example of a parameter, if the operation has one. */
const exampleOf = (example: Example | undefined, { name }: Parameter): { example?: unknown } =>
  example?.parameters && name in example.parameters ? { example: example.parameters[name] } : {};

/** The fields of its body, including those that only its variants have. */
function bodyOf(operation: Operation): Parameter[] {
  const fields = withVariants(operation).flatMap(({ parameters }) => parameters);
  return [...new Map(fields.filter(p => p.place === 'body').map(p => [p.name, p])).values()];
}

function bodySchema({ field }: Operation, body: readonly Parameter[]): JsonSchema {
  const inputs = field.args.map(({ type }) => getNamedType(type)).filter(isInputObjectType);
  return either(
    objectSchema(body),
    inputs.flatMap(({ name }) => eitherOf(name)),
    body,
  );
}

/** Header of mutations that a client may retry. */
const repeatable = {
  'Idempotency-Key':
    'With the same key the same request is done once, and its answer is given again for 24 h',
};

function describeParameter(parameter: Parameter, itemsPerPage: number | undefined): object {
  const { name, place, property, description, defaultValue, type, rules } = parameter;
  const schema = {
    ...jsonSchema(new GraphQLNonNull(getNullableType(type))),
    ...rules,
    ...(property === 'itemsPerPage' && itemsPerPage && { maximum: itemsPerPage }),
  };
  return {
    name,
    in: place,
    ...(description && { description }),
    required: place === 'path' || (isNonNullType(type) && defaultValue === undefined),
    schema: { ...schema, ...(defaultValue !== undefined && { default: defaultValue }) },
  };
}
