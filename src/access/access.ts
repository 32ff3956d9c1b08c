import { Extensions } from 'type-graphql';

/** The permission that an operation requires (contract 6). */
export type Access =
  | { kind: 'public'; apiKey?: boolean; presumesSystem?: boolean }
  | { kind: 'own'; others?: string; readers?: string; person?: string; managers?: boolean; apiKey?: boolean }
  | {
      kind: 'level';
      controller: string;
      level: Level;
      apiKey?: boolean;
      once?: boolean;
      inTransaction?: boolean;
    };

/** 1 read, 2 write, 3 manage: approve, act for another person, read the metadata of secrets. */
export type Level = 1 | 2 | 3;

/** The caller: a live session, with the person's permissions. */
export interface Session {
  id: number;
  idPessoa: number;
  idSistema: number;
  /** Level that applies to every controller of this service; 0 for none. */
  everywhere: number;
  /** Level on each single controller. */
  levels: Readonly<Record<string, number>>;
}

export interface RequiresOptions extends AccessOptions {
  /**
   * Whether clients may send an `Idempotency-Key`. False if the answer contains a secret, because answers are stored.
   */
  once?: boolean;
  /**
   * Whether a mutation does nothing before the transaction of its write (`request/writing.ts`). Its session is then read
   * with the first statement of the transaction.
   */
  inTransaction?: boolean;
}

interface AccessOptions {
  /** Whether the calling system must also send its `app-name` and `api-key`. */
  apiKey?: boolean;
}

const declare = (access: Access) => Extensions({ access });

/**
 * Requires a live session whose person has `level` on `controller`, a path such as `almoxarifadoquimicos/materiais`.
 */
export const Requires = (controller: string, level: Level, options: RequiresOptions = {}) =>
  declare({ kind: 'level', controller, level, ...options });

interface OwnOptions extends AccessOptions {
  /** Level 3 on this controller lets a person act for another one (`actFor`). */
  others?: string;
  /** Level 1 on this controller lets a person read the records of others (`Caller.readsAll`). */
  readers?: string;
  /** Path from a record to its owner, if this alone decides which records a caller sees. */
  person?: string;
  /** Whether the operation asks what the caller manages, so that it is for people with level 3 on some controller. */
  managers?: boolean;
}

/** Requires a live session. The operation shows and changes only records of the caller. */
export const Own = (options: OwnOptions = {}) => declare({ kind: 'own', ...options });

interface PublicOptions extends AccessOptions {
  /** Whether the operation itself confirms the calling system, with its first read (`SentSystem.confirmed`). */
  presumesSystem?: boolean;
}

/** Requires no session. With `apiKey`, the calling system must still send its key. */
export const Public = (options: PublicOptions = {}) => declare({ kind: 'public', ...options });

/** Whether a client may repeat a mutation with this access under the same `Idempotency-Key`. */
export const isRepeatable = (access: Access): boolean => access.kind === 'level' && access.once !== false;

/** Whether the session of a mutation may be read in the transaction of its write. */
export const isInTransaction = (access: Access | undefined): boolean =>
  access?.kind === 'level' && access.inTransaction === true;

/** The controller of an operation, if it has one. It must exist in the permission tables. */
export function controllerOf(access: Access): string | undefined {
  if (access.kind === 'public') return undefined;
  return access.kind === 'level' ? access.controller : (access.others ?? access.readers);
}

/** The permission that a root field declares; undefined if it declares none. */
export const accessOf = (field: { extensions: Readonly<Record<string, unknown>> }): Access | undefined =>
  field.extensions['access'] as Access | undefined;
