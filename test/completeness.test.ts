import { readFile } from 'node:fs/promises';
import { getMetadataStorage as getRules } from 'class-validator';
import { lexicographicSortSchema, printSchema, type GraphQLObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/errors.ts';
import { accessOf } from '../src/access/access.ts';
import { rootFields } from '../src/graphql/guard.ts';
import { controllersOf, createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { openApiDocument } from '../src/rest/openapi.ts';
import { recordNames } from '../src/database/record-names.ts';
import { routes } from '../src/rest/routes.ts';
import { beyond } from '../src/rest/routes/beyond.ts';
import { sentences } from '../src/request/validation.ts';
import {
  bodies,
  nameOf,
  operations,
  type SpecifiedField,
  type SpecifiedParameter,
} from './spec/specification.ts';
import { isNullable, typeOf as jsonTypeOf, type Schema } from './support/json-schema.ts';
import { useService } from './support/service.ts';

const service = useService();
const schema = await createSchema();
const view = legacyView(schema, routes);
const document = openApiDocument(view) as OpenApi;

interface JsonSchema extends Schema {
  default?: unknown;
}
interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}
interface OpenApiOperation {
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

const documented = ({ path, method }: { path: string; method: string }): OpenApiOperation | undefined =>
  document.paths[path]?.[method.toLowerCase()];

describe('every operation of the specification', () => {
  it('has a route', () => {
    const routed = new Set(routes.map(nameOf));
    expect(operations.map(nameOf).filter(name => !routed.has(name))).toEqual([]);
  });

  it('has no route beside it, except those that are declared as beyond the specification', () => {
    const declared = new Set([...operations, ...beyond].map(nameOf));
    expect(routes.map(nameOf).filter(name => !declared.has(name))).toEqual([]);
  });

  it('is not declared as beyond the specification', () => {
    const specified = new Set(operations.map(nameOf));
    expect(beyond.map(nameOf).filter(name => specified.has(name))).toEqual([]);
  });

  it.each(operations.map(operation => [nameOf(operation), operation] as const))(
    '%s is documented with its parameters',
    (_name, operation) => {
      const parameters = documented(operation)!.parameters;
      for (const specified of operation.query) {
        const found = parameters.find(
          parameter => parameter.name === specified.name && parameter.in === 'query',
        );
        expect(found, specified.name).toBeDefined();
        expect(found!.required, specified.name).toBe(specified.required ?? false);
        expect(typeOf(specified, operation.path), specified.name).toContain(
          found!.schema.enum ? 'enum' : jsonTypeOf(found!.schema),
        );
        if (specified.default !== undefined)
          expect(found!.schema.default, specified.name).toBe(defaultOf(specified));
      }
    },
  );

  it.each(operations.filter(o => o.body && bodies[o.body]).map(o => [nameOf(o), o] as const))(
    '%s takes its body',
    (_name, operation) => {
      const body = documented(operation)!.requestBody!.content['application/json'].schema;
      for (const field of bodies[operation.body!]!) expectField(body, field, operation);
    },
  );
});

it('an item of a list of movements is documented as specified', () => {
  const item = document.components.schemas['MovimentacaoInput']!;
  for (const field of bodies['MovimentacaoItem']!) expectField(item, field, { method: 'POST' });
});

/**
 * Filters that the specification declares as integers, although codes and names contain letters (contract 8), and
 * registration numbers have any length and leading zeros (contract 10).
 */
const lettered = new Set(['codigoAtividade', 'nomeAtividade', 'estrutura', 'matricula']);
/** Where `situacao` is the name of a situation, not one character. */
const namedStates = '/academico/situacoes-atividade-curriculo';

/**
 * The type under which a specified type may be documented: keys are numbers, although some are specified as strings.
 */
function typeOf({ name, type, default: byDefault }: SpecifiedParameter, path: string): string[] {
  if (lettered.has(name) || (path === namedStates && name === 'situacao')) return ['string'];
  // Quantities are numbers, too.
  if (type === 'string' && /^(id[A-Z_]|qt_)/.test(name)) return ['integer', 'string'];
  // One character, `A` or `I`, in every field of this name (specification 2.2); in a teaching plan it is a code.
  if (type === 'string' && name.startsWith('situacao') && name !== 'situacaoCodigo') return ['enum'];
  if (type === 'order' || type.includes('|')) return ['enum'];
  if (type === 'string' && /^\d+$/.test(String(byDefault))) return ['integer'];
  if (type.endsWith('[]')) return ['array'];
  return [type === 'date' ? 'string' : type];
}

const defaultOf = ({ type, default: byDefault }: SpecifiedParameter): unknown =>
  type === 'string' && /^\d+$/.test(String(byDefault)) ? Number(byDefault) : byDefault;

const jsonTypes: Readonly<Record<string, string>> = { char: 'string', flag: 'string', date: 'string' };

function expectField(body: JsonSchema, field: SpecifiedField, { method }: { method: string }): void {
  const found = body.properties?.[field.name];
  expect(found, field.name).toBeDefined();
  // A record that may be null is a reference or null.
  const type = jsonTypeOf(found!) ?? (found!.anyOf && 'object');
  expect(type, field.name).toBe(jsonTypes[field.type] ?? field.type);
  // The specification requires criado_por of a material, and cnpj of a company, "on create only".
  const onlyOnCreate = ['criado_por', 'cnpj'].includes(field.name) && method === 'PUT';
  if (field.required && !onlyOnCreate) expect(body.required, field.name).toContain(field.name);
  if (field.nullable) expect(isNullable(found!), field.name).toBe(true);
}

describe('the schema', () => {
  it('declares the permission of every query and mutation', () => {
    expect(rootFields(schema).filter(field => !accessOf(field))).toEqual([]);
  });

  it('matches schema.graphql', async () => {
    const committed = await readFile(new URL('../schema.graphql', import.meta.url), 'utf8');
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`, 'npm run schema writes it anew').toBe(
      committed,
    );
  });

  it('describes every type, field and argument', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      type => !type.name.startsWith('__') && !(type.name in { Query: 1, Mutation: 1, Subscription: 1 }),
    );
    expect(types.filter(type => !type.description).map(type => type.name)).toEqual([]);
    const parts = types.flatMap(type =>
      'getFields' in type
        ? Object.values(type.getFields()).map(f => ({ name: `${type.name}.${f.name}`, ...f }))
        : [],
    );
    const args = rootFields(schema).flatMap(field =>
      field.args.map(arg => ({ ...arg, name: `${field.name}(${arg.name})` })),
    );
    const inputs = args.filter(arg => !/\((id|input)\)$/.test(arg.name));
    expect(
      [...rootFields(schema), ...parts, ...inputs].filter(part => !part.description).map(part => part.name),
    ).toEqual([]);
  });

  it('may have no resolver of a field that REST shows, because REST would not call it', () => {
    const { titulo } = (schema.getType('Material') as GraphQLObjectType).getFields();
    titulo!.resolve = () => '';
    try {
      expect(() => legacyView(schema, routes).schema).toThrow('Material.titulo: REST calls no resolvers');
    } finally {
      delete titulo!.resolve;
    }
  });

  it('has every controller in the permission tables', async () => {
    const rows = await service().sql(
      `select c.nome from controller c join sistema s on s.id = c.id_sistema where s.sigla = 'SII' order by 1`,
    );
    expect(rows.flat()).toEqual(expect.arrayContaining(controllersOf(schema)));
  });
});

/** Inputs that are stored without some of their characters. */
const storedShorter = new Set(['EmpresaInput.cnpj', 'ArmazemInput.cep']);

describe('the inputs', () => {
  const rules = getMetadataStorage().inputTypes.flatMap(({ target }) =>
    getRules()
      .getTargetValidationMetadatas(target, '', false, false)
      .map(rule => ({ ...rule, type: target.name })),
  );

  it('use only rules that have a message for people', () => {
    expect(rules.map(rule => rule.name!).filter(name => !(name in sentences))).toEqual([]);
  });

  it('accept no text longer than its column', () => {
    const lengths = new Map(
      rules
        .filter(rule => rule.name === 'maxLength')
        .map(rule => [`${rule.type}.${rule.propertyName}`, rule.constraints[0] as number]),
    );
    for (const [name, length] of lengths) {
      const [type, property] = name.split('.') as [string, string];
      const entity = service()
        .services.orm.getMetadata()
        .getByClassName(type.replace(/(Create|Update)?Input$/, ''), false);
      const column = entity?.props.find(p => p.name === property);
      if (column && !storedShorter.has(name)) expect(length, name).toBe(column.length);
    }
    expect(lengths.size).toBeGreaterThan(0);
  });
});

describe('the errors', () => {
  it('are all documented, and no others are', async () => {
    const docs = await readFile(new URL('../docs/errors.md', import.meta.url), 'utf8');
    const rows = [...docs.matchAll(/^\| `([A-Z_]+)` +\| (\d+) +\|/gm)].map(match => [
      match[1],
      Number(match[2]),
    ]);
    expect(rows).toEqual(Object.entries(catalogue).map(([code, { status }]) => [code, status]));
  });
});

describe('the database', () => {
  it('matches the entities: no migration is missing', async () => {
    expect(await service().services.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  });

  it('has a name for people for every table whose rows may prevent a deletion', async () => {
    const linked = await service().sql(
      `select distinct conrelid::regclass::text from pg_constraint where contype = 'f' order by 1`,
    );
    expect(linked.flat()).toEqual(Object.keys(recordNames).toSorted());
  });
});
