import { getNamedType, GraphQLNonNull, isNonNullType, type GraphQLSchema } from 'graphql';
import type { Access } from '../access/access.ts';
import { CursorScalar } from '../entities/scalars.ts';
import { catalogue, type ErrorCode } from '../errors.ts';
import { sheetTypes } from '../reports/spreadsheet.ts';
import { isTagged } from './conditions.ts';
import { jsonSchema, type JsonSchema } from './json-schema.ts';
import type { LegacyView } from './legacy-schema.ts';
import { readerOf } from './location.ts';
import { notModified, partialContent, tag } from './openapi-components.ts';
import type { Parameter } from './parameter.ts';
import { withVariants, type Operation } from './operation.ts';
import { successStatus } from './route.ts';

/** The responses of an operation by status. */
export function responsesOf(operation: Operation, view: LegacyView, access: Access): object {
  const { route, kind } = operation;
  return {
    [successStatus(route)]: success(operation, view),
    ...(route.shows && { 206: partialContent }),
    ...(kind === 'query' && { 304: notModified }),
    ...Object.fromEntries(
      errorsOf(operation, access).map(code => [
        catalogue[code].status,
        { $ref: `#/components/responses/${code}` },
      ]),
    ),
  };
}

function success(operation: Operation, { schema, operations }: LegacyView): object {
  const { route } = operation;
  const answers = withVariants(operation).map(variant => answerSchema(variant, schema));
  const located = readerOf(operation, operations) !== undefined;
  const binary = { schema: { type: 'string', format: 'binary' } };
  return {
    description: located ? 'Created; `Location` names it' : successStatus(route) === 201 ? 'Created' : 'OK',
    headers: {
      'X-Request-Id': { schema: { type: 'string', maxLength: 36 } },
      ...(located && { Location: { schema: { type: 'string' } } }),
      ...(isTagged(operation) && { ETag: tag }),
    },
    content: route.document
      ? { 'application/pdf': binary }
      : {
          'application/json': { schema: answers.length > 1 ? { anyOf: answers } : answers[0] },
          ...(route.report && { 'application/pdf': binary }),
          ...((route.exports ?? route.report) && {
            [sheetTypes.csv]: binary,
            [sheetTypes.xlsx]: binary,
          }),
          ...(route.streams && { [route.streamsAs ?? 'application/octet-stream']: binary }),
          ...(route.shows && { '*/*': binary }),
        },
  };
}

function answerSchema({ name, kind }: Operation, schema: GraphQLSchema): JsonSchema {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const { type } = root!.getFields()[name]!;
  return jsonSchema(isNonNullType(type) ? type : new GraphQLNonNull(type));
}

/** The errors that an operation may return, derived from its parameters and options. */
function errorsOf(operation: Operation, access: Access): ErrorCode[] {
  const { route, parameters } = operation;
  const has = (place: Parameter['place']): boolean => parameters.some(parameter => parameter.place === place);
  const codes: [ErrorCode, boolean][] = [
    ['BAD_REQUEST', true],
    ['UNAUTHENTICATED', true],
    [
      'FORBIDDEN',
      access.kind === 'level' ||
        (access.kind === 'own' && (access.managers || (access.others ?? access.readers) !== undefined)) ||
        isFeed(operation),
    ],
    ['NOT_FOUND', has('path')],
    ['CONFLICT', route.method !== 'GET' && access.kind === 'level'],
    ['GONE', isFeed(operation)],
    // Without a version nothing can be compared.
    ['PRECONDITION_FAILED', operation.kind === 'mutation'],
    ['PAYLOAD_TOO_LARGE', has('body')],
    ['UNSUPPORTED_MEDIA_TYPE', has('body')],
    ['RANGE_NOT_SATISFIABLE', route.shows === true],
    ['VALIDATION_FAILED', has('body') || canBeTooLong(operation)],
    ['RATE_LIMITED', true],
    ['INTERNAL', true],
    ['UNAVAILABLE', true],
  ];
  return codes.filter(([, answers]) => answers).map(([code]) => code);
}

/** Whether the operation reads the feed of changes from a cursor, for tables that the caller names. */
const isFeed = ({ parameters }: Operation): boolean =>
  parameters.some(({ type }) => getNamedType(type) === CursorScalar);

/** Whether the answer may be an unpaginated list or a file, which can be too long. */
function canBeTooLong({ route, parameters }: Operation): boolean {
  const takes = (name: string): boolean => parameters.some(parameter => parameter.property === name);
  const comesWhole = takes('pagination') || !takes('page') || route.report !== undefined;
  return route.method === 'GET' && !route.path.includes('{') && comesWhole;
}
