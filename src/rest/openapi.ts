import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { type Access, accessOf, isRepeatable } from '../access/access.ts';
import { CursorScalar } from '../entities/scalars.ts';
import { catalogue, type ErrorCode } from '../errors.ts';
import { sheetTypes } from '../reports/spreadsheet.ts';
import { conditionsOf, isTagged } from './conditions.ts';
import { examples, type Example } from './examples.ts';
import { either, jsonSchema, objectSchema, type JsonSchema } from './json-schema.ts';
import type { LegacyView } from './legacy-schema.ts';
import { permissionSentence, securityOf, securitySchemes } from './openapi-access.ts';
import { componentSchemas, errorResponses, notModified, partialContent, tag } from './openapi-components.ts';
import { type Parameter } from './parameter.ts';
import { withVariants, type Operation } from './operation.ts';
import { successStatus } from './route.ts';
import { eitherOf } from './rule-schema.ts';

/** Version of the API. */
export const VERSION = '2.0.0';

/**
 * The areas by the first segment of their paths. Their names are the specification's in both languages, because client
 * generators name their code by them.
 */
const areas: Readonly<Record<string, { name: string; description: string }>> = {
  academico: { name: 'Acadêmico', description: 'Enrolments and activities of students, teaching plans' },
  almoxarifadoquimicos: {
    name: 'Almoxarifado de químicos',
    description: 'Chemicals storeroom: materials, batches, invoices, stock, its movements and their approval',
  },
  arquivosdigitais: { name: 'Arquivos digitais', description: 'Files that belong to records' },
  auth: { name: 'Login de usuário', description: 'Login and change of passwords' },
  institucional: {
    name: 'Institucional',
    description: 'Employees, news, directory with managerial accounts, imports',
  },
  mudancas: { name: 'Mudanças', description: 'Changes of records, as a feed and by webhooks' },
  permissoes: { name: 'Permissões', description: 'Who may do what: people, roles, systems, menus, sessions' },
  relatorios: {
    name: 'Relatórios',
    description: 'Reports on teaching plans and on the storeroom, also as PDF or spreadsheet',
  },
};

/**
 * The REST API in OpenAPI 3.1. It is generated from the view that serves the requests, so the two cannot differ.
 * `itemsPerPage` is the most records on a page, `basePath` what stands before the paths.
 */
export function openApiDocument(
  { schema, operations }: LegacyView,
  itemsPerPage?: number,
  basePath = '',
): object {
  const ids = operationIds(operations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: ids.get(operation),
      ...describe(operation, schema, itemsPerPage),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Serviço de Informações Institucionais',
      version: VERSION,
      description:
        'The specified REST paths, over the same schema that GraphQL serves at `/graphql`. ' +
        'Log in with `POST /auth/login`, then send the answered token in the `token` header. ' +
        'What is described here is how to write to the service. It also takes what older clients send: numbers and ' +
        'booleans for texts, numbers in texts, dates as `YYYY/MM/DD` and `DD/MM/YYYY` and with a time, `""` for what ' +
        'is optional, and the parameters of a list as `a=1&a=2`, `a=1,2`, `a[]=1` and `a[0]=1`.',
    },
    servers: [{ url: basePath || '/' }],
    tags: [...new Set(operations.map(areaOf))],
    paths,
    components: {
      schemas: componentSchemas(schema),
      responses: errorResponses(),
      securitySchemes,
    },
  };
}

/** GraphQL's name of each operation. Where one serves several paths, the parameters of the others follow it. */
function operationIds(operations: readonly Operation[]): Map<Operation, string> {
  const ids = new Map<Operation, string>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { name } = operation.field;
    const keys = [...operation.route.path.matchAll(/\{(\w)(\w*)\}/g)];
    const longer = `${name}${keys.map(([, first, rest]) => first!.toUpperCase() + rest!).join('')}`;
    const id = taken.has(name) ? longer : name;
    taken.add(id);
    ids.set(operation, id);
  }
  return ids;
}

const areaOf = ({ route }: Operation) => areas[route.path.split('/')[1]!]!;

function describe(operation: Operation, schema: GraphQLSchema, itemsPerPage: number | undefined): object {
  const { parameters, route, kind, field } = operation;
  const body = bodyOf(operation);
  const access = accessOf(field)!;
  const example = examples[`${route.method} ${route.path}`];
  return {
    tags: [areaOf(operation).name],
    // Where GraphQL returns null, REST returns 404.
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
    responses: {
      [successStatus(route)]: success(operation, schema),
      ...(route.shows && { 206: partialContent }),
      ...(kind === 'query' && { 304: notModified }),
      ...Object.fromEntries(
        errorsOf(operation, access).map(code => [
          catalogue[code].status,
          { $ref: `#/components/responses/${code}` },
        ]),
      ),
    },
  };
}

/** The example of a parameter, if the operation has one. */
const exampleOf = (example: Example | undefined, { name }: Parameter): { example?: unknown } =>
  example?.parameters && name in example.parameters ? { example: example.parameters[name] } : {};

/** The fields of its body, including those of its variants only. */
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

/** Header of mutations that a client may repeat. */
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

function success(operation: Operation, schema: GraphQLSchema): object {
  const { route } = operation;
  const answers = withVariants(operation).map(variant => answerSchema(variant, schema));
  const located = successStatus(route) === 201 && !isPage(operation.field.type);
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

/** Several created records are returned as a page, which has no URL of its own. */
function isPage(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isObjectType(named) && 'itemsPerPage' in named.getFields();
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
        (access.kind === 'own' && (access.others ?? access.readers) !== undefined) ||
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

/** Whether it reads the feed of changes from a cursor on, of tables that the caller names. */
const isFeed = ({ parameters }: Operation): boolean =>
  parameters.some(({ type }) => getNamedType(type) === CursorScalar);

/** Whether it may return an unpaged list or a file, which can be too long. */
function canBeTooLong({ route, parameters }: Operation): boolean {
  const takes = (name: string): boolean => parameters.some(parameter => parameter.property === name);
  const comesWhole = takes('pagination') || !takes('page') || route.report !== undefined;
  return route.method === 'GET' && !route.path.includes('{') && comesWhole;
}
