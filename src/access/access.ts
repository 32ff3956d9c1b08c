import { Extensions } from 'type-graphql';

/** What a caller needs for an operation (contract 6). */
export type Access =
  | { kind: 'public'; apiKey?: boolean }
  | { kind: 'own'; others?: string; readers?: string; apiKey?: boolean }
  | { kind: 'level'; controller: string; level: Level; apiKey?: boolean; once?: boolean };

/** 1 read, 2 write, 3 manage: approve, act for another person, read secrets' metadata. */
export type Level = 1 | 2 | 3;

interface RequiresOptions extends AccessOptions {
  /** Whether an `Idempotency-Key` is accepted. Not where the answer is a secret, because answers are stored. */
  once?: boolean;
}

interface AccessOptions {
  /** Whether the calling system must show its `app-name` and `api-key` too. */
  apiKey?: boolean;
}

const declare = (access: Access) => Extensions({ access });

/** Needs a live session whose person may act at `level` on `controller`, a path such as `almoxarifadoquimicos/materiais`. */
export const Requires = (controller: string, level: Level, options: RequiresOptions = {}) =>
  declare({ kind: 'level', controller, level, ...options });

interface OwnOptions extends AccessOptions {
  /** Controller on which level 3 lets a person act for another (`Context.actFor`). */
  others?: string;
  /** Controller on which level 1 lets a person read what is another's (`Context.readsAll`). */
  readers?: string;
}

/** Needs a live session. The operation itself shows and changes only what belongs to the caller. */
export const Own = (options: OwnOptions = {}) => declare({ kind: 'own', ...options });

/** Needs no session; with `apiKey` it needs the key of a system. */
export const Public = (options: AccessOptions = {}) => declare({ kind: 'public', ...options });

/** Whether a mutation with this access may be sent again under the same key. */
export const isRepeatable = (access: Access): boolean => access.kind === 'level' && access.once !== false;

/** The controllers that an operation names, which must stand in the permission tables. */
export function controllerOf(access: Access): string | undefined {
  if (access.kind === 'public') return undefined;
  return access.kind === 'level' ? access.controller : (access.others ?? access.readers);
}

/** What a root field declares that its caller needs; undefined when it declares nothing. */
export const accessOf = (field: { extensions: Readonly<Record<string, unknown>> }): Access | undefined =>
  field.extensions['access'] as Access | undefined;
