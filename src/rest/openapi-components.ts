import { isInputObjectType, isObjectType, type GraphQLSchema } from 'graphql';
import { catalogue } from '../errors.ts';
import { componentSchema, either, type JsonSchema } from './json-schema.ts';
import { eitherOf } from './rule-schema.ts';

const text = { type: 'string' };

/** `ETag`: the record's version, if the answer is one record, and a digest of the answer. */
export const tag = {
  description: 'Names these very bytes; of a record also the version, by which `If-Match` goes',
  schema: text,
};

export const notModified = {
  description: 'Not modified: the caller has this answer',
  headers: { ETag: tag },
};

/** The answer to a `Range` of a file. */
export const partialContent = {
  description: 'The bytes of the range',
  headers: { ETag: tag, 'Content-Range': { schema: text } },
  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
};

/** The components of all records, inputs and errors. */
export const componentSchemas = (schema: GraphQLSchema): Record<string, JsonSchema> => ({
  ...recordSchemas(schema),
  Problem: problemSchema,
});

function recordSchemas(schema: GraphQLSchema): Record<string, JsonSchema> {
  const types = Object.values(schema.getTypeMap()).filter(
    type => isObjectType(type) || isInputObjectType(type),
  );
  const roots = new Set([schema.getQueryType()?.name, schema.getMutationType()?.name]);
  const own = types.filter(type => !type.name.startsWith('__') && !roots.has(type.name));
  return Object.fromEntries(
    own.map(type => [
      type.name,
      either(componentSchema(type), eitherOf(type.name), Object.values(type.getFields())),
    ]),
  );
}

const problemSchema: JsonSchema = {
  type: 'object',
  description:
    'An error (RFC 9457). `code` is stable; `title`, `detail` and messages are in Portuguese, or in English by `Accept-Language`.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(catalogue) },
    detail: text,
    instance: { ...text, description: 'The `X-Request-Id` of the answer' },
    errors: {
      type: 'array',
      description: 'Every broken field, with a path into arrays: `movimentacoes[1].quantidade`',
      items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
  },
};

/** Seconds after which a client may try again, if the service sends it. */
const retryAfter = {
  'Retry-After': { description: 'Seconds after which to try again', schema: { type: 'integer' } },
};

/** The error responses, by code. If several codes have the same status, the response contains one of them. */
export const errorResponses = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(catalogue).map(([code, { title, status }]) => [
      code,
      {
        description: title.en,
        headers: {
          'Content-Language': { schema: { type: 'string', enum: ['pt-BR', 'en'] } },
          ...(status === 401 && { 'WWW-Authenticate': { schema: { const: 'token realm="SII"' } } }),
          ...((status === 429 || status === 503) && retryAfter),
        },
        content: { 'application/problem+json': { schema: problemOf(status) } },
      },
    ]),
  );

function problemOf(status: number): JsonSchema {
  const codes = Object.entries(catalogue).filter(([, known]) => known.status === status);
  return {
    allOf: [{ $ref: '#/components/schemas/Problem' }],
    properties: {
      status: { type: 'integer', const: status },
      code: { ...text, enum: codes.map(([code]) => code) },
    },
  };
}
