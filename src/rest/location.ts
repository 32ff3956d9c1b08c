import { getNamedType, isObjectType } from 'graphql';
import { snakeCase } from '../text/names.ts';
import { isPage } from './legacy-field.ts';
import type { Operation } from './operation.ts';
import { successStatus } from './route.ts';

/**
 * The operation below the path of a creation that reads what was created; undefined for several created records, which
 * are returned as a page. The one below `/permissoes/permissoes` reads a list: the permissions of the person whose id is
 * in the path.
 */
export function readerOf(creation: Operation, operations: readonly Operation[]): Operation | undefined {
  const { route } = creation;
  if (successStatus(route) !== 201 || answersPage(creation)) return undefined;
  return operations.find(
    read =>
      read.route.method === 'GET' && read.route.path.startsWith(`${route.path}/{`) && !answersPage(read),
  );
}

function answersPage({ field }: Operation): boolean {
  const type = getNamedType(field.type);
  return isObjectType(type) && isPage(type);
}

/** Returns a function for the `Location` of a created record: the path that reads it, with the record's keys. */
export function locator(operations: readonly Operation[]) {
  return (creation: Operation, record: Record<string, unknown>): string | undefined => {
    const reader = readerOf(creation, operations);
    const keys = reader?.parameters.filter(({ place }) => place === 'path') ?? [];
    return keys.reduce(
      (path, { name, property }) => path?.replace(`{${name}}`, String(record[snakeCase(property)])),
      reader?.route.path,
    );
  };
}
