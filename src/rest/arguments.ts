import { getNamedType, getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../request/context.ts';
import { invalid, type FieldError } from '../errors.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { restTexts } from './messages.ts';
import { nearest } from '../text/nearest.ts';
import { unknownReferences } from '../request/references.ts';
import { brokenRules, listErrors } from '../request/validation.ts';
import { coerce, meant } from './coerce.ts';
import { type Parameter } from './parameter.ts';
import type { Operation } from './operation.ts';
import { asSent, toProperties } from './properties.ts';
import { argsClassOf } from './rule-schema.ts';

/** The parts of a request, still as text or parsed JSON. */
export interface LegacyRequest {
  path: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
}

/**
 * Converts an operation's legacy arguments to those of its GraphQL field.
 * @throws BAD_REQUEST when path or query have errors, VALIDATION_FAILED when only the body has errors. Both list all
 * field errors, including those of rules and unknown references
 */
export async function readArguments(
  operation: Operation,
  sent: LegacyRequest,
  context: Context,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const request: FieldError[] = [];
  const body: FieldError[] = [];
  const timeZone = context.services.config.INSTITUTION_TZ;
  if (operation.route.strict) request.push(...unknownParameters(operation, sent.query));
  else request.push(...filesNotOffered(operation, sent.query));
  if (operation.kind === 'mutation') {
    request.push(...misspeltFlags(operation, sent));
    body.push(...fieldsOfOtherVariants(operation, sent));
  }
  for (const parameter of operation.parameters) {
    const { name, place, property, type } = parameter;
    const errors = place === 'body' ? body : request;
    const value = raw(parameter, sent, errors);
    if (parameter.present && value === undefined)
      errors.push({ field: property, message: fieldMessages.required });
    // A default replaces an absent value, so only a parameter without a default can be missing.
    const coerced =
      value === undefined && parameter.defaultValue !== undefined
        ? undefined
        : coerce(type, value, property, { timeZone, errors });
    if (coerced !== undefined) values[name] = coerced;
  }
  for (const [property, switchName] of Object.entries(operation.route.onlyWith ?? {})) {
    if (values[switchName] !== true) delete values[property];
  }
  if (request.length + body.length > 0) throw await allErrors(operation, values, request, body, context);
  return values;
}

/**
 * Errors for unknown query parameters. If a misspelt filter were ignored, the answer would contain more than the client
 * wanted.
 */
function unknownParameters({ parameters }: Operation, query: URLSearchParams): FieldError[] {
  const known = parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  const unknown = new Set([...query.keys()].filter(name => !known.includes(name)));
  return [...unknown].map(name => ({
    field: asSent(name),
    message: restTexts.unknownParameter(nearest(name, known)),
  }));
}

/**
 * Errors for what a client meant as a query parameter of a write: its name in other case, or in the body. If it were
 * ignored, the write would do something else, for example approve instead of reject.
 */
function misspeltFlags({ parameters }: Operation, { query, body }: LegacyRequest): FieldError[] {
  const namesOf = (place: Parameter['place']): string[] =>
    parameters.filter(parameter => parameter.place === place).map(({ name }) => name);
  const known = new Map(namesOf('query').map(name => [name.toLowerCase(), name]));
  const errorsOf = (sent: Iterable<string>, taken: readonly string[], message: (meant: string) => Text) =>
    [...new Set(sent)]
      .filter(name => !taken.includes(name) && known.has(name.toLowerCase()))
      .map(name => ({ field: asSent(name), message: message(known.get(name.toLowerCase())!) }));
  return [
    ...errorsOf(query.keys(), namesOf('query'), restTexts.unknownParameter),
    ...errorsOf(Object.keys(body as object), namesOf('body'), restTexts.inQuery),
  ];
}

/**
 * Errors for fields with a value that only a variant takes, without its flag. If they were ignored, who writes why a
 * movement is rejected and forgets the flag would approve it.
 */
function fieldsOfOtherVariants({ parameters, variants }: Operation, { body }: LegacyRequest): FieldError[] {
  const taken = new Set(parameters.map(({ name }) => name));
  const isGiven = (name: string): boolean =>
    !['', null, undefined].includes((body as Record<string, null>)[name]);
  return Object.entries(variants).flatMap(([flag, variant]) =>
    variant.parameters
      .filter(({ name, place }) => place === 'body' && !taken.has(name) && isGiven(name))
      .map(({ property }) => ({ field: property, message: restTexts.onlyWith(flag) })),
  );
}

/**
 * Parameters that request a file. If an operation has no files they are refused, because the caller expects no JSON.
 */
const FILES = ['export', 'pdf', 'planilha'];

function filesNotOffered({ parameters }: Operation, query: URLSearchParams): FieldError[] {
  const asked = FILES.filter(name => query.getAll(name).some(value => !/^(?:|false|0)$/i.test(value)));
  return asked
    .filter(name => !parameters.some(parameter => parameter.name === name))
    .map(field => ({ field, message: restTexts.notOffered }));
}

function raw(parameter: Parameter, { path, query, body }: LegacyRequest, errors: FieldError[]): unknown {
  const { name, place, type, property } = parameter;
  if (place === 'path') return path[name];
  if (place === 'body')
    return Object.hasOwn(body as object, name)
      ? meant(parameter, (body as Record<string, unknown>)[name])
      : undefined;
  const given = query.getAll(name);
  if (isListType(getNullableType(type))) {
    const items = given.flatMap(text => text.split(',')).filter(text => text !== '');
    return items.length > 0 ? items : undefined;
  }
  if (given.length > 1) errors.push({ field: property, message: fieldMessages.repeated });
  // Forms send all their fields, so an empty value means absent. A boolean has no empty value (contract 3).
  return given[0] === '' && getNamedType(type).name !== 'Boolean' ? undefined : given[0];
}

/** The conversion errors, plus the rule errors of the converted values. */
async function allErrors(
  operation: Operation,
  values: Record<string, unknown>,
  request: FieldError[],
  body: FieldError[],
  context: Context,
) {
  const args = toProperties(operation.parameters, values);
  const unknown = await unknownReferences(operation.field.args, args, context);
  const declared = argsClassOf(operation.field.name);
  const typed = declared ? instanceOf(declared, args) : args;
  const ofRules = [...listErrors(typed, context), ...inputErrors(operation, args), ...unknown];
  const reported = new Set([...request, ...body].map(error => error.field));
  const errors = [...request, ...body, ...ofRules.filter(error => !reported.has(error.field))];
  return invalid(request.length > 0 ? 'BAD_REQUEST' : 'VALIDATION_FAILED', errors);
}

function inputErrors({ field }: Operation, args: Record<string, unknown>): FieldError[] {
  const input = field.args.find(
    ({ type, extensions }) => !extensions['graphqlOnly'] && isInputObjectType(getNullableType(type)),
  );
  return input ? brokenRules(instance(input.type, args[input.name] ?? {})) : [];
}

/** Converts a value to instances of its input classes, which declare the rules. */
function instance(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return Array.isArray(value) ? value.map(item => instance(bare.ofType, item)) : value;
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  const { target } = getMetadataStorage().inputTypes.find(metadata => metadata.name === bare.name)!;
  const fields = Object.entries(value).map(([name, given]) => [
    name,
    instance(bare.getFields()[name]!.type, given),
  ]);
  return instanceOf(target, Object.fromEntries(fields));
}

const instanceOf = ({ prototype }: Function, fields: object): object =>
  Object.assign(Object.create(prototype as object) as object, fields);
