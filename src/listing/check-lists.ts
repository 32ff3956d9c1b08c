import {
  ReferenceKind,
  type EntityMetadata,
  type EntityProperty,
  type MetadataStorage,
} from '@mikro-orm/core';
import { declaredLists, type ListDeclaration } from './declaration.ts';
import { propertyNamed } from './builder.ts';

/**
 * Checks the declared lists against their entities at start.
 * @throws Error for a filter or an ordering by a column that does not exist
 */
export function checkLists(metadata: MetadataStorage): void {
  for (const [args, list] of declaredLists()) {
    const entity = metadata.get(list.entity());
    const broken = pathsOf(list).find(path => !leadsToColumn(entity, path));
    if (broken !== undefined) throw new Error(`${args.name}: ${entity.className} has no column ${broken}`);
    for (const { argument, within, paths, names } of list.filters) {
      const where = `${args.name}.${argument}`;
      // A `within` condition is inserted into the expression, where no links are joined.
      if (within && paths.some(path => path.includes('.')))
        throw new Error(`${where}: a filter that is within compares columns of ${entity.className} alone`);
      if (!names) continue;
      const named = metadata.get(names[0]());
      if (!leadsToColumn(named, names[1]))
        throw new Error(`${where}: ${named.className} has no column ${names[1]}`);
    }
  }
}

const pathsOf = ({ filters, orders, usually, byDefault }: ListDeclaration): string[] => [
  ...Object.keys(byDefault),
  ...filters.flatMap(({ paths }) => paths),
  ...[...orders, ...usually].map(({ path }) => path),
];

function leadsToColumn(entity: EntityMetadata, path: string): boolean {
  const links = path.split('.');
  const column = links.pop()!;
  let at: EntityMetadata | undefined = entity;
  for (const link of links) {
    const property: EntityProperty | undefined = at?.properties[link as never];
    at = property && property.kind !== ReferenceKind.ONE_TO_MANY ? property.targetMeta : undefined;
  }
  const found = at && propertyNamed(at, column);
  return found !== undefined && found.kind !== ReferenceKind.ONE_TO_MANY;
}
