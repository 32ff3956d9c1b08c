import { expect, it } from 'vitest';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();

it('a column can be read and written while a migration widens it and the service runs', async () => {
  const batch = await makeBatch(service());
  const almoxarife = await service().as('almoxarife');
  const movement = {
    id_lote: batch.id,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: batch.id_local,
    quantidade: 1,
    fl_estorno: 'N',
    observacao: 'Aula prática',
  };
  const everything = () => [
    almoxarife.get(`/almoxarifadoquimicos/materiais?titulo=acido`),
    almoxarife.get(`/almoxarifadoquimicos/materiais/1`),
    almoxarife.get(`${paths.movements}?idLote=${batch.id}`),
    almoxarife.post(paths.movements, { movimentacoes: [movement] }),
    // A write that reads its record in its own transaction.
    almoxarife.put('/almoxarifadoquimicos/tipos-empresas/1', { descricao: 'Fabricante' }),
    almoxarife.graphql('{ materiais { total data { titulo } } }').then(({ data }) => ({
      status: data?.materiais.total > 0 ? 200 : 500,
    })),
  ];
  /** Several at a time, so that every connection has the statements prepared. */
  const statuses = async (): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: 6 }, everything).flat());
    return [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
  };
  expect(await statuses()).toEqual([200, 201]);
  for (const change of [
    'alter table material alter column titulo type varchar(4000)',
    'alter table movimentacao alter column observacao type varchar(4000)',
    'alter table tipo_empresa alter column descricao type varchar(4000)',
  ]) {
    await service().sql(change);
    expect(await statuses()).toEqual([200, 201]);
  }
});
