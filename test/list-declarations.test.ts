import { expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { listOf, type ListDeclaration } from '../src/listing/declaration.ts';
import { PlanosCadastradosArgs } from '../src/reports/relatorios/planos-cadastrados.ts';
import { MateriaisArgs } from '../src/resolvers/almoxarifado/material.ts';
import { listsOf } from './support/lists.ts';
import { useService } from './support/service.ts';

const service = useService();

const filter = { argument: 'x', match: 'exact', value: (given: unknown) => given, within: false } as const;
const rest = { title: undefined, names: undefined };

it.each<[string, (list: ListDeclaration) => Partial<ListDeclaration>, string]>([
  ['a filter', list => ({ filters: [{ ...filter, ...rest, paths: ['titul'] }, ...list.filters] }), 'titul'],
  [
    'a filter through a link',
    list => ({ filters: [...list.filters, { ...filter, ...rest, paths: ['titulo', 'unidadeMedida.sigl'] }] }),
    'unidadeMedida.sigl',
  ],
  [
    'a filter through a column',
    () => ({ filters: [{ ...filter, ...rest, paths: ['titulo.id'] }] }),
    'titulo.id',
  ],
  ['a filter of a to-many field', () => ({ filters: [{ ...filter, ...rest, paths: ['riscos'] }] }), 'riscos'],
  ['an ordering', () => ({ orders: [{ argument: 'x', path: 'tituloo' }] }), 'tituloo'],
  ['the usual order', () => ({ usually: [{ path: 'titulos', direction: 'asc' }] }), 'titulos'],
])('a service does not start with a mistyped path in %s', async (_, change, path) => {
  const list = listOf(new MateriaisArgs());
  const right = { ...list };
  Object.assign(list, change(right));
  try {
    await expect(start()).rejects.toThrow(`MateriaisArgs: Material has no column ${path}`);
  } finally {
    Object.assign(list, right);
  }
  await expect(start()).resolves.toBeDefined();
});

it.each<[string, Partial<ListDeclaration['filters'][number]>, RegExp]>([
  [
    'names a column that is not there',
    { names: [() => listOf(new MateriaisArgs()).entity(), 'nom'] },
    /no column nom/,
  ],
  ['is within and goes through a link', { paths: ['a.b'] }, /no column a\.b/],
])('nor with a filter that %s', async (_, change, message) => {
  const list = listOf(new PlanosCadastradosArgs());
  const { filters } = list;
  list.filters = [{ ...filters.find(({ within }) => within)!, ...change }];
  try {
    await expect(start()).rejects.toThrow(message);
  } finally {
    list.filters = filters;
  }
});

it('rows whose figures depend on filters have no id by which clients could cache them', async () => {
  const reckoned = listsOf(await createSchema()).filter(({ declaration }) =>
    declaration.filters.some(({ within }) => within),
  );
  expect(reckoned.length).toBeGreaterThan(0);
  for (const { record } of reckoned) {
    expect(Object.keys(record.getFields())).toContain('linha');
    expect(Object.keys(record.getFields())).not.toContain('id');
  }
});

const start = async () => createApp(service().services, await createSchema());
