interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface OpenApi {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
}

/** They choose another form of the same answer. */
const FORMS = new Set(['pagination', 'export', 'pdf', 'planilha', 'formatoPlanilha', 'orientacao']);

const VALUES: Readonly<Record<string, readonly string[]>> = {
  boolean: ['true', 'false'],
  integer: ['1', '20000'],
  number: ['1', '20000'],
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-06-01'],
  'date-time': ['2026-06-01T00:00:00Z'],
};
const TEXTS = ['a', 'zzqxk'];

function valuesOf(schema: Schema = {}): readonly string[] {
  const { type, format = '', items, anyOf, oneOf } = schema;
  if (schema.enum) return schema.enum.filter(one => one !== null).map(String);
  const [one] = anyOf ?? oneOf ?? [];
  if (one) return valuesOf(one);
  if (items) return valuesOf(items);
  return FORMATS[format] ?? VALUES[[type].flat()[0] ?? ''] ?? TEXTS;
}

/** Paths of every list of REST whose path contains `only`: by default, and with each parameter in turn, by pages. */
export function restQuestions(document: OpenApi, only: string): string[] {
  const resolved = <T extends { $ref?: string }>(one: T): T =>
    one.$ref
      ? (one.$ref
          .split('/')
          .slice(1)
          .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T)
      : one;
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (!get || path.includes('{') || !path.includes(only)) return [];
    const parameters = (get.parameters ?? []).map(resolved).filter(one => one.in === 'query');
    const values = (one: Parameter): readonly string[] => valuesOf(one.schema && resolved(one.schema));
    const usual = parameters.filter(one => one.required).map(one => [one.name, values(one)[0]!]);
    if (parameters.some(({ name }) => name === 'pagination')) usual.push(['pagination', 'true']);
    const varied = parameters
      .filter(({ name }) => !FORMS.has(name))
      .flatMap(one => values(one).map(value => [one.name, value]));
    return [[], ...varied].map(([name, value]) => {
      const query = new URLSearchParams(usual);
      if (name !== undefined) query.set(name, value!);
      return `${path}?${query.toString()}`;
    });
  });
}
