import { describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { useFreeBatch } from './support/movement-scenes.ts';
import { atOnce, usePair } from './support/pair.ts';
import { expectProblem } from './support/problem.ts';
import {
  makeBatch,
  makeInvoice,
  move,
  moved,
  movementsOf,
  paths,
  stockAt,
  type Body,
} from './support/stock.ts';

const pair = usePair();
const service = () => pair().service;
const scene = useFreeBatch(service);
const { from, transfer, stock } = scene;

const almoxarife = () => service().as('almoxarife');
const read = async (id: number): Promise<Body> =>
  (await (await almoxarife()).get(`${paths.movements}/${id}`)).body;
const undo = <T extends object>(body: T) => ({ ...body, fl_estorno: 'S' });
const reversible = (quantity: number) => `podem ser estornados ${quantity}`;

const reverse = async (id: number, quantidade?: number) => {
  const answer = await (
    await almoxarife()
  ).graphql(
    'mutation ($id: Int!, $quantidade: Int) { estornarMovimentacao(id: $id, quantidade: $quantidade, observacao: "Engano") { id quantidade flEstorno observacao statusMovimentacao { id } estornos { quantidade estornada { id quantidadeEstornada quantidadeEmEstorno } } } }',
    { id, quantidade },
  );
  return answer.errors?.[0]?.extensions ?? answer.data.estornarMovimentacao;
};

describe('a reversal', () => {
  it('creates no stock from nothing', async () => {
    const refused = await move(service(), undo(from(1000, 5)));
    expectProblem(refused, 409, 'NOT_REVERSIBLE');
    expect(refused.body.errors).toEqual([{ field: 'movimentacoes[0].quantidade', message: reversible(0) }]);
    expect(await stock()).toEqual([100, null]);
    expect(await movementsOf(service(), scene.batch.id)).toHaveLength(1);
  });

  it('is bounded by what is left of what it undoes, and the answer names each that is not', async () => {
    await moved(service(), from(9, 5), transfer(4));
    await moved(service(), undo(from(3, 5)));
    const refused = await move(service(), undo(transfer(4)), undo(from(7, 5)), undo(from(1)));
    expectProblem(refused, 409, 'NOT_REVERSIBLE');
    expect(refused.body.errors).toEqual([
      { field: 'movimentacoes[1].quantidade', message: reversible(6) },
      { field: 'movimentacoes[2].quantidade', message: reversible(0) },
    ]);
    await moved(service(), undo(from(6, 5)));
    expectProblem(await move(service(), undo(from(1, 5))), 409, 'NOT_REVERSIBLE');
    expect(await stock()).toEqual([96, 4]);
  });

  it('undoes the newest movements first, and can be read from both ends', async () => {
    const [older, newer] = await moved(service(), from(5), from(5));
    const [back] = await moved(service(), undo(from(7)));
    expect(back).toMatchObject({
      quantidade_estornada: 0,
      estornada_por: [],
      estornos: [
        { id_movimentacao: back.id, id_estornada: newer.id, quantidade: 5 },
        { id_movimentacao: back.id, id_estornada: older.id, quantidade: 2 },
      ],
    });
    expect(await read(back.id)).toEqual(back);
    expect(await read(older.id)).toMatchObject({
      quantidade_estornada: 2,
      estornos: [],
      estornada_por: [{ id_movimentacao: back.id, quantidade: 2 }],
    });
    expect(await read(newer.id)).toMatchObject({ quantidade: 5, quantidade_estornada: 5 });
  });

  it('undoes the movement with its invoice first, although another is newer', async () => {
    const notas = [await makeInvoice(service()), await makeInvoice(service())];
    const [a, b] = notas.map(({ id }) => ({ ...scene.into(5, 1), id_nota_fiscal: id }));
    const [first, second] = await moved(service(), a!, b!);
    const [back] = await moved(service(), { ...undo(a!), quantidade: 3 });
    expect(back.estornos).toMatchObject([{ id_estornada: first.id, quantidade: 3 }]);
    const [rest] = await moved(service(), { ...undo(a!), quantidade: 4 });
    expect(rest.estornos).toMatchObject([
      { id_estornada: first.id, quantidade: 2 },
      { id_estornada: second.id, quantidade: 2 },
    ]);
    const [without] = await moved(service(), { ...undo(scene.into(1, 1)) });
    expect(without.estornos).toMatchObject([{ id_estornada: second.id }]);
  });

  it('undoes the movement with its purpose first, and the newest if none has it', async () => {
    const used = (finalidade: number, quantidade = 5) => ({ ...from(quantidade), finalidade });
    const [first, second] = await moved(service(), used(1), used(2));
    const [back, other] = await moved(service(), undo(used(1, 4)), undo(used(3, 4)));
    expect(back.estornos).toMatchObject([{ id_estornada: first.id, quantidade: 4 }]);
    expect(other.estornos).toMatchObject([{ id_estornada: second.id, quantidade: 4 }]);
  });

  it('does not undo a movement of another kind, batch or place, or one that comes later', async () => {
    const other = await makeBatch(service(), { id_local: scene.here });
    await moved(
      service(),
      from(1, 5),
      transfer(1),
      { ...from(1), id_lote: other.id },
      { ...from(1), id_local_origem_fim: scene.there },
    );
    expectProblem(await move(service(), undo(from(1)), from(1)), 409, 'NOT_REVERSIBLE');
    const [, back] = await moved(service(), from(2), undo(from(2)));
    expect(back.estornos).toMatchObject([{ quantidade: 2 }]);
  });

  it('of a movement that is named undoes that one', async () => {
    const [older, newer] = await moved(service(), from(5), from(5));
    const back = await reverse(older.id, 2);
    expect(back).toMatchObject({
      quantidade: 2,
      flEstorno: true,
      observacao: 'Engano',
      estornos: [
        { quantidade: 2, estornada: { id: older.id, quantidadeEstornada: 2, quantidadeEmEstorno: 0 } },
      ],
    });
    expect(await reverse(older.id, 4)).toMatchObject({
      code: 'NOT_REVERSIBLE',
      errors: [{ field: 'quantidade', message: reversible(3) }],
    });
    expect(await reverse(older.id)).toMatchObject({ quantidade: 3 });
    expect(await reverse(older.id)).toMatchObject({
      code: 'NOT_REVERSIBLE',
      errors: [{ field: 'quantidade', message: reversible(0) }],
    });
    expect(await read(newer.id)).toMatchObject({ quantidade_estornada: 0 });
    expect(await stock()).toEqual([95, null]);
  });

  it('of a movement that is named can be bound to the version that was seen', async () => {
    const [taken] = await moved(service(), from(5));
    const { versao } = (
      await (await almoxarife()).graphql(`{ movimentacaoEstoque(id: ${taken.id}) { versao } }`)
    ).data.movimentacaoEstoque;
    await reverse(taken.id, 1);
    const bound = async (version: number) =>
      (
        await (
          await almoxarife()
        ).graphql(`mutation { estornarMovimentacao(id: ${taken.id}, versao: ${version}) { quantidade } }`)
      ).errors?.[0]?.extensions.code;
    expect(await bound(versao)).toBe('PRECONDITION_FAILED');
    expect(await bound(versao + 1)).toBeUndefined();
    expect(await stock()).toEqual([100, null]);
  });

  it('is not reversed itself, nor is a movement that does not exist', async () => {
    await moved(service(), from(5));
    const [back] = await moved(service(), undo(from(5)));
    expect(await reverse(back.id, 1)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'id', message: expect.stringContaining('registre a movimentação de novo') }],
    });
    expect(await reverse(2_000_000)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await reverse(back.id, 0)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a reversal of a controlled material', () => {
  const approve = async (id: number, query = '') =>
    (await (await service().as('admin')).post(paths.approvals + query, { id_movimentacao: id })).status;

  async function consumed(): Promise<{ taken: Body; body: ReturnType<typeof from> }> {
    const batch = await makeBatch(service(), { controlado: true });
    const [entry] = await movementsOf(service(), batch.id);
    await approve(entry.id);
    const body = { ...from(10), id_lote: batch.id, id_local_origem_fim: batch.id_local, finalidade: 1 };
    const [taken] = await moved(service(), body);
    return { taken, body };
  }

  it('waits for approval, and reserves what it will undo meanwhile', async () => {
    const { taken, body } = await consumed();
    expectProblem(await move(service(), undo(body)), 409, 'NOT_REVERSIBLE');
    await approve(taken.id);
    const [back] = await moved(service(), undo({ ...body, quantidade: 6 }));
    expect(back.id_status_movimentacao).toBe(1);
    expect(await read(taken.id)).toMatchObject({ quantidade_estornada: 0, quantidade_em_estorno: 6 });
    const refused = await move(service(), undo({ ...body, quantidade: 5 }));
    expect(refused.body.errors[0].message).toBe(reversible(4));
    expect(await approve(back.id)).toBe(200);
    expect(await read(taken.id)).toMatchObject({ quantidade_estornada: 6, quantidade_em_estorno: 0 });
    expect(await stockAt(service(), body.id_lote, body.id_local_origem_fim)).toBe(96);
  });

  it('that gets another purpose while it waits undoes the movement with that one', async () => {
    const { taken, body } = await consumed();
    const [other] = await moved(service(), { ...body, finalidade: 2 });
    for (const { id } of [taken, other]) expect(await approve(id)).toBe(200);
    const [back] = await moved(service(), { ...undo(body), finalidade: 2 });
    expect(back.estornos).toMatchObject([{ id_estornada: other.id }]);
    const path = `${paths.movements}/${back.id}`;
    expect((await (await almoxarife()).put(path, { ...undo(body), finalidade: 1 })).status).toBe(200);
    expect((await read(back.id)).estornos).toMatchObject([{ id_estornada: taken.id, quantidade: 10 }]);
  });

  it('gives back what it reserved when it is rejected, deleted or changed', async () => {
    const { taken, body } = await consumed();
    await approve(taken.id);
    const reserved = async () => (await read(taken.id)).quantidade_em_estorno;
    const [rejected] = await moved(service(), undo(body));
    expect(await reserved()).toBe(10);
    expect(await approve(rejected.id, '?rejeitar=true')).toBe(200);
    expect([await reserved(), (await read(rejected.id)).estornos]).toEqual([0, []]);
    const [back] = await moved(service(), undo(body));
    const client = await almoxarife();
    const change = (given: object) =>
      client.put(`${paths.movements}/${back.id}`, { ...undo(body), ...given });
    expect((await change({ quantidade: 4 })).status).toBe(200);
    expect(await reserved()).toBe(4);
    const refused = await change({ quantidade: 11 });
    expectProblem(refused, 409, 'NOT_REVERSIBLE');
    expect(refused.body.errors).toEqual([{ field: 'quantidade', message: reversible(10) }]);
    expect((await change({ fl_estorno: 'N' })).status).toBe(200);
    expect(await reserved()).toBe(0);
    expect((await change({ fl_estorno: 'S' })).status).toBe(200);
    expect((await client.delete(`${paths.movements}/${back.id}`)).status).toBe(200);
    expect(await reserved()).toBe(0);
    expect(await reverse(taken.id)).toMatchObject({ quantidade: 10, statusMovimentacao: { id: 1 } });
  });
});

describe('reversals at once', () => {
  it('by 50 clients never exceed what they undo', async () => {
    const [first, second] = await moved(service(), from(10), from(10));
    const named = `mutation { estornarMovimentacao(id: ${first.id}, quantidade: 1) { id } }`;
    const refusals = await atOnce(50, async turn => {
      const client = pair().client(turn);
      if (turn % 4 > 1) return (await client.graphql(named)).errors?.[0]?.extensions.code;
      return (await client.post(paths.movements, { movimentacoes: [undo(from(1))] })).body.code;
    });
    const refused = refusals.filter(code => code !== undefined);
    expect(refused).toEqual(Array(30).fill('NOT_REVERSIBLE'));
    expect([await read(first.id), await read(second.id)].map(one => one.quantidade_estornada)).toEqual([
      10, 10,
    ]);
    expect(await stock()).toEqual([100, null]);
    await expectBalanced(service());
  });
});

describe('the database', () => {
  it.each([
    ['update movimentacao set quantidade_estornada = 1 where id = $1', 'SI001'],
    ['update movimentacao set quantidade_estornada = 0, quantidade = 6 where id = $1', 'SI001'],
    ['update estorno set quantidade = 1 where id_estornada = $1', '42501'],
    ['delete from estorno where id_estornada = $1', 'SI001'],
    [
      'insert into estorno (id_movimentacao, id_estornada, quantidade) select id_movimentacao, id_movimentacao, 1 from estorno where id_estornada = $1',
      'SI001',
    ],
  ])('itself keeps what reversals undo: %s', async (statement, code) => {
    const [taken] = await moved(service(), from(5));
    await moved(service(), undo(from(3)));
    await expect(service().sql(statement, [taken.id])).rejects.toMatchObject({ code });
  });
});
