import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { legacyView } from '../../src/rest/legacy-schema.ts';
import { openApiDocument } from '../../src/rest/openapi.ts';
import { routes } from '../../src/rest/routes.ts';
import { nameOf, operations as specified } from '../spec/specification.ts';
import { anyContentType, oddHeaders } from './fuzz-headers.ts';
import { anyBody, anyEscaped, anyJson, jsonObject, oddMember, words } from './fuzz-values.ts';
import { typeOf, type Schema } from './json-schema.ts';
import type { Wire } from './fuzz-watch.ts';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

/** A documented REST operation, with the query parameters of the specification. */
export interface Documented {
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  components: Readonly<Record<string, Schema>>;
}

/** Every operation of `/openapi.json`. */
export function documentedOperations(schema: GraphQLSchema): Documented[] {
  const document = openApiDocument(legacyView(schema, routes)) as {
    paths: Record<
      string,
      Record<
        string,
        { parameters: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
      >
    >;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { parameters, requestBody }]) => {
      const method = verb.toUpperCase();
      const query = specified.find(one => nameOf(one) === `${method} ${path}`)?.query ?? [];
      const unnamed = query.filter(({ name }) => !parameters.some(known => known.name === name));
      return {
        method,
        path,
        parameters: [
          ...parameters.filter(one => one.in !== 'header'),
          ...unnamed.map(({ name }) => ({ name, in: 'query', required: false, schema: {} })),
        ],
        body: requestBody?.content['application/json']?.schema,
        components: document.components.schemas,
      };
    }),
  );
}

/** A value that matches its schema, as JSON. An id is usually that of an existing record. */
function fitting(
  schema: Schema,
  components: Documented['components'],
  name = '',
  depth = 0,
): fc.Arbitrary<string> {
  if (schema.$ref) return fitting(components[schema.$ref.split('/').at(-1)!]!, components, name, depth);
  if (schema.anyOf) return fitting(schema.anyOf[0]!, components, name, depth);
  if (schema.enum) return fc.constantFrom(...schema.enum).map(value => JSON.stringify(value));
  if (schema.properties) return members(schema, components, depth + 1);
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return fc.integer({ min: 1, max: 5 }).map(String);
    case 'boolean':
      return fc.boolean().map(String);
    case 'array':
      return fc
        .array(fitting(schema.items ?? {}, components, name, depth + 1), { maxLength: depth > 2 ? 1 : 3 })
        .map(items => `[${items.join(',')}]`);
    default:
      return (schema.format === 'date' ? fc.constantFrom('2026-01-31', '2031/12/01') : fitsText(name)).map(
        text => JSON.stringify(text),
      );
  }
}

/** Valid text for a field of this name. */
const fitsText = (name: string): fc.Arbitrary<string> => {
  if (/^(fl_|obriga)/.test(name)) return fc.constantFrom('S', 'N');
  if (name === 'situacao') return fc.constantFrom('A', 'I');
  if (/mail|Conta/.test(name))
    return fc.constantFrom('docente@universidade.example', 'compras@universidade.example');
  if (name === 'conteudo') return fc.constant('YQ==');
  return fc.constantFrom('L', 'S', 'texto', 'Ácido', 'text/plain', 'docente');
};

/** An object with mostly valid members. Some are random, absent, given twice, or unknown to the schema. */
function members(schema: Schema, components: Documented['components'], depth: number): fc.Arbitrary<string> {
  const known = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const value = fc.oneof(
      { weight: 14, arbitrary: fitting(property, components, name, depth) },
      { weight: 1, arbitrary: anyJson },
    );
    const one = value.map(json => [[name, json] as const]);
    const isRequired = schema.required?.includes(name);
    return fc.oneof(
      { weight: 12, arbitrary: one },
      { weight: isRequired ? 1 : 5, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.tuple(one, anyJson).map(([first, json]) => [...first, [name, json] as const]),
      },
    );
  });
  const odd = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: oddMember.map(one => [one]) },
  );
  return fc.tuple(...known, odd).map(parts => jsonObject(parts.flat()));
}

/** A query parameter in the URL: usually absent or as documented, sometimes random, repeated, nested or as an array. */
function queryPart(
  { name, schema, required }: Parameter,
  components: Documented['components'],
): fc.Arbitrary<string> {
  const fits = fitting(schema, components, name).map(json =>
    encodeURIComponent(json.replace(/^"(.*)"$/s, '$1')),
  );
  const value = fc.oneof({ weight: 2, arbitrary: fits }, { weight: 1, arbitrary: anyEscaped });
  return fc.oneof(
    { weight: required ? 1 : 12, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: value.map(text => `${name}=${text}`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('', '[]', '[0]', '[a]', '[__proto__]', '%5B%5D', '.a'), value, value)
        .map(([suffix, first, second]) => `${name}=${first}&${name}${suffix}=${second}`),
    },
    { weight: 1, arbitrary: fc.constantFrom(name, `${name}=`, `=${name}`, `${name}==1`) },
  );
}

/** Parameters that no operation has. */
const oddQuery = fc.constantFrom(
  ...words(`&& a __proto__=1 __proto__[a]=1 constructor=1 toString=1 a[b]=1 a[]=1&a=2 ? a=1?b=2 %=1 %zz=%zz %C0%AF=1 #
    orderBy=id;drop order[id]=asc filter={"$gt":1}`),
);

/** Any request to an operation, without the headers that identify the caller. */
export function anyRequest({ method, path, parameters, body, components }: Documented): fc.Arbitrary<Wire> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
  const key = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }).map(String) },
    { weight: 1, arbitrary: anyEscaped },
  );
  const keys = fc.tuple(...names.map(() => key));
  const query = fc.tuple(
    ...parameters
      .filter(parameter => parameter.in === 'query')
      .map(parameter => queryPart(parameter, components)),
    fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: oddQuery }),
  );
  const fits = fitting(body ?? {}, components).map(text => Buffer.from(text));
  const bytes = fc.oneof({ weight: 12, arbitrary: fits }, { weight: 1, arbitrary: anyBody });
  return fc.record({ keys, query, bytes, headers: oddHeaders, type: anyContentType }).map(given => {
    const target = names.reduce((at, name, i) => at.replace(`{${name}}`, () => given.keys[i]!), path);
    const asked = given.query.filter(part => part !== '').join('&');
    return {
      method,
      target: asked ? `${target}?${asked}` : target,
      headers: { ...given.headers, ...(body && { 'content-type': given.type }) },
      ...(body && { body: given.bytes }),
    };
  });
}
