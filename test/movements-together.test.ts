import { describe, expect, it } from 'vitest';
import { useFreeBatch } from './support/movement-scenes.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, move, moved, movementsOf, stockAt, type Body } from './support/stock.ts';

const service = useService();
const scene = useFreeBatch(service);
const { from, into, transfer, stock } = scene;
const almoxarife = () => service().as('almoxarife');

describe('movements that are registered together', () => {
  it('are answered as a page, in the order given', async () => {
    const { status, body } = await move(service(), transfer(40), from(30), into(5));
    expect(status).toBe(201);
    expect(body).toMatchObject({ total: 3, page: 1, totalPages: 1, itemsPerPage: 3 });
    expect(body.data.map((movement: Body) => movement.id_tipo_movimentacao)).toEqual([3, 4, 2]);
    expect(await stock()).toEqual([30, 45]);
  });

  it('are all refused if one lacks stock, and that one is named', async () => {
    const refused = await move(service(), into(5), from(60), from(41, 5));
    expectProblem(refused, 409, 'INSUFFICIENT_STOCK');
    expect(fieldsOf(refused)).toEqual(['movimentacoes[1].quantidade', 'movimentacoes[2].quantidade']);
    expect(await stock()).toEqual([100, null]);
    expect(await movementsOf(service(), scene.batch.id)).toHaveLength(1);
    const { errors } = await (
      await almoxarife()
    ).graphql(
      `mutation ($input: MovimentacoesInput!) { criarMovimentacoesEstoque(input: $input) { total } }`,
      {
        input: {
          movimentacoes: [
            {
              idLote: scene.batch.id,
              idTipoMovimentacao: 4,
              idLocalOrigemFim: scene.here,
              quantidade: 101,
              flEstorno: false,
            },
          ],
        },
      },
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      errors: [{ field: 'movimentacoes[0].quantidade' }],
    });
  });

  it('may bring a batch to a place and take it away again: it has been there', async () => {
    await moved(service(), into(5), { ...from(5), id_local_origem_fim: scene.there });
    expect(await stock()).toEqual([100, 0]);
  });

  it('are pending or effective, depending on the material of each', async () => {
    const controlled = await makeBatch(service(), { controlado: true });
    const both = await moved(service(), into(5), { ...into(6), id_lote: controlled.id });
    expect(both.map(movement => movement.id_status_movimentacao)).toEqual([2, 1]);
    expect(await stockAt(service(), controlled.id, scene.there)).toBeNull();
  });

  it('that overflow a cell are a conflict', async () => {
    expectProblem(await move(service(), into(2_147_483_647), into(1)), 409, 'CONFLICT');
    await moved(service(), into(2_147_483_647));
    expectProblem(await move(service(), into(1)), 409, 'CONFLICT');
    expect(await stock()).toEqual([100, 2_147_483_647]);
  });

  it('are in the audit trail under their author, with the stock that they changed, in one transaction', async () => {
    const answer = await move(service(), from(1));
    const rows = await service().sql(
      `select a.tabela, a.operacao, p.usuario, count(*) over (partition by a.xmin::text)::int
       from auditoria a join pessoa p on p.id = a.id_pessoa where requisicao = $1 order by 1`,
      [answer.headers.get('x-request-id')],
    );
    expect(rows).toEqual([
      ['estoque', 'update', 'almoxarife', 2],
      ['movimentacao', 'insert', 'almoxarife', 2],
    ]);
  });

  it('never take more than a place holds, however many run at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => move(service(), i % 2 ? from(20) : transfer(20))),
    );
    expect(answers.map(answer => answer.status).toSorted((a, b) => a - b)).toEqual([
      ...Array(5).fill(201),
      ...Array(7).fill(409),
    ]);
    expect((await stock())[0]).toBe(0);
  });

  it('all succeed if they go in opposite directions at once', async () => {
    await moved(service(), transfer(50));
    const back = { ...transfer(1), id_local_origem_fim: scene.there, id_local_destino_fim: scene.here };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 ? move(service(), transfer(1), back) : move(service(), back),
      ),
    );
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(201));
    expect(await stock()).toEqual([60, 40]);
  });
});
