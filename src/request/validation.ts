import { getMetadataStorage, validateSync, ValidateBy } from 'class-validator';
import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  type GraphQLArgument,
  type GraphQLInputType,
} from 'graphql';
import { Extensions, getMetadataStorage as getTypeStorage } from 'type-graphql';
import { AppError, invalid, MAX_ERRORS, type FieldError } from '../errors.ts';
import type { Context } from './context.ts';
import { ListArgs } from '../listing/args.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { isPicture, webAddress } from '../text/web-address.ts';

const NOT_TEXT = /\0/;

/** Whether text can be stored and returned unchanged: no NUL, no half of a surrogate pair. */
const isReadable = (text: string): boolean => !NOT_TEXT.test(text) && text.isWellFormed();

/** The message of each class-validator rule, by rule name. A test fails if one is missing. */
export const sentences: Record<string, (constraints: unknown[]) => Text> = {
  maxLength: ([max]) => fieldMessages.maxLength(max as number),
  minLength: ([min]) => fieldMessages.minLength(min as number),
  min: ([min]) => fieldMessages.min(min as number),
  max: ([max]) => fieldMessages.max(max as number),
  isIn: ([values]) => fieldMessages.oneOf(values as string[]),
  isNotEmpty: () => fieldMessages.notEmpty,
  isLink: () => fieldMessages.link,
  isPicture: () => fieldMessages.picture,
};

const rule = (name: string, holds: (text: string) => boolean) =>
  ValidateBy({ name, validator: { validate: value => typeof value === 'string' && holds(value) } });

/** A text that pages show as a link. */
export const IsLink = () => rule('isLink', text => webAddress(text) !== undefined);

/** A text that pages show as a picture. */
export const IsPicture = () => rule('isPicture', isPicture);

const references = new Map<object, Map<string, () => new () => object>>();

/** The number in this field must be the id of an existing record. */
export function References(entity: () => new () => object) {
  return (prototype: object, property: string): void => {
    const declared = references.get(prototype) ?? new Map<string, () => new () => object>();
    references.set(prototype, declared.set(property, entity));
  };
}

/** REST clients must send this field, though it may be null (specification). GraphQL clients may omit it. */
export const Present = () => Extensions({ present: true });

/** The referenced entity of a property, declared by its class or a superclass. */
function referenceOf(prototype: object | null, property: string): (() => new () => object) | undefined {
  if (prototype === null) return undefined;
  const inherited = Object.getPrototypeOf(prototype) as object | null;
  return references.get(prototype)?.get(property) ?? referenceOf(inherited, property);
}

/** Rules that span several fields of an input or of a list's filters, by class. */
const rules = new Map<object, (input: never) => FieldError[]>();

/**
 * Declares a rule over several fields of an input, or filters of a list. It receives only fields that are valid by
 * themselves.
 */
export function Rule<T extends object>(check: (input: T) => FieldError[]) {
  return (target: new () => T): void => {
    rules.set(target.prototype as object, check);
  };
}

/** A reference in an input. */
interface Reference {
  field: string;
  entity: new () => object;
  id: number;
}

type Arguments = Readonly<Record<string, unknown>>;

interface Findings {
  errors: FieldError[];
  references: Reference[];
}

/**
 * All broken rules of the inputs among a field's arguments, including nested inputs and unknown references. The types
 * are checked before.
 */
export async function inputErrors(
  declared: readonly GraphQLArgument[],
  given: Arguments,
  context: Context,
): Promise<FieldError[]> {
  const { errors, references } = inspectedInputs(declared, given);
  return [...errors, ...(await unknownReferences(references, context))];
}

function inspected(...inputs: unknown[]): Findings {
  const findings: Findings = { errors: [], references: [] };
  for (const input of inputs) inspect(input, '', findings);
  return findings;
}

function inspectedInputs(declared: readonly GraphQLArgument[], given: Arguments): Findings {
  const inputs = declared.filter(({ type }) => !isLeafType(getNamedType(type)));
  return inspected(...inputs.map(({ name, type }) => instance(type, given[name])));
}

/** Converts a value to instances of its input classes, which declare the rules. */
function instance(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return Array.isArray(value) ? value.map(item => instance(bare.ofType, item)) : value;
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  const { target } = getTypeStorage().inputTypes.find(metadata => metadata.name === bare.name)!;
  const fields = Object.entries(value).map(([name, given]) => [
    name,
    instance(bare.getFields()[name]!.type, given),
  ]);
  return Object.assign(Object.create(target.prototype as object) as object, Object.fromEntries(fields));
}

function inspect(value: unknown, path: string, findings: Findings): void {
  if (typeof value === 'string') {
    if (!isReadable(value)) findings.errors.push({ field: path, message: fieldMessages.unreadableText });
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      // There are enough errors to report.
      if (findings.errors.length >= MAX_ERRORS) return;
      inspect(item, `${path}[${i}]`, findings);
    }
  } else if (typeof value === 'object' && value !== null) {
    inspectObject(value, path, findings);
  }
}

function inspectObject(object: object, path: string, findings: Findings): void {
  const at = (property: string): string => (path ? `${path}.${property}` : property);
  for (const error of validateSync(object, { skipMissingProperties: true, forbidUnknownValues: false })) {
    for (const rule of Object.keys(error.constraints ?? {})) {
      findings.errors.push({ field: at(error.property), message: sentence(object, error.property, rule) });
    }
  }
  const prototype = Object.getPrototypeOf(object) as object;
  const broken = rules.get(prototype)?.(object as never) ?? [];
  findings.errors.push(...broken.map(({ field, message }) => ({ field: at(field), message })));
  for (const [property, value] of Object.entries(object)) {
    const entity = referenceOf(prototype, property)?.();
    if (entity && typeof value === 'number')
      findings.references.push({ field: at(property), entity, id: value });
    inspect(value, at(property), findings);
  }
}

function sentence(object: object, property: string, rule: string): Text {
  const metadata = getMetadataStorage()
    .getTargetValidationMetadatas(object.constructor, '', false, false)
    .find(m => m.propertyName === property && m.name === rule);
  return sentences[rule]!(metadata?.constraints ?? []);
}

/** The references of an input whose records do not exist. */
async function unknownReferences(wanted: readonly Reference[], context: Context): Promise<FieldError[]> {
  if (wanted.length === 0) return [];
  const { metadata, reader } = context.services.listing;
  const entities = [...new Set(wanted.map(reference => reference.entity))];
  const parts = entities.map(
    (entity, i) =>
      `select ${i}, id from "${metadata.get(entity).tableName}" where id = any($${i + 1}::int[])`,
  );
  const ids = entities.map(entity =>
    wanted.filter(reference => reference.entity === entity).map(reference => reference.id),
  );
  const rows = await reader.rows(parts.join(' union all '), ids);
  const found = new Set(rows.map(([i, id]) => `${i as number}:${id as number}`));
  return wanted
    .filter(({ entity, id }) => !found.has(`${entities.indexOf(entity)}:${id}`))
    .map(({ field }) => ({ field, message: fieldMessages.unknownReference }));
}

/** Errors of a list's page and filters. It runs for every list, so it checks nothing else. */
export function listErrors(args: ListArgs, context: Context): FieldError[] {
  const { itemsPerPage: most } = context.services.listing.limits;
  const errors: FieldError[] = [];
  if ((args.page ?? 1) < 1) errors.push({ field: 'page', message: fieldMessages.min(1) });
  if ((args.itemsPerPage ?? 1) < 1) errors.push({ field: 'itemsPerPage', message: fieldMessages.min(1) });
  if ((args.itemsPerPage ?? 1) > most)
    errors.push({ field: 'itemsPerPage', message: fieldMessages.max(most) });
  const broken = rules.get(Object.getPrototypeOf(args) as object)?.(args as never) ?? [];
  return [...errors, ...textErrors(args), ...broken];
}

/** Arguments with text that cannot be stored. Nested inputs are checked by their own rules. */
function textErrors(args: object): FieldError[] {
  const broken = Object.entries(args).filter(([, value]) => typeof value === 'string' && !isReadable(value));
  return broken.map(([field]) => ({ field, message: fieldMessages.unreadableText }));
}

/**
 * type-graphql's validation of an argument of a field: all errors together. References are not looked up: foreign keys
 * do that, and `namingUnknown` completes the error of a mutation.
 * @throws BAD_REQUEST, VALIDATION_FAILED
 */
export function validateArgument(value: unknown, context: Context, args: object): void {
  if (value instanceof ListArgs || typeof value === 'string') {
    const errors = value instanceof ListArgs ? listErrors(value, context) : textErrors(args);
    if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  } else if (typeof value === 'object' && value !== null) {
    const { errors } = inspected(value);
    if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  }
}

/**
 * Completes the error of a failed mutation with all unknown references in its arguments. The database reports only
 * one, without its field; broken rules are reported before the database sees any.
 */
export async function namingUnknown(
  failure: unknown,
  declared: readonly GraphQLArgument[],
  given: Arguments,
  context: Context,
): Promise<unknown> {
  const { references } = inspectedInputs(declared, given);
  const broken =
    failure instanceof AppError && failure.code === 'VALIDATION_FAILED' ? failure.details.errors : [];
  const unknown = await unknownReferences(references, context).catch(() => []);
  return unknown.length > 0 ? invalid('VALIDATION_FAILED', united(broken ?? [], unknown)) : failure;
}

/** The errors, each field once. */
const united = (errors: FieldError[], more: FieldError[]): FieldError[] => [
  ...errors,
  ...more.filter(({ field }) => !errors.some(error => error.field === field)),
];
