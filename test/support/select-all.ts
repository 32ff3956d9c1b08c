import { getNamedType, isObjectType, type GraphQLOutputType } from 'graphql';

/**
 * The selection of all fields of a type and of linked types, to this depth. Pages of linked records and sums are left
 * out: test/graph-rights.test.ts reads them.
 */
export function selectAll(type: GraphQLOutputType, depth: number): string {
  const record = getNamedType(type);
  if (!isObjectType(record)) return '';
  const own = Object.values(record.getFields()).filter(({ extensions }) => !extensions['readsLater']);
  const fields = own.flatMap(field => {
    if (!isObjectType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selectAll(field.type, depth - 1)}`] : [];
  });
  return `{ ${fields.join(' ')} }`;
}
