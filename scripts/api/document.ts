/** The parts of an OpenAPI document that are compared: 3.1 as `src/rest/openapi.ts` writes it, or 3.0 as it once did. */
export interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

export type Content = Record<string, { schema: Schema }>;

export interface Schema {
  $ref?: string;
  /** In OpenAPI 3.0, with a reference. */
  allOf?: [Schema];
  anyOf?: Schema[];
  type?: string | string[];
  format?: string;
  /** In OpenAPI 3.0. */
  nullable?: boolean;
  default?: unknown;
  enum?: (string | null)[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** A schema in one form for both versions of OpenAPI. */
export interface Plain extends Omit<Schema, 'type' | 'allOf' | 'nullable'> {
  type?: string;
  isNullable: boolean;
}

export function plain(schema: Schema): Plain {
  const { allOf, anyOf, type, nullable = false, enum: values, ...own } = schema;
  const types = [type ?? []].flat();
  const others = anyOf?.filter(one => one.type !== 'null');
  const isNullable = nullable || types.includes('null') || others?.length !== anyOf?.length;
  const only = allOf?.[0] ?? (isNullable && others?.length === 1 ? others[0] : undefined);
  const kind = types.find(one => one !== 'null');
  return {
    ...own,
    ...(only?.$ref && { $ref: only.$ref }),
    ...(!only && others && { anyOf: others }),
    ...(kind && !only && { type: kind }),
    ...(values && { enum: values.filter(value => value !== null) }),
    isNullable,
  };
}

/** A schema without references: its own declarations, merged with those of the schema that it refers to. */
export function resolve(document: Pick<Document, 'components'>, schema: Schema): Plain {
  const { $ref, ...own } = plain(schema);
  if (!$ref) return own;
  return { ...resolve(document, document.components.schemas[$ref.split('/').at(-1)!]!), ...own };
}
