import { getMetadataStorage, validateSync, ValidateBy } from 'class-validator';
import { Extensions } from 'type-graphql';
import { invalid, MAX_ERRORS, type FieldError } from '../errors.ts';
import type { Context } from './context.ts';
import { ListArgs } from '../listing/args.ts';
import { fieldMessages, type Text } from '../messages.ts';
import { requestTexts } from './messages.ts';
import { isReadable } from '../text/readable.ts';
import { hasHidden, isVisible } from '../text/visible.ts';
import { isPicture, webAddress } from '../text/web-address.ts';

/** The message of each class-validator rule, by rule name. A test fails if one is missing. */
export const sentences: Record<string, (constraints: unknown[]) => Text> = {
  maxLength: ([max]) => requestTexts.maxLength(max as number),
  minLength: ([min]) => requestTexts.minLength(min as number),
  min: ([min]) => fieldMessages.min(min as number),
  max: ([max]) => fieldMessages.max(max as number),
  arrayMinSize: () => fieldMessages.atLeastOne,
  isIn: ([values]) => fieldMessages.oneOf(values as string[]),
  isNotEmpty: () => fieldMessages.notEmpty,
  isNotBlank: () => fieldMessages.notBlank,
  isIdentifier: () => fieldMessages.identifier,
  isLink: () => requestTexts.link,
  isPicture: () => requestTexts.picture,
};

const rule = (name: string, holds: (text: string) => boolean) =>
  ValidateBy({ name, validator: { validate: value => typeof value === 'string' && holds(value) } });

/** A text that people see. */
export const IsNotBlank = () => rule('isNotBlank', isVisible);

/** A text by which a record is named: if two of them look alike, they are the same. */
export const IsIdentifier = () =>
  rule('isIdentifier', text => !hasHidden(text) && text.trim().length === text.length);

/** A text that pages show as a link. */
export const IsLink = () => rule('isLink', text => webAddress(text) !== undefined);

/** A text that pages show as a picture. */
export const IsPicture = () => rule('isPicture', isPicture);

/** REST clients must send this field, though it may be null (specification). GraphQL clients may omit it. */
export const Present = () => Extensions({ present: true });

/** Rules that span several fields of an input or of a list's filters, by class. */
const rules = new Map<object, (input: never) => FieldError[]>();

/**
 * Declares a rule over several fields of an input, or filters of a list. It runs also when single fields are invalid,
 * so that a client gets all errors at once.
 *
 *     @Rule((item: LoteRecebidoInput) => (item.id == null ? quantityErrors(item) : []))
 */
export function Rule<T extends object>(check: (input: T) => FieldError[]) {
  return (target: new () => T): void => {
    rules.set(target.prototype as object, check);
  };
}

/** Fields of which a client must give one group, by class. */
const groups = new Map<object, readonly (readonly string[])[]>();

/**
 * Declares groups of optional fields. A client must give all fields of one group, none of them null. If no group is
 * complete, the missing fields of the last group are reported. The documentation of REST shows the groups.
 *
 *     @Either<PerfilRecursoItemInput>(['idPerfilRecurso'], ['idPerfil', 'idRecurso'])
 */
export function Either<T extends object>(...given: readonly (readonly (keyof T & string)[])[]) {
  return (target: new () => T): void => {
    groups.set(target.prototype as object, given);
  };
}

/** The groups that a class declares; empty for other classes. */
export const groupsOf = ({ prototype }: Function): readonly (readonly string[])[] =>
  groups.get(prototype as object) ?? [];

function lacking(object: object): FieldError[] {
  const declared = groups.get(Object.getPrototypeOf(object) as object) ?? [];
  const missing = declared.map(group =>
    group.filter(field => (object as Record<string, unknown>)[field] == null),
  );
  return missing.some(fields => fields.length === 0)
    ? []
    : (missing.at(-1) ?? []).map(field => ({ field, message: fieldMessages.required }));
}

/** The library's rules of each class that was validated. */
const known = new Map<Function, ReturnType<typeof findRules>>();
const findRules = getMetadataStorage().getTargetValidationMetadatas.bind(getMetadataStorage());

/** For each object, the library would look through all classes for the rules of its class. */
getMetadataStorage().getTargetValidationMetadatas = (target, ...options) => {
  let found = known.get(target);
  if (!found) known.set(target, (found = findRules(target, ...options)));
  return found;
};

/** All broken rules of an input, including nested inputs. The schema has checked the types before. */
export function brokenRules(input: unknown): FieldError[] {
  const errors: FieldError[] = [];
  inspect(input, '', errors);
  return errors;
}

function inspect(value: unknown, path: string, errors: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isReadable(value)) errors.push({ field: path, message: fieldMessages.unreadableText });
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      // Enough errors to report.
      if (errors.length >= MAX_ERRORS) return;
      inspect(item, `${path}[${i}]`, errors);
    }
  } else if (typeof value === 'object' && value !== null) {
    inspectObject(value, path, errors);
  }
}

function inspectObject(object: object, path: string, errors: FieldError[]): void {
  errors.push(
    ...declaredErrors(object).map(({ field, message }) => ({ field: fieldPath(path, field), message })),
  );
  for (const [property, value] of Object.entries(object)) inspect(value, fieldPath(path, property), errors);
}

/** Errors by what the class of an input or of arguments declares: rules of single fields, groups, and `Rule`. */
function declaredErrors(object: object): FieldError[] {
  const ofFields = validateSync(object, { skipMissingProperties: true, forbidUnknownValues: false });
  return [
    ...ofFields.flatMap(({ property, constraints = {} }) =>
      Object.keys(constraints).map(rule => ({ field: property, message: sentence(object, property, rule) })),
    ),
    ...lacking(object),
    ...(rules.get(Object.getPrototypeOf(object) as object)?.(object as never) ?? []),
  ];
}

/** The path of a property in an input: `movimentacoes[1].quantidade`. */
export const fieldPath = (path: string, property: string): string =>
  path ? `${path}.${property}` : property;

function sentence(object: object, property: string, rule: string): Text {
  const metadata = getMetadataStorage()
    .getTargetValidationMetadatas(object.constructor, '', false, false)
    .find(m => m.propertyName === property && m.name === rule);
  return sentences[rule]!(metadata?.constraints ?? []);
}

/** Errors of a list's page and filters. What is nested in `filter` and `orderBy` is checked where it is used. */
export function listErrors(args: ListArgs, context: Context): FieldError[] {
  return [...pageErrors(args, context), ...textErrors(args), ...declaredErrors(args)];
}

/** Errors of the arguments for paging. */
export function pageErrors(
  { page, itemsPerPage }: { page?: number | null; itemsPerPage?: number | null },
  { services }: Context,
): FieldError[] {
  return [
    ...sizeErrors('page', page, Infinity),
    ...sizeErrors('itemsPerPage', itemsPerPage, services.listing.limits.itemsPerPage),
  ];
}

/** Errors of a number from 1 to `most`. */
export function sizeErrors(field: string, given: number | null | undefined, most: number): FieldError[] {
  if ((given ?? 1) < 1) return [{ field, message: fieldMessages.min(1) }];
  return (given ?? 1) > most ? [{ field, message: fieldMessages.max(most) }] : [];
}

/** Arguments with text that cannot be stored. Nested inputs are checked by their own rules. */
function textErrors(args: object): FieldError[] {
  const broken = Object.entries(args).filter(([, value]) => typeof value === 'string' && !isReadable(value));
  return broken.map(([field]) => ({ field, message: fieldMessages.unreadableText }));
}

/**
 * Validates an argument of a field for type-graphql, and reports all errors together. Unknown references are not looked
 * up here: foreign keys refuse them, and a failed mutation then names them (`graphql/guard.ts`).
 * @throws BAD_REQUEST, VALIDATION_FAILED
 */
export function validateArgument(value: unknown, context: Context, args: object): void {
  if (value instanceof ListArgs || typeof value === 'string') {
    const errors = value instanceof ListArgs ? listErrors(value, context) : textErrors(args);
    if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  } else if (typeof value === 'object' && value !== null) {
    const errors = brokenRules(value);
    if (errors.length > 0) throw invalid('VALIDATION_FAILED', errors);
  }
}
