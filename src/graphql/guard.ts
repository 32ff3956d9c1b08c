import {
  defaultFieldResolver,
  getNullableType,
  isObjectType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { accessOf, isRepeatable, type Access } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { AppError, invalid, type ErrorCode, type FieldError } from '../errors.ts';
import { onceOnly } from '../request/idempotency.ts';
import { RecordList } from '../listing/list.ts';
import { Call } from '../request/call.ts';
import { unknownReferences } from '../request/references.ts';
import { sawPrimary } from '../request/saw-primary.ts';
import { inSpan } from '../runtime/spans.ts';
import { storingFlags } from './flags.ts';
import { hasArguments } from '../listing/selection.ts';
import { resolveInSlices, sliced } from './long-lists.ts';
import { publicError } from './public-error.ts';

type Field = GraphQLField<unknown, Context>;

export function rootFields(schema: GraphQLSchema): Field[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap(type =>
    Object.values(type?.getFields() ?? {}),
  );
}

/** Checks the caller's permission for a field before the arguments are converted. @throws UNAUTHENTICATED, FORBIDDEN */
export async function authorizeField(context: Context, field: Field): Promise<void> {
  try {
    await context.caller.authorize(accessOf(field)!);
  } catch (error) {
    await context.services.refusals.operation(context, field.name, error);
    throw error;
  }
}

/** Converts the error of a field for the client, and records it in the log and the audit trail where needed. */
export async function handleFieldError(
  error: unknown,
  field: Field,
  context: Context,
): Promise<GraphQLError> {
  context.trace.runs(field.name);
  return shownError(error, field.name, context);
}

async function shownError(error: unknown, name: string, context: Context): Promise<GraphQLError> {
  await context.services.refusals.operation(context, name, error);
  const known = publicError(error, context);
  context.trace.failed(known.extensions['code']);
  return known;
}

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** Errors that no unknown reference explains. In the place of a refusal, it would tell which records exist. */
const NOT_OF_INPUT: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'PRECONDITION_FAILED',
  'RATE_LIMITED',
  'UNAVAILABLE',
]);

/** Makes a mutation run at most once for each `Idempotency-Key`, and names all unknown references if it fails. */
const mutation =
  (resolve: Resolve, access: Access, { args: declared }: Field): Resolve =>
  async (source, args, context, info) => {
    const once = onceOnly(access, context, info);
    if (!isRepeatable(access)) context.trace.isSecret = true;
    const stored =
      once && (await once.storedAnswer(context.reader, (await context.caller.presumedSession()).idPessoa));
    if (stored) {
      await sawPrimary(context);
      return new Call(context, info).replayed(stored.answer);
    }
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      await sawPrimary(context);
      if (error instanceof AppError && NOT_OF_INPUT.has(error.code)) throw error;
      const unknown = await unknownReferences(declared, args, context).catch(() => []);
      throw unknown.length > 0 ? withUnknown(error, unknown) : error;
    }
  };

/**
 * The database reports only one unknown reference, without its field. Broken rules are reported before the database is
 * used.
 */
function withUnknown(error: unknown, unknown: readonly FieldError[]): AppError {
  const rules =
    (error instanceof AppError && error.code === 'VALIDATION_FAILED' && error.details.errors) || [];
  const others = unknown.filter(({ field }) => !rules.some(broken => broken.field === field));
  return invalid('VALIDATION_FAILED', [...rules, ...others]);
}

/** Each field's resolver after its permission check. It returns the list itself, without reading it. */
const permitted = new WeakMap<Field, Resolve>();

/** Runs the work of a field, and converts its error. */
async function running<T>(field: Field, context: Context, work: () => Promise<T>): Promise<T> {
  context.trace.runs(field.name);
  try {
    return await inSpan(field.name, work);
  } catch (error) {
    throw await handleFieldError(error, field, context);
  }
}

/**
 * Passes the list that a field returns, not yet read, to `send`. The time limit applies only until the list is known:
 * the speed of a download depends on the client.
 */
export const sendingList = (
  field: Field,
  args: Record<string, unknown>,
  context: Context,
  send: (list: RecordList) => Promise<void>,
): Promise<void> =>
  running(field, context, async () => {
    const resolve = permitted.get(field)!;
    const list = await context.inTime(async () => resolve(undefined, args, context, undefined as never));
    return send(list as RecordList);
  });

/**
 * Wraps every query and mutation: checks its permission, reads the page of the list that it returns, and converts its
 * errors. Makes each field nullable, so that a failed one does not hide the results of the others.
 * @throws Error at start when a field declares no permission
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  const mutations = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}));
  for (const field of rootFields(schema)) {
    const access = declaredAccess(field);
    field.type = getNullableType(field.type);
    const resolve = storingFlags(field, field.resolve ?? defaultFieldResolver);
    const answer = mutations.has(field) ? mutation(resolve, access, field) : resolve;
    const ask: Resolve = async (source, args, context, info) => {
      await context.caller.letIn(access);
      return answer(source, args, context, info);
    };
    permitted.set(field, ask);
    field.resolve = (source, args, context, info) =>
      running(field, context, () =>
        context.inTime(async () => {
          const found: unknown = await ask(source, args, context, info);
          return found instanceof RecordList ? new Call(context, info, {}, args).answer(found) : found;
        }),
      );
  }
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    guardSubscription(field);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      const { readsLater, readsRefined, readsTogether } = field.extensions;
      // A field that is read for several records together converts its error only once.
      if (readsTogether || (!readsLater && !readsRefined)) continue;
      field.resolve = readsLater ? readingLater(field.resolve!) : orWithRecord(field.resolve!);
    }
  return schema;
}

/** @throws Error at start when the field declares no permission */
function declaredAccess(field: Field): Access {
  const access = accessOf(field);
  if (!access) throw new Error(`${field.name} declares no permission: add @Requires, @Own or @Public`);
  return access;
}

/** Checks the permission for a subscription before it begins, and converts its errors. Its results are not changed. */
function guardSubscription(field: Field): void {
  const access = declaredAccess(field);
  field.type = getNullableType(field.type);
  const { subscribe } = field;
  field.subscribe = (source, args, context, info) =>
    running(field, context, () =>
      context.inTime(async () => {
        await context.caller.authorize(access);
        return subscribe!(source, args, context, info);
      }),
    );
}

/** A field without arguments was read together with its record. Long lists are resolved in slices, as elsewhere. */
const orWithRecord =
  (refined: Resolve): Resolve =>
  (source, args, context, info) =>
    hasArguments(info.fieldNodes[0]!)
      ? Promise.resolve(refined(source, args, context, info)).then(sliced)
      : resolveInSlices(source, args, context, info);

const readingLater =
  (resolve: Resolve): Resolve =>
  (source, args, context, info) =>
    later(context, info, async () => resolve(source, args, context, info));

/** Reads a field after its record, within the time limit of the query, and converts its error. */
export async function later<T>(
  context: Context,
  { parentType, fieldName }: Pick<GraphQLResolveInfo, 'parentType' | 'fieldName'>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await context.inTime(read);
  } catch (error) {
    throw await shownError(error, `${parentType.name}.${fieldName}`, context);
  }
}
