/** What is read of an OpenAPI 3.0 document, as `src/rest/openapi.ts` writes it. */
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
  allOf?: [Schema];
  anyOf?: Schema[];
  type?: string;
  format?: string;
  nullable?: boolean;
  default?: unknown;
  enum?: string[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** A schema without its references: what it says itself, with what the one says that it refers to. */
export function resolve(document: Pick<Document, 'components'>, schema: Schema): Schema {
  const { $ref, allOf, ...own } = schema;
  const referred = $ref ? document.components.schemas[$ref.split('/').at(-1)!] : allOf?.[0];
  return referred ? { ...resolve(document, referred), ...own } : own;
}
