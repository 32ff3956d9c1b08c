import { getNamedType, isInputObjectType, isListType, getNullableType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import type { Operation } from '../src/rest/operation.ts';
import { snakeCase } from '../src/text/names.ts';
import { makeMaterial } from './support/make.ts';
import { makeWebhook } from './support/receiver.ts';
import { useService } from './support/service.ts';
import { batchBody, makeBatch, makeInvoice } from './support/stock.ts';
import { answersRecord, changes, mutate, targetOf, type Target } from './support/versioned.ts';

const service = useService();
const schema = await createSchema();
const admin = () => service().as('admin');

const nameOf = ({ route }: Operation): string => `${route.method} ${route.path}`;
/** Every operation that replaces a record. */
const updates = changes(schema).filter(
  operation =>
    operation.route.path.endsWith('}') && operation.route.method === 'PUT' && answersRecord(operation),
);

/** Fields that a write of an unchanged record may change: the last author and the time. */
const STAMPS = new Set(['alterado_em', 'alterado_por', 'criado_por']);

const lists = ({ field }: Operation): string[] =>
  field.args.flatMap(({ type }) => {
    const input = getNamedType(type);
    if (!isInputObjectType(input)) return [];
    return Object.values(input.getFields())
      .filter(({ type: of }) => isListType(getNullableType(of)))
      .map(({ name }) => name);
  });

/** Everything written since an entry of the audit trail, except these fields of the record itself. */
async function writtenSince(last: unknown, id: number, table: string): Promise<unknown[]> {
  const rows = await service().sql(
    `select tabela, id_registro, operacao, alteracoes from auditoria
     where id > $1 and operacao in ('insert', 'update', 'delete') order by id`,
    [last],
  );
  return rows.filter(([tabela, registro, operacao, alteracoes]) => {
    const fields = Object.keys(alteracoes as object);
    const isStamp = operacao === 'update' && fields.every(field => STAMPS.has(field));
    return !(isStamp && tabela === table && registro === id);
  });
}
const last = async (): Promise<unknown> =>
  (await service().sql('select coalesce(max(id), 0) from auditoria'))[0]![0];
const tableOf = ({ field }: Operation): string =>
  service().services.orm.getMetadata().getByClassName(getNamedType(field.type).name).tableName;

/** The target with all fields that a client can read. */
async function wholeTarget(operation: Operation): Promise<Target> {
  const client = await admin();
  const target = await targetOf(operation, client);
  const { status, body } = await client.get(target.path);
  const record = status === 200 ? { ...target.record, ...body } : target.record;
  // Some bodies require authors.
  return { ...target, record: { ...record, criado_por: record.criado_por ?? 1, alterado_por: 1 } };
}

// The last records of their lists. Each has several children.
beforeAll(async () => {
  const given = await batchBody(service());
  const empty = await makeInvoice(service());
  // Items that have no code to distinguish them, as some invoices have.
  const lotes = [given, { ...given, cod_lote: null }, { ...given, cod_lote: null, quantidade: 5 }, given];
  const full = await makeInvoice(service(), { lotes });
  await makeBatch(service(), { notas_fiscais: [empty, full].map(({ id }) => ({ id_nota_fiscal: id })) });
  await makeMaterial(service(), { riscos: 2 });
  await makeWebhook(service());
});

describe('what no update changes', () => {
  const isTaken = ({ parameters }: Operation, member: string): boolean =>
    parameters.some(({ name, place }) => place === 'body' && name === member);

  it.each(updates.map(operation => [nameOf(operation), operation] as const))(
    'is refused, and not ignored, by %s',
    async (_name, operation) => {
      const client = await admin();
      const { path, record } = await wholeTarget(operation);
      const [, segment] = /\/(\d+)[^/]*$/.exec(path)!;
      await service().sql(`update "${tableOf(operation)}" set criado_por = 1 where id = $1`, [
        Number(segment),
      ]);
      for (const [member, value] of Object.entries({
        criado_em: '2026-01-02T03:04:05.000Z',
        criado_por: 7,
        id: Number(segment) + 1,
      })) {
        if (isTaken(operation, member)) continue;
        const refused = await client.put(path, { ...record, criado_por: 1, [member]: value });
        expect([refused.status, refused.body.errors], member).toEqual([
          422,
          [{ field: member, message: 'não muda depois da criação' }],
        ]);
      }
    },
  );
});

describe('a record that is read and put back', () => {
  it('is tested with every list that an update takes', () => {
    const nested = updates.flatMap(operation =>
      lists(operation).map(name => `${operation.field.name} ${name}`),
    );
    expect(nested.toSorted()).toEqual([
      'atualizarLote notasFiscais',
      'atualizarMaterial riscos',
      'atualizarNotaFiscal lotes',
      'atualizarWebhook eventos',
    ]);
  });

  it.each(updates.map(operation => [nameOf(operation), operation] as const))(
    'stays as it was, twice, on both faces: %s',
    async (_name, operation) => {
      const client = await admin();
      const target = await wholeTarget(operation);
      for (const name of lists(operation).map(snakeCase))
        expect((target.record[name] as unknown[]).length).toBeGreaterThan(1);
      const before = await last();
      for (const _again of [1, 2]) {
        const answer = await client.put(target.path, target.record);
        expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
        expect((await mutate(client, operation, target)).errors).toBeUndefined();
      }
      expect(await writtenSince(before, target.id, tableOf(operation))).toEqual([]);
    },
  );
});
