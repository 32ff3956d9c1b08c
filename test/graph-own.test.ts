import { expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();

it('to-many fields of a record take a filter and an order', async () => {
  const admin = await service().as('admin');
  const { data, errors } = await admin.graphql(`{
    materiais(filter: { riscos: { some: {} } }, itemsPerPage: 3) { data {
      riscos { id classificacaoRisco { id } }
      one: riscos(filter: { classificacaoRisco: { id: { lte: 3 } } }, orderBy: [{ id: desc }]) { id classificacaoRisco { id } }
    } }
    notasFiscais(filter: { lotes: { some: { codLote: { isNull: false } } } }, itemsPerPage: 2) { data {
      lotes { id codLote }
      ordered: lotes(orderBy: [{ id: desc }], filter: { material: { titulo: { contains: "a" } } }) { id material { titulo } }
    } }
  }`);
  expect(errors).toBeUndefined();
  type Risk = { id: number; classificacaoRisco: { id: number } };
  for (const { riscos, one } of data.materiais.data as { riscos: Risk[]; one: Risk[] }[])
    expect(one).toEqual(riscos.filter(risk => risk.classificacaoRisco.id <= 3).toReversed());
  type Batch = { id: number };
  for (const { lotes, ordered } of data.notasFiscais.data as { lotes: Batch[]; ordered: Batch[] }[]) {
    expect(lotes.length).toBeGreaterThan(0);
    expect(ordered.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(lotes.map(({ id }) => id)).toEqual(expect.arrayContaining(ordered.map(({ id }) => id)));
  }
});
