import {
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLArgument,
  type GraphQLInputType,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { FieldError } from '../errors.ts';
import { fieldMessages } from '../messages.ts';
import type { Context } from './context.ts';
import { fieldPath } from './validation.ts';

type Entity = () => new () => object;

/** The number in this field must be the id of an existing record. */
export const References = (entity: Entity) => Extensions({ references: entity });

/** A reference in an input. */
interface Reference {
  field: string;
  entity: ReturnType<Entity>;
  id: number;
}

function referencesIn(type: GraphQLInputType, value: unknown, path: string): Reference[] {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return [];
  if (isListType(bare))
    return (value as unknown[]).flatMap((item, i) => referencesIn(bare.ofType, item, `${path}[${i}]`));
  if (!isInputObjectType(bare)) return [];
  return Object.values(bare.getFields()).flatMap(({ name, type: below, extensions }) => {
    const given = (value as Record<string, unknown>)[name];
    const field = fieldPath(path, name);
    const entity = (extensions['references'] as Entity | undefined)?.();
    return entity && typeof given === 'number'
      ? [{ field, entity, id: given }]
      : referencesIn(below, given, field);
  });
}

/** The references among the arguments of a field whose records do not exist. */
export async function unknownReferences(
  declared: readonly GraphQLArgument[],
  args: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<FieldError[]> {
  const wanted = declared.flatMap(({ name, type }) => referencesIn(type, args[name], ''));
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
