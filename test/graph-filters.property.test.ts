import fc from 'fast-check';
import { isInputObjectType, getNamedType, type GraphQLField, type GraphQLInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EntityClass } from '../src/graph/member.ts';
import { shapesOf } from '../src/graph/shape.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { defaultColumns } from '../src/listing/declaration.ts';
import { systemHeaders, type Client } from './support/client.ts';
import {
  anyFilter,
  anyOrder,
  comparison,
  comparisonsOf,
  inputOf,
  writtenOrder,
} from './support/graph-filters.ts';
import { GraphModel, type Filter, type OrderBy, type Row } from './support/graph-model.ts';
import { everything } from './support/list-model.ts';
import { listsOf, type TestedList } from './support/lists.ts';
import { useService } from './support/service.ts';

const service = useService();
const schema = await createSchema();
const shapes = shapesOf(schema)!;

interface Asked {
  filter: Filter;
  orderBy: OrderBy[];
}

/** A list, and the class of its records. */
interface Tried {
  list: TestedList;
  field: GraphQLField<unknown, unknown>;
  record: EntityClass;
}

const tried: Tried[] = shapes.queries.map(({ field, record }) => ({
  list: listsOf(schema).find(list => list.field === field.name)!,
  field,
  record,
}));

/** Number of records in one answer. */
const SHOWN = 100;
/** Number of root fields in one request. */
const TOGETHER = 20;

let admin: Client;
let model: GraphModel;
/** The records of each list without a filter. */
const shown = new Map<string, Row[]>();
/** The records of lists that leave out some by default, with a filter that asks for that column. */
const whole = new Map<string, Row[]>();
/** The members of inputs that were used, as `MaterialFilter.titulo`. */
const used = new Set<string>();
/** The number of answers, and of those that were neither empty nor the whole list. */
const answers = { all: 0, telling: 0 };

beforeAll(async () => {
  admin = (await service().as('admin')).with(systemHeaders);
  // Characters that are wildcards in patterns, and the last minutes of a month in the institution's time zone.
  await service().sql(`update material set titulo = titulo || ' 50%_\\v' where id % 5 = 0`);
  await service().sql(`update local set nome = nome || ' 100%' where id % 2 = 0`);
  await service().sql(`update plano_ensino set nome_disciplina = 'a_b ' || nome_disciplina where id % 3 = 0`);
  await service().sql(`update lote set data_venc = '2026-03-31' where id % 10 = 0`);
  await service().sql(`update lote set data_venc = null where id % 10 = 1`);
  // Otherwise each minute a use of the key is stored, and a run on a busy machine takes longer.
  await service().sql(
    'create function not_noted() returns trigger language plpgsql as $$ begin return null; end $$',
  );
  await service().sql(
    'create trigger not_noted before update on chave_api for each row execute function not_noted()',
  );
  model = await GraphModel.load(service(), shapes);
  for (const { list, record } of tried) {
    shown.set(list.field, await unfiltered(list, record));
    const [column] = defaultColumns(list.declaration);
    if (!column) continue;
    const any = `{ or: [{ ${column}: { isNull: true } }, { ${column}: { isNull: false } }] }`;
    whole.set(list.field, await unfiltered(list, record, { filter: any }));
  }
});

/** The records that a filter picks among. */
const pickedFrom = ({ list }: Tried, filter: Filter): Row[] =>
  (asksFor(filter, defaultColumns(list.declaration)) ? whole : shown).get(list.field)!;

const asksFor = (filter: Filter, columns: readonly string[]): boolean =>
  Object.entries(filter).some(([name, given]) => {
    if (given === null) return false;
    if (['and', 'or', 'not'].includes(name))
      return [given].flat().some(part => asksFor(part as Filter, columns));
    return columns.includes(name) && Object.keys(given as object).length > 0;
  });

async function unfiltered(list: TestedList, record: EntityClass, further = {}): Promise<Row[]> {
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const window = { ...everything(list), ...(list.declaration.paging === 'always' && { page }) };
    const given = Object.entries({ ...keys(list), ...window, ...further }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const { data, errors } = await admin.graphql(
      `{ ${list.field}(${given.join()}) { total data { ${idOf(list)} } } }`,
    );
    expect(errors).toBeUndefined();
    for (const { id } of data[list.field].data) ids.add(String(id));
    if (ids.size >= data[list.field].total || data[list.field].data.length === 0) break;
  }
  return model.rows(record).filter(row => ids.has(String(row['id'])));
}

const keys = ({ required }: TestedList): Record<string, string> =>
  Object.fromEntries(required.map(name => [name, '1']));

/** Rows whose figures depend on the filters have no id. */
const idOf = ({ record }: TestedList): string => (record.getFields()['id'] ? 'id' : 'id: linha');

/** Requests lists with filters and orderings, and checks that each answer is what the model computes. */
async function expectRight(asked: readonly ({ on: Tried } & Asked)[]): Promise<void> {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const calls = asked.map(({ on: { list, field }, filter, orderBy }, i) => {
    variables[`f${i}`] = filter;
    variables[`o${i}`] = orderBy.map(writtenOrder);
    declared.push(`$f${i}: ${inputOf(field, 'filter').name}`, `$o${i}: [${inputOf(field, 'orderBy').name}!]`);
    const required = Object.entries(keys(list)).map(([name, value]) => `, ${name}: ${value}`);
    return `a${i}: ${field.name}(filter: $f${i}, orderBy: $o${i}, itemsPerPage: ${SHOWN}${required.join('')}) { total data { ${idOf(list)} } }`;
  });
  const { data, errors } = await admin.graphql(
    `query(${declared.join(', ')}) { ${calls.join('\n')} }`,
    variables,
  );
  expect(errors, JSON.stringify(asked.map(({ on, filter }) => [on.field.name, filter]))).toBeUndefined();
  for (const { filter } of asked) await model.fold(textsOf(filter));
  for (const [i, { on, filter, orderBy }] of asked.entries()) {
    note(filter, inputOf(on.field, 'filter'));
    const among = pickedFrom(on, filter);
    const rows = among.filter(row => model.matches(on.record, row, filter));
    answers.all += 1;
    if (rows.length > 0 && rows.length < among.length) answers.telling += 1;
    const sorted = model.sorted(on.record, rows, [...orderBy, ...usual(on)]);
    const answer = data[`a${i}`] as { total: number; data: { id: unknown }[] };
    expect(
      { total: answer.total, ids: answer.data.map(({ id }) => String(id)) },
      `${on.field.name} ${JSON.stringify({ filter, orderBy })}`,
    ).toEqual({ total: rows.length, ids: sorted.slice(0, SHOWN).map(row => String(row['id'])) });
  }
}

/** The default ordering of a list. */
const usual = ({ list }: Tried): OrderBy[] =>
  list.declaration.usually.map(({ path, direction }) => ({ path: path.split('.'), direction }));

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
}

/** Notes the members that a filter uses. */
function note(filter: unknown, type: GraphQLInputObjectType): void {
  for (const part of [filter].flat())
    for (const [name, below] of Object.entries(part as Filter)) {
      const inner = getNamedType(type.getFields()[name]!.type);
      used.add(`${type.name}.${name}`);
      if (isInputObjectType(inner) && below !== null) note(below, inner);
    }
}

/** Every class of records, with one list whose filter reaches it, and the beginning of that filter. */
function reached(): Map<EntityClass, { on: Tried; wrap: (filter: Filter) => Filter }> {
  const found = new Map<EntityClass, { on: Tried; wrap: (filter: Filter) => Filter }>();
  let next = tried.map(on => ({ record: on.record, on, wrap: (filter: Filter): Filter => filter }));
  while (next.length > 0) {
    const fresh = next.filter(({ record }) => !found.has(record));
    for (const { record, on, wrap } of fresh) if (!found.has(record)) found.set(record, { on, wrap });
    next = fresh.flatMap(({ record, on, wrap }) => {
      const { links, own, pages } = shapes.all.get(record)!;
      return [
        ...shapes
          .known(links)
          .map(({ name, to }) => ({ record: to, on, wrap: (below: Filter) => wrap({ [name]: below }) })),
        ...shapes.known([...own, ...pages]).map(({ name, to }) => ({
          record: to,
          on,
          wrap: (below: Filter) => wrap({ [name]: { some: below } }),
        })),
      ];
    });
  }
  return found;
}

/** Filters of a class with each of its members, two members in each. */
function eachMember(record: EntityClass): Filter[] {
  const { columns, links, own, pages } = shapes.all.get(record)!;
  const one = (filter: fc.Arbitrary<Filter>): Filter => fc.sample(filter, { numRuns: 1, seed: 7 })[0]!;
  const [first] = columns;
  const single: Filter[] = [
    ...columns.flatMap(column =>
      comparisonsOf(column.type).map(is => ({ [column.name]: one(comparison(model, record, column, is)) })),
    ),
    ...shapes.known(links).map(({ name, to }) => ({ [name]: one(anyFilter(model, to, 0)) })),
    ...shapes
      .known([...own, ...pages])
      .flatMap(({ name, to }) =>
        ['some', 'none', 'every'].map(by => ({ [name]: { [by]: one(anyFilter(model, to, 0)) } })),
      ),
    { and: [] },
    { or: [] },
    { not: { [first!.name]: { isNull: true } } },
    { and: [{ [first!.name]: { isNull: false } }, { or: [{}, { not: {} }] }] },
    { not: { [first!.name]: { in: [] } } },
  ];
  const half = Math.ceil(single.length / 2);
  return single.slice(0, half).map((filter, i) => ({ or: [filter, { not: single[half + i] ?? {} }] }));
}

/** Returns the number of requests. */
async function inRequests(asked: readonly ({ on: Tried } & Asked)[]): Promise<number> {
  for (let i = 0; i < asked.length; i += TOGETHER) await expectRight(asked.slice(i, i + TOGETHER));
  return asked.length;
}

describe('a list with filter and orderBy', () => {
  it('answers what a search in memory finds, for each member of each filter', async () => {
    const asked = [...reached()].flatMap(([record, { on, wrap }]) =>
      eachMember(record).map(filter => ({ on, filter: wrap(filter), orderBy: [] })),
    );
    expect(await inRequests(asked)).toBeGreaterThan(500);
  });

  it('comes in the order of each of its columns, ascending and descending', async () => {
    const asked = tried.flatMap(on =>
      shapes.all.get(on.record)!.columns.flatMap(({ name }) =>
        (['asc', 'desc'] as const).map(direction => ({
          on,
          filter: {},
          orderBy: [{ path: [name], direction }],
        })),
      ),
    );
    expect(await inRequests(asked)).toBeGreaterThan(500);
  });

  it('answers what a search in memory finds, for any tree of conditions and any order', async () => {
    const any = fc.array(
      fc.constantFrom(...tried).chain(on =>
        fc.record({
          on: fc.constant(on),
          filter: anyFilter(model, on.record, 4),
          orderBy: fc.array(anyOrder(model, on.record), { maxLength: 3 }),
        }),
      ),
      { minLength: TOGETHER, maxLength: TOGETHER },
    );
    Object.assign(answers, { all: 0, telling: 0 });
    await fc.assert(fc.asyncProperty(any, expectRight), { numRuns: 40, endOnFailure: true });
    // Usually 0.24 to 0.31 of them.
    expect(answers.telling).toBeGreaterThan(answers.all / 6);
  });

  it('was tested with every member of every filter type', () => {
    const all = new Set<string>();
    const walk = (type: GraphQLInputObjectType): void => {
      for (const { name, type: below } of Object.values(type.getFields())) {
        if (all.has(`${type.name}.${name}`)) continue;
        all.add(`${type.name}.${name}`);
        const inner = getNamedType(below);
        if (isInputObjectType(inner)) walk(inner);
      }
    };
    for (const { field } of tried) walk(inputOf(field, 'filter'));
    expect([...all].filter(member => !used.has(member))).toEqual([]);
    expect(all.size).toBeGreaterThan(500);
  });
});
