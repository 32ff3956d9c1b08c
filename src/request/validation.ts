import type { Reference } from './reference.ts';
import { getMetadataStorage, validateSync, ValidateBy } from 'class-validator';
import { Extensions } from 'type-graphql';
import { invalid, MAX_ERRORS, type FieldError } from '../errors.ts';
import type { Context } from './context.ts';
import { ListArgs } from '../listing/args.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { isPicture, webAddress } from '../text/web-address.ts';

const NOT_TEXT = /\0/;

/** Whether text can be stored and sent back as it is: no NUL, no half of a surrogate pair. */
const isReadable = (text: string): boolean => !NOT_TEXT.test(text) && text.isWellFormed();

/** What each validator of class-validator says, by its name; one that is missing here fails a test. */
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

/** The number in this field must be the id of a record. */
export function References(entity: () => new () => object) {
  return (prototype: object, property: string): void => {
    const declared = references.get(prototype) ?? new Map<string, () => new () => object>();
    references.set(prototype, declared.set(property, entity));
  };
}

/** REST clients must give this field, though it may be null, as the specification has it; new clients may leave it out. */
export const Present = () => Extensions({ present: true });

/** What a field refers to, by its class or one that it extends. */
function referenceOf(prototype: object | null, property: string): (() => new () => object) | undefined {
  if (prototype === null) return undefined;
  const inherited = Object.getPrototypeOf(prototype) as object | null;
  return references.get(prototype)?.get(property) ?? referenceOf(inherited, property);
}

/** What is wrong with an input, or with the filters of a list, beyond its single fields, by class. */
const rules = new Map<object, (input: never) => FieldError[]>();

/** A rule that spans several fields of an input, or filters of a list. Fields that are broken by themselves are absent for it. */
export function Rule<T extends object>(check: (input: T) => FieldError[]) {
  return (target: new () => T): void => {
    rules.set(target.prototype as object, check);
  };
}

interface Findings {
  errors: FieldError[];
  references: Reference[];
}

/** Every broken rule of an input, nested ones and unknown references included. Types are checked before, by the schema. */
export async function inputErrors(input: unknown, context: Context): Promise<FieldError[]> {
  const { errors, references } = inspected(input);
  return [...errors, ...(await unknownReferences(references, context))];
}

function inspected(input: unknown): Findings {
  const findings: Findings = { errors: [], references: [] };
  inspect(input, '', findings);
  return findings;
}

function inspect(value: unknown, path: string, findings: Findings): void {
  if (typeof value === 'string') {
    if (!isReadable(value)) findings.errors.push({ field: path, message: fieldMessages.unreadableText });
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      // Enough is broken to be told.
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

/** Which references of an input lead nowhere. */
export async function unknownReferences(
  wanted: readonly Reference[],
  context: Context,
): Promise<FieldError[]> {
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

/** What is wrong with the page or the filters of a list. Runs at every list, so it looks at nothing else. */
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

/** Which of some arguments are texts that cannot be stored; inputs among them are looked into by their own rules. */
function textErrors(args: object): FieldError[] {
  const broken = Object.entries(args).filter(([, value]) => typeof value === 'string' && !isReadable(value));
  return broken.map(([field]) => ({ field, message: fieldMessages.unreadableText }));
}

/**
 * type-graphql's validation of one of a field's arguments: all broken fields in one error. References of an input that
 * breaks no rule are left to the foreign keys: a write that fails names those that lead nowhere (`graphql/guard.ts`).
 * @throws BAD_REQUEST, VALIDATION_FAILED
 */
export async function validateArgument(value: unknown, context: Context, args: object): Promise<void> {
  if (value instanceof ListArgs || typeof value === 'string') {
    const errors = value instanceof ListArgs ? listErrors(value, context) : textErrors(args);
    if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  } else if (typeof value === 'object' && value !== null) {
    const { errors, references } = inspected(value);
    if (errors.length > 0)
      throw invalid('VALIDATION_FAILED', [...errors, ...(await unknownReferences(references, context))]);
    context.references.push(...references);
  }
}
