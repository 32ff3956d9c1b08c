import fc from 'fast-check';
import {
  getNamedType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../src/request/context.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { listsOf } from './support/lists.ts';
import { selectAll } from './support/select-all.ts';
import { useService } from './support/service.ts';

type Field = GraphQLField<unknown, Context>;

const service = useService();
const schema = await createSchema();
const lists = listsOf(schema);
let admin: Client;

beforeAll(async () => {
  admin = (await service().as('admin')).with(systemHeaders);
});

const DIRECTIVE = ' @include(if: true)';

/** In a selection with a directive, GraphQL itself completes the records field by field. */
const fieldByField = (selection: string): string => `{ ...${DIRECTIVE} ${selection} }`;
/** Each part is at the same place of the text, for the locations of errors. */
const plainly = (selection: string): string => `{ ...${' '.repeat(DIRECTIVE.length)} ${selection} }`;

type Way = typeof plainly;

/** What says until when a signed address is valid, in whole seconds: two answers can differ in it. */
const MOMENT = /(?<="\w*validoAte":")[^"]+|(?<=assinatura=\d+\.\d+\.)[\w.-]+/g;

/** The answer as text, because the order of its names counts. That of its errors does not. */
async function textOf(query: string, client = admin): Promise<string> {
  // A query that exceeds a limit is answered without data.
  const { data = null, errors = [] } = await client.graphql(query);
  return [data, ...errors]
    .map(part => JSON.stringify(part).replaceAll(MOMENT, 'moment'))
    .toSorted()
    .join('\n');
}

describe('a list that is selected plainly', () => {
  it('shows the records of every list as they are field by field', async () => {
    const withRecords: string[] = [];
    for (const { field, record, required } of lists) {
      const args = required.length > 0 ? `(${required.map(name => `${name}: 1`).join()})` : '';
      const query = (way: Way) =>
        `{ ${field}${args} { total data ${way('{ kind: __typename ...All }')} } } fragment All on ${record.name} ${selectAll(record, 2)}`;
      const plain = await textOf(query(plainly));
      expect(plain).toBe(await textOf(query(fieldByField)));
      if (plain.includes(`"kind":"${record.name}"`)) withRecords.push(field);
    }
    // The demo has no webhooks, imports or closed maps, and an administrator has no plans and movements.
    expect(withRecords.length).toBeGreaterThan(0.8 * lists.length);
  });

  it('may be selected in any way: with pages below, merged fields, fragments and other names', async () => {
    // They may not read every linked record, so there are errors among the records.
    const others = [await service().as('almoxarife'), await service().as('tecnico')].map(one =>
      one.with(systemHeaders),
    );
    const fields = lists.map(({ field }) => schema.getQueryType()!.getFields()[field]!);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fields).chain(field => anySelection(field)),
        fc.constantFrom(admin, ...others),
        async (selection, client) => {
          const plain = await textOf(written([selection], plainly), client);
          fc.pre(!plain.includes('exceeds the limit'));
          expect(plain).toBe(await textOf(written([selection], fieldByField), client));
        },
      ),
      { numRuns: 200, interruptAfterTimeLimit: 60_000 },
    );
  });

  it('has the same errors, for values that records lack', async () => {
    await service().sql('alter table unidade_medida alter sigla drop not null');
    await service().sql('update unidade_medida set sigla = null where id = 1');
    const own = (way: Way) => `{ unidadesMedida { data ${way('{ id sigla }')} } }`;
    const answer = await admin.graphql(own(plainly));
    expect(answer).toEqual(await admin.graphql(own(fieldByField)));
    expect(answer.data).toEqual({ unidadesMedida: null });
    expect(answer.errors).toMatchObject([{ path: ['unidadesMedida', 'data', 0, 'sigla'] }]);
    const linked = (
      way: Way,
    ) => `{ lotes(filter: { material: { unidadeMedida: { id: { eq: 1 } } } }, itemsPerPage: 2) {
      data ${way('{ id m: material { id u: unidadeMedida { sigla } } }')} } }`;
    const below = await admin.graphql(linked(plainly));
    expect(below).toEqual(await admin.graphql(linked(fieldByField)));
    const [lote] = below.data.lotes.data;
    expect(lote).toEqual({ id: expect.any(Number), m: { id: expect.any(Number), u: null } });
    expect(below.errors!.map(({ path }) => path)).toContainEqual(['lotes', 'data', 1, 'm', 'u', 'sigla']);
    await service().sql('alter table classificacao_risco alter risco drop not null');
    await service().sql('update classificacao_risco set risco = null');
    const many = (way: Way) =>
      `{ materiais(itemsPerPage: 100) { data ${way('{ riscos { classificacaoRisco { risco } } }')} } }`;
    const inLists = await textOf(many(plainly));
    expect(inLists).toBe(await textOf(many(fieldByField)));
    expect(inLists).toMatch(/"riscos",0,"classificacaoRisco","risco"/);
  });

  it('may be named as GraphQL allows', async () => {
    expect(await textOf('{ materiais(itemsPerPage: 1) { data { __proto__: id constructor: id } } }')).toBe(
      '{"materiais":{"data":[{"__proto__":1,"constructor":1}]}}',
    );
  });

  it('shows what all fields with the same name select together, in each execution', async () => {
    const query = `query ($all: Boolean!) { lotes(itemsPerPage: 1) { total
      data { material { id } ... on Lote { material { tipoControle { id } } } }
      data @include(if: $all) { material { titulo tipoControle { descricao } } } } }`;
    const shown = async (all: boolean) => (await admin.graphql(query, { all })).data.lotes.data;
    const id = expect.any(Number);
    const [titulo, descricao] = [expect.any(String), expect.any(String)];
    const both = [{ material: { id, titulo, tipoControle: { id, descricao } } }];
    expect(await shown(true)).toEqual(both);
    expect(await shown(false)).toEqual([{ material: { id, tipoControle: { id } } }]);
    expect(await shown(true)).toEqual(both);
  });

  it('refines linked records as asked', async () => {
    const { data } = await admin.graphql(`{ materiais(itemsPerPage: 100) { data {
      riscos { id } reverse: riscos(orderBy: [{ id: desc }]) { id } } } }`);
    const materials = data.materiais.data as Record<'riscos' | 'reverse', { id: number }[]>[];
    expect(materials.some(({ riscos }) => riscos.length > 1)).toBe(true);
    for (const { riscos, reverse } of materials)
      expect(reverse).toEqual(riscos.toSorted((a, b) => b.id - a.id));
  });
});

/** A selected field with its name in the answer, or a fragment. */
type Selected =
  | { field: string; alias: string; args: string; below: Selected[] | undefined }
  | { on: string; named: boolean; below: Selected[] };

/** A field with anything selected below it. Fields with the same name in the answer can be merged. */
function anySelection(field: Field, depth = 5): fc.Arbitrary<Selected> {
  const type = getNamedType(field.type);
  const sized = field.args.some(({ name }) => name === 'itemsPerPage');
  const given = [
    ...field.args.filter(isRequiredArgument).map(({ name }) => `${name}: 1`),
    ...(sized ? ['itemsPerPage: 3'] : []),
  ];
  const args = given.length > 0 ? `(${given.join()})` : '';
  const alias = fc.constantFrom('', '', '', '', '', '', 'a', 'data_');
  return fc.record({
    field: fc.constant(field.name),
    alias: alias.map(prefix => prefix && `${prefix}${field.name}`),
    args: fc.constant(args),
    below: isObjectType(type) ? anyFields(type, depth) : fc.constant(undefined),
  });
}

function anyFields(type: GraphQLObjectType, depth: number): fc.Arbitrary<Selected[]> {
  const usual = Object.values(type.getFields()).filter(
    ({ name, type: shown }) =>
      !['summary', 'groups'].includes(name) && (depth > 1 || !isObjectType(getNamedType(shown))),
  );
  const typeName = fc.constant<Selected>({
    field: '__typename',
    alias: '',
    args: '',
    below: undefined,
  });
  const one = fc.constantFrom(...usual).chain(field => anySelection(field, depth - 1));
  const data = usual.find(({ name }) => name === 'data');
  const some = fc
    .tuple(
      fc.array(one, { minLength: 1, maxLength: 3 }),
      fc.array(data ? anySelection(data, depth - 1) : one, { maxLength: 1 }),
      fc.array(typeName, { maxLength: 1 }),
    )
    .map(parts => parts.flat());
  const fragment = fc.record({ on: fc.constant(type.name), named: fc.boolean(), below: some });
  return fc
    .tuple(some, fc.array(fragment, { maxLength: 1 }))
    .map(([fields, fragments]) => [...fragments, ...fields]);
}

/** The document of a selection. The records of pages are selected in this way. */
function written(selection: Selected[], way: Way): string {
  const fragments: string[] = [];
  const set = (below: Selected[]): string => `{ ${below.map(one).join(' ')} }`;
  const one = (selected: Selected): string => {
    if ('field' in selected) {
      const { field, alias, args, below } = selected;
      const shown = field === 'data' && below ? way(set(below)) : below && set(below);
      return `${alias && `${alias}: `}${field}${args} ${shown ?? ''}`;
    }
    const { on, named, below } = selected;
    if (!named) return `... on ${on} ${set(below)}`;
    const name = `F${fragments.push('') - 1}`;
    fragments[Number(name.slice(1))] = `fragment ${name} on ${on} ${set(below)}`;
    return `...${name}`;
  };
  return [set(selection), ...fragments].join('\n');
}
