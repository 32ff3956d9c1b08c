type Json = Readonly<Record<string, unknown>>;

/** Keys with values of clients. These are not schemas, whatever their members are called. */
const VALUES = new Set(['default', 'enum', 'example', 'examples']);

const isNull = (schema: Json): boolean => schema['type'] === 'null';

/**
 * Converts the document to OpenAPI 3.0 for Swagger UI. A 3.1 document is resolved again as a whole for the list and for
 * each operation that a reader opens, which takes several times as long (swagger-api/swagger-ui#10748).
 */
export const inOpenApi30 = (document: object): object => ({
  ...(older(document) as object),
  openapi: '3.0.4',
});

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, VALUES.has(name) ? one : older(one)]);
  return olderSchema(Object.fromEntries(members) as Json);
}

/** Rewrites the keywords of a schema that only 3.1 has. All others are kept. */
function olderSchema({ $ref, const: only, ...rest }: Json): Json {
  const { type, anyOf, ...others } = rest;
  if ($ref !== undefined) return Object.keys(rest).length > 0 ? { ...rest, allOf: [{ $ref }] } : { $ref };
  if (only !== undefined) return { ...rest, enum: [only] };
  if (Array.isArray(type))
    return { ...rest, type: type.find(one => one !== 'null') as unknown, nullable: true };
  if (Array.isArray(anyOf) && anyOf.some(isNull)) {
    const schemas = anyOf.filter(schema => !isNull(schema as Json)) as unknown[];
    return { ...others, nullable: true, [schemas.length > 1 ? 'anyOf' : 'allOf']: schemas };
  }
  return rest;
}
