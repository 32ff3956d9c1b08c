import { Extensions } from 'type-graphql';

/** What a caller needs for an operation (contract 6). */
export type Access =
  | { kind: 'public'; apiKey?: boolean }
  | { kind: 'own'; others?: string; apiKey?: boolean }
  | { kind: 'level'; controller: string; level: Level; apiKey?: boolean };

/** 1 read, 2 write, 3 manage: approve, act for another person, read secrets' metadata. */
export type Level = 1 | 2 | 3;

interface AccessOptions {
  /** Whether the calling system must show its `app-name` and `api-key` too. */
  apiKey?: boolean;
}

const declare = (access: Access) => Extensions({ access });

/** Needs a live session whose person may act at `level` on `controller`, a path such as `almoxarifadoquimicos/materiais`. */
export const Requires = (controller: string, level: Level, options: AccessOptions = {}) =>
  declare({ kind: 'level', controller, level, ...options });

interface OwnOptions extends AccessOptions {
  /** Controller on which level 3 lets a person act for another (`Context.actFor`). */
  others?: string;
}

/** Needs a live session; the operation itself shows and changes no more than what is the caller's own. */
export const Own = (options: OwnOptions = {}) => declare({ kind: 'own', ...options });

/** Needs nothing but, where it says so, a system's key. */
export const Public = (options: AccessOptions = {}) => declare({ kind: 'public', ...options });

/** The controllers that an operation names, which must stand in the permission tables. */
export function controllerOf(access: Access): string | undefined {
  return access.kind === 'level' ? access.controller : access.kind === 'own' ? access.others : undefined;
}
