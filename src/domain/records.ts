import { LockMode, ReferenceKind, sql, type EntityMetadata } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Lock } from '../database/turns.ts';
import { linkKey } from '../entities/column.ts';
import type { Registro } from '../entities/registro.ts';
import { notFound } from '../errors.ts';
import type { Call } from '../request/call.ts';
import { requireSeen } from '../request/seen.ts';
import { writingAs } from '../request/writing.ts';

type RecordClass<T extends Registro> = new () => T;

/** Author fields that a client may send (contract 4). */
interface Authors {
  criadoPor?: number | null;
  alteradoPor?: number | null;
}

/** A step that sets what an input cannot set, such as the children of a record, in the same transaction. */
export interface Complete<T, I> {
  (record: T, input: I, em: EntityManager, call: Call): Promise<void>;
  /**
   * Runs before the record with this id is locked, for locks that come earlier in the lock order of writes. A new
   * record has no id, and a deletion has an empty input.
   */
  first?: (em: EntityManager, id: number | undefined, input: Partial<I>) => Promise<void>;
  /** The locks of `first`, as far as they are known before. Other writes of this process wait for them. */
  turns?: (input: Partial<I>) => readonly Lock[];
  /** Runs last. It may add data to the answer (`written`) that is not a column. */
  last?: (record: T, written: T, em: EntityManager, call: Call) => Promise<void>;
}

/** Creates a record from an input and returns the stored record. */
export async function createRecord<T extends Registro, I extends Authors & object>(
  call: Call,
  entity: RecordClass<T>,
  input: I,
  complete?: Complete<T, I>,
): Promise<T> {
  return writingAs(call, locksOf(complete, input), async em => {
    await complete?.first?.(em, undefined, input);
    return created({ call, em, entity, complete }, input);
  });
}

/**
 * Creates a record, or reactivates an inactive one with the same key. `first` must take a lock that all changes of such
 * records take, so that a record that is active by then is a duplicate. @throws DUPLICATE
 */
export async function createOrRevive<T extends Registro, I extends Authors & object>(
  call: Call,
  entity: RecordClass<T>,
  unique: object,
  input: I,
  complete?: Complete<T, I>,
): Promise<T> {
  return writingAs(call, locksOf(complete, input), async em => {
    await complete?.first?.(em, undefined, input);
    const key = { ...unique, situacao: 'I' };
    const inactive = await em.findOne(entity, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const write = { call, em, entity, complete };
    if (!inactive) return created(write, input);
    const { situacao } = input as { situacao?: string | null };
    return changed(write, inactive as T, { ...input, situacao: situacao ?? 'A' });
  });
}

/** Changes the given fields of a record and returns the result. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function updateRecord<T extends Registro, I extends Authors & object>(
  call: Call,
  entity: RecordClass<T>,
  id: number,
  input: I,
  complete?: Complete<T, I>,
): Promise<T> {
  return writingAs(call, locksOf(complete, input, [entity, id]), async em => {
    await complete?.first?.(em, id, input);
    const write = { call, em, entity, complete };
    return changed(write, await locked(write, id), input);
  });
}

/** A write of a record in its transaction. */
interface Write<T extends Registro, I> {
  call: Call;
  em: EntityManager;
  entity: RecordClass<T>;
  complete?: Complete<T, I> | undefined;
}

async function created<T extends Registro, I extends Authors & object>(
  write: Write<T, I>,
  input: I,
): Promise<T> {
  const { call, em, entity } = write;
  const { idPessoa } = await call.context.caller.presumedSession();
  const authors = { criadoPor: input.criadoPor ?? idPessoa, alteradoPor: input.alteradoPor ?? idPessoa };
  const record = em.create(entity, { ...columnsOf(em, entity, input), ...authors } as never);
  return completed(write, record, input);
}

async function changed<T extends Registro, I extends Authors & object>(
  write: Write<T, I>,
  record: T,
  input: I,
): Promise<T> {
  const { call, em, entity } = write;
  const { idPessoa } = await call.context.caller.presumedSession();
  const written = {
    criadoPor: input.criadoPor ?? record.criadoPor,
    alteradoPor: input.alteradoPor ?? idPessoa,
    // Set even if only related records change, so that this record gets a new version.
    alteradoEm: sql.now(),
  };
  em.assign(record, { ...columnsOf(em, entity, input), ...written } as never);
  return completed(write, record, input);
}

/** Completes and stores a record. Returns it as it is stored, with the additions of `complete`. */
async function completed<T extends Registro, I>(
  { call, em, entity, complete }: Write<T, I>,
  record: T,
  input: I,
): Promise<T> {
  await complete?.(record, input, em, call);
  await em.flush();
  const written = (await call.written(em, entity, { id: record.id }))!;
  await complete?.last?.(record, written, em, call);
  return written;
}

/** Deletes a record and returns its last state. @throws NOT_FOUND, PRECONDITION_FAILED, REFERENCED */
export function deleteRecord<T extends Registro>(
  call: Call,
  entity: RecordClass<T>,
  id: number,
  complete?: Complete<T, object>,
): Promise<T> {
  return writingAs(call, locksOf(complete, {}, [entity, id]), async em => {
    await complete?.first?.(em, id, {});
    const record = await locked({ call, em, entity }, id);
    const stood = (await call.written(em, entity, { id }))!;
    em.remove(record);
    await complete?.(record, {}, em, call);
    await em.flush();
    await complete?.last?.(record, stood, em, call);
    return stood;
  });
}

/** A step that only locks what comes before the record. */
export const locking = <T, I>({ first, turns }: Pick<Complete<T, I>, 'first' | 'turns'>): Complete<T, I> =>
  Object.assign(async () => {}, { first, turns });

/** What the write locks: the locks of `first`, and the record if it exists. */
const locksOf = <I>(
  complete: { turns?: (input: Partial<I>) => readonly Lock[] } | undefined,
  input: Partial<I>,
  record?: readonly [entity: { name: string }, id: number],
): { locks: Lock[] } => ({
  locks: [...(complete?.turns?.(input) ?? []), ...(record ? [recordLock(...record)] : [])],
});

/** The lock on a record. */
export const recordLock = ({ name }: { name: string }, id: number | string): Lock => [
  'record',
  `${name} ${id}`,
];

async function locked<T extends Registro, I>({ call, em, entity }: Write<T, I>, id: number): Promise<T> {
  const record = await em.findOne(entity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!record) throw notFound();
  requireSeen(call.extras, record as T);
  return record as T;
}

/**
 * The columns that an input sets: its own fields, and links by their key (`idUnidadeMedida`). Absent fields are
 * skipped. So is null for a column that is never empty (contract 4): a new record has the default, another one keeps
 * its value.
 */
function columnsOf<T extends Registro>(
  em: EntityManager,
  entity: RecordClass<T>,
  input: object,
): Record<string, unknown> {
  const metadata: EntityMetadata = em.getMetadata().get(entity);
  const columns: Record<string, unknown> = {};
  for (const property of metadata.props) {
    const key = property.kind === ReferenceKind.MANY_TO_ONE ? linkKey(property.name) : property.name;
    const value = (input as Record<string, unknown>)[key];
    if (value === undefined || property.kind === ReferenceKind.ONE_TO_MANY || property.primary) continue;
    if (value !== null || property.nullable) columns[property.name] = value;
  }
  return columns;
}
