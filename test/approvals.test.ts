import { describe, expect, it } from 'vitest';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, type Body } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);
const { approve, reject, stock, statusOf } = scene;
const almoxarife = () => service().as('almoxarife');
const personOf = async (usuario: string): Promise<number> =>
  (await service().sql('select id from pessoa where usuario = $1', [usuario]))[0]![0] as number;
const inbox = async (): Promise<Body[]> => (await (await almoxarife()).get(paths.approvals)).body.data;
const requestOf = async (id: number): Promise<Body> =>
  (await inbox()).find(request => request.id_movimentacao === id);
const consumption = (quantidade: number) => ({
  id_lote: scene.batch.id,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: scene.batch.id_local,
  quantidade,
  fl_estorno: 'N',
});

describe('the inbox', () => {
  it('has the waiting requests, oldest first, with their movement and who asked', async () => {
    const other = await makeBatch(service(), { controlado: true });
    const [second] = await movementsOf(service(), other.id);
    const requests = await inbox();
    expect(requests.every(request => request.situacao === 'P')).toBe(true);
    const times = requests.map(request => request.solicitado_em as string);
    expect(times).toEqual(times.toSorted());
    expect(requests.slice(-2)).toMatchObject([
      {
        id_movimentacao: scene.entry.id,
        movimentacao: { id: scene.entry.id, quantidade: 100, lote: { id: scene.batch.id } },
        solicitado_por: await personOf('almoxarife'),
        decidido_por: null,
        decidido_em: null,
        motivo: null,
      },
      { id_movimentacao: second.id },
    ]);
  });

  it('has no movements of free materials', async () => {
    const free = await makeBatch(service());
    const [effective] = await movementsOf(service(), free.id);
    expect(await requestOf(effective.id)).toBeUndefined();
    expectProblem(await approve(effective.id), 409, 'INVALID_STATE');
  });
});

describe('approving', () => {
  it('applies the movement to stock and answers 200 with the request, which leaves the inbox', async () => {
    const { id } = await requestOf(scene.entry.id);
    const approved = await approve(scene.entry.id);
    expect(approved).toMatchObject({
      status: 200,
      body: {
        id,
        situacao: 'A',
        id_movimentacao: scene.entry.id,
        decidido_por: await personOf('admin'),
        decidido_em: expect.stringMatching(/Z$/),
        movimentacao: { id_status_movimentacao: 2 },
      },
    });
    expect(await stock()).toBe(100);
    expect(await requestOf(scene.entry.id)).toBeUndefined();
    expect((await (await almoxarife()).get(`${paths.approvals}/${id}`)).body).toEqual(approved.body);
  });

  it('a movement that takes more than the stock leaves it waiting until there is enough', async () => {
    const [taken] = await moved(service(), consumption(30));
    const refused = await approve(taken.id);
    expectProblem(refused, 409, 'INSUFFICIENT_STOCK');
    expect(refused.body.errors).toEqual([{ field: 'id_movimentacao', message: 'há 0 em estoque' }]);
    expect(await statusOf(taken.id)).toBe(1);
    expect(await requestOf(taken.id)).toMatchObject({ situacao: 'P', decidido_por: null });
    await approve(scene.entry.id);
    expect((await approve(taken.id)).status).toBe(200);
    expect(await stock()).toBe(70);
  });

  it('may be undone by a reversal, which waits in its turn', async () => {
    await approve(scene.entry.id);
    const [taken] = await moved(service(), consumption(30));
    await approve(taken.id);
    const [back] = await moved(service(), { ...consumption(30), fl_estorno: 'S' });
    expect([back.id_status_movimentacao, await stock()]).toEqual([1, 70]);
    await approve(back.id);
    expect(await stock()).toBe(100);
  });
});

describe('rejecting', () => {
  it('ends the movement without any effect, and keeps why', async () => {
    const rejected = await reject(scene.entry.id, 'Sem licença');
    expect(rejected).toMatchObject({
      status: 200,
      body: { situacao: 'R', motivo: 'Sem licença', movimentacao: { id_status_movimentacao: 3 } },
    });
    expect(await stock()).toBeNull();
    expectProblem(await approve(scene.entry.id), 409, 'INVALID_STATE');
  });

  it('needs no reason, and takes one of at most 500 characters', async () => {
    expect(fieldsOf(await reject(scene.entry.id, 'x'.repeat(501)))).toEqual(['motivo']);
    expect((await reject(scene.entry.id)).body).toMatchObject({ situacao: 'R', motivo: null });
  });
});
