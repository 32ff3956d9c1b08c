import { isNonNullType } from 'graphql';
import { expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { systemHeaders } from './support/client.ts';
import { useService } from './support/service.ts';

/** Clients' libraries send null for what nobody has set. */

const service = useService();
const lists = Object.values((await createSchema()).getQueryType()!.getFields()).filter(
  ({ args }) =>
    args.some(({ name }) => name === 'pagination') &&
    !args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined),
);

it('pagination: null is a page like no pagination, in every list', async () => {
  expect(lists.length).toBeGreaterThan(40);
  const admin = (await service().as('admin')).with(systemHeaders);
  for (const { name } of lists) {
    const query = `{ sent: ${name}(pagination: null) { itemsPerPage } absent: ${name} { itemsPerPage } }`;
    const { data, errors } = await admin.graphql(query);
    expect(errors, name).toBeUndefined();
    expect(data.sent, name).toEqual(data.absent);
  }
});

it('null for a filter that has a default is the default', async () => {
  const admin = await service().as('admin');
  const { data } = await admin.graphql(
    '{ sent: materiaisEstocados(retornarVazio: null) { total } absent: materiaisEstocados { total } all: materiaisEstocados(retornarVazio: true) { total } }',
  );
  expect(data.sent).toEqual(data.absent);
  expect(data.all.total).toBeGreaterThan(data.absent.total);
});
