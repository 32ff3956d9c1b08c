import { getNamedType, isObjectType, type GraphQLOutputType } from 'graphql';

/** The selection of all fields of a type, and of those that it leads to, this deep. */
export function selectAll(type: GraphQLOutputType, depth: number): string {
  const record = getNamedType(type);
  if (!isObjectType(record)) return '';
  const fields = Object.values(record.getFields()).flatMap(field => {
    if (!isObjectType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selectAll(field.type, depth - 1)}`] : [];
  });
  return `{ ${fields.join(' ')} }`;
}
