import { describe, expect, it } from 'vitest';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);

async function answered(query: string): Promise<any> {
  const { data, errors } = await (await service().as('almoxarife')).graphql(query);
  expect(errors, query).toBeUndefined();
  return data;
}

describe('what a list leaves out by default', () => {
  it('comes when the filter asks for the column: requests that are decided', async () => {
    const totals = async () =>
      answered(`{
        usual: solicitacoesAprovacao(filter: { idMovimentacao: { eq: ${scene.entry.id} } }) { total data { situacao } }
        approved: solicitacoesAprovacao(filter: { idMovimentacao: { eq: ${scene.entry.id} }, situacao: { eq: APROVADA } }) { total }
        any: solicitacoesAprovacao(filter: { idMovimentacao: { eq: ${scene.entry.id} }, or: [{ situacao: { in: [APROVADA, REJEITADA] } }, { situacao: { eq: PENDENTE } }] }) {
          total summary { count } data { situacao } } }`);
    expect(await totals()).toMatchObject({ usual: { total: 1 }, approved: { total: 0 }, any: { total: 1 } });
    await scene.approve(scene.entry.id);
    expect(await totals()).toEqual({
      usual: { total: 0, data: [] },
      approved: { total: 1 },
      any: { total: 1, summary: { count: 1 }, data: [{ situacao: 'APROVADA' }] },
    });
  });

  it('comes with a cursor that goes on', async () => {
    await scene.approve(scene.entry.id);
    const decided = 'filter: { situacao: { ne: PENDENTE } }, orderBy: [{ id: desc }], itemsPerPage: 1';
    const first = await answered(`{ solicitacoesAprovacao(${decided}) { nextCursor data { id } } }`);
    const { nextCursor, data } = first.solicitacoesAprovacao;
    const next = await answered(
      `{ solicitacoesAprovacao(${decided}, after: "${nextCursor}") { data { id situacao } } }`,
    );
    expect(next.solicitacoesAprovacao.data).toHaveLength(1);
    expect(next.solicitacoesAprovacao.data[0].id).toBeLessThan(data[0].id);
    expect(next.solicitacoesAprovacao.data[0].situacao).not.toBe('PENDENTE');
  });

  it('stays away from a filter on the column of another record', async () => {
    await scene.approve(scene.entry.id);
    const data = await answered(
      `{ solicitacoesAprovacao(filter: { movimentacao: { id: { eq: ${scene.entry.id} },
          solicitacoesAprovacao: { some: { situacao: { eq: APROVADA } } } } }) { total } }`,
    );
    expect(data.solicitacoesAprovacao.total).toBe(0);
  });

  it('stays away from REST', async () => {
    await scene.approve(scene.entry.id);
    const { body } = await (await service().as('almoxarife')).get(paths.approvals);
    expect(body.data.every(({ situacao }: { situacao: string }) => situacao === 'P')).toBe(true);
    const ids = body.data.map((one: { id_movimentacao: number }) => one.id_movimentacao);
    expect(ids).not.toContain(scene.entry.id);
  });

  it('comes with linked pages, which say so: alerts that somebody acknowledged', async () => {
    const lote = await makeBatch(service(), { data_venc: await soon() });
    const query = `{
      usual: alertas(filter: { lote: { id: { eq: ${lote.id} } } }) { total data { id } }
      both: alertas(filter: { lote: { id: { eq: ${lote.id} } }, aberto: { isNull: false } }) { total }
      closed: alertas(filter: { lote: { id: { eq: ${lote.id} } }, aberto: { eq: false } }) { total }
      lote(id: ${lote.id}) { alertas { total } open: alertas(filter: { aberto: { eq: true } }) { total } } }`;
    const before = await answered(query);
    expect(before).toMatchObject({
      usual: { total: 1 },
      both: { total: 1 },
      closed: { total: 0 },
      lote: { alertas: { total: 1 }, open: { total: 1 } },
    });
    await answered(
      `mutation { reconhecerAlerta(id: ${before.usual.data[0].id}, ate: "${await soon()}") { id } }`,
    );
    expect(await answered(query)).toMatchObject({
      usual: { total: 0 },
      both: { total: 1 },
      closed: { total: 1 },
      lote: { alertas: { total: 1 }, open: { total: 0 } },
    });
    const { __type: type } = await answered('{ __type(name: "Lote") { fields { name description } } }');
    const { description } = type.fields.find(({ name }: { name: string }) => name === 'alertas');
    expect(description).toContain('also those that `alertas` leaves out unless `filter` asks for `aberto`');
  });
});

/** A day within the windows of alerts. */
const soon = async (): Promise<string> =>
  (await service().sql('select (current_date + 40)::text'))[0]![0] as string;
