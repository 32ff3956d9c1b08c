import { readFile } from 'node:fs/promises';
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLNamedType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../src/rest/routes.ts';
import { createSchema } from '../src/graphql/schema.ts';

const schema = await createSchema();
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

type Described = [name: string, description: string | null | undefined];

/** A type and everything in it. */
function partsOf(type: GraphQLNamedType): Described[] {
  const at = (name: string) => `${type.name}.${name}`;
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(
    type as never,
  );
  const parts: Described[] = isRoot ? [] : [[type.name, type.description]];
  if (isEnumType(type)) parts.push(...type.getValues().map((v): Described => [at(v.name), v.description]));
  if (isInputObjectType(type))
    parts.push(...Object.values(type.getFields()).map((f): Described => [at(f.name), f.description]));
  if (isObjectType(type))
    for (const field of Object.values(type.getFields())) {
      parts.push([at(field.name), field.description]);
      parts.push(...field.args.map((a): Described => [`${at(field.name)}.${a.name}`, a.description]));
    }
  return parts;
}

it('docs/graphql.md names the path of every file that GraphQL does not return', async () => {
  const text = await readFile(new URL('../docs/graphql.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Files');
  const withFiles = routes.filter(
    ({ exports, document, streams, receives }) => exports ?? document ?? streams ?? receives,
  );
  expect(withFiles.length).toBeGreaterThan(4);
  for (const { method, path } of withFiles)
    expect(section).toMatch(new RegExp(`\\| .*\\| \`${method} ${path.replace(/[{}]/g, '\\$&')}[\`?]`));
  for (const { field } of withFiles.filter(({ exports, document }) => exports ?? document))
    expect(section).toContain(`\`${field}\``);
});

describe('the schema', () => {
  it('describes every type, field, argument, input field and value', () => {
    const parts = types.flatMap(partsOf);
    expect(parts.length).toBeGreaterThan(1_000);
    expect(parts.filter(([, description]) => !description).map(([name]) => name)).toEqual([]);
  });

  it('names the specifications of days and moments', () => {
    const own = types.filter(type => isScalarType(type) && !isSpecifiedScalarType(type));
    const urls = own.map(type => [type.name, isScalarType(type) && type.specifiedByURL]);
    expect(Object.fromEntries(urls)).toMatchObject({
      Date: 'https://scalars.graphql.org/andimarek/local-date.html',
      DateTime: 'https://scalars.graphql.org/andimarek/date-time.html',
    });
  });

  it('gives an id to all records of lists that have an identity', () => {
    const listed = types
      .filter(type => isObjectType(type))
      .flatMap(type => ('itemsPerPage' in type.getFields() ? [type.getFields()['data']!.type] : []))
      .map(type => getNamedType(type))
      .filter(type => isObjectType(type) && !('id' in type.getFields()));
    expect(listed.map(({ name }) => name).toSorted()).toEqual([
      // Months are totals, and are numbered within the result.
      'LinhaLivro',
      // The lines of a month are computed until it is closed.
      'LinhaMapa',
      // What it shows depends on the profiles.
      'MenuLateral',
      // Parameters are identified by name, entries of the directory by e-mail address.
      'ParametroRelatorio',
      // Each request computes the findings anew.
      'PendenciaMapa',
      // The figures of these rows depend on the filters.
      'PlanoCadastrado',
      'PlanoSituacaoTempo',
      'SituacaoPlanoCurso',
      'SituacaoPlanoDepartamento',
      'TramitacaoDocente',
      'TramitacaoPlanoCurso',
      'UsuarioDiretorio',
    ]);
  });
});
