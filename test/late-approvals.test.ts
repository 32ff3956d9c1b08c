import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consumed, entered, makeChemical, post, type Chemical } from './support/controlled.ts';
import { expectBalanced } from './support/ledger.ts';
import { makePlace } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { lastMonth } from './support/reports.ts';
import { useService } from './support/service.ts';
import { moved, paths, type Body } from './support/stock.ts';

/** What was registered in a month that is over, and is decided now, counts in that month. */

const service = useService();
const almoxarife = () => service().as('almoxarife');
const approve = async (id: number, query = '') =>
  (await almoxarife()).post(paths.approvals + query, { id_movimentacao: id });
const statusOf = async (id: number): Promise<number> =>
  (await (await almoxarife()).get(`${paths.movements}/${id}`)).body.id_status_movimentacao;

/** A day of the last month, by its number. */
let day: (number: number) => string;
beforeAll(async () => {
  const { ano, mes } = await lastMonth(service());
  day = number => [ano, mes, number].map(part => String(part).padStart(2, '0')).join('-');
});
afterEach(() => expectBalanced(service()));

/** A controlled chemical, of which 100 came today. `elsewhere` is the same batch at a place without any. */
async function chemicals(): Promise<{ here: Chemical; elsewhere: Chemical }> {
  const here = await makeChemical(service(), { controlado: true, quantidade: 100, fator: 1 });
  return { here, elsewhere: { ...here, place: (await makePlace(service())).id } };
}

function expectRefused(answer: Parameters<typeof expectProblem>[0], held: number): void {
  expectProblem(answer, 409, 'INSUFFICIENT_STOCK');
  expect(answer.body.detail).toMatch(/mês em que foi registrada[^]*Rejeite-a[^]*hoje/);
  expect(answer.body.errors).toEqual([
    { field: 'id_movimentacao', message: `desde o registro, chegou a haver só ${held} em estoque` },
  ]);
}

describe('an approval that comes after the month of the registration', () => {
  it('is refused if the stock came later, so that no balance of the register is below zero', async () => {
    const { here } = await chemicals();
    const [id] = (await post(service(), consumed(here, 10, day(15)))) as [number];
    expectRefused(await approve(id), 0);
    const { errors } = await (
      await almoxarife()
    ).graphql(`mutation { aprovarMovimentacao(idMovimentacao: ${id}) { id } }`);
    expect(errors![0]!.extensions).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      errors: [{ field: 'idMovimentacao' }],
    });
    expect(await statusOf(id)).toBe(1);
    const { ano, mes } = await lastMonth(service());
    const register = `/relatorios/almoxarifado-quimicos/livro-controlados?ano=${ano}&mes=${mes}&codigo=${here.codigo}`;
    const lines = (await (await service().as('admin')).get(register)).body.data as Body[];
    for (const line of lines) expect(line.saldo_final).toBeGreaterThanOrEqual(0);
    expect((await approve(id, '?rejeitar=true')).status).toBe(200);
    const { idLote, place } = here;
    const [anew] = await moved(service(), {
      id_lote: idLote,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: place,
      quantidade: 10,
      fl_estorno: 'N',
    });
    expect(
      (await (await service().as('admin')).post(paths.approvals, { id_movimentacao: anew.id })).status,
    ).toBe(200);
  });

  it('is refused to a reversal of an entry that was used up meanwhile, although there is stock again', async () => {
    const { elsewhere } = await chemicals();
    const [entry] = (await post(service(), entered(elsewhere, 10, day(3)))) as [number];
    expect((await approve(entry)).status).toBe(200);
    const undone = entered(elsewhere, 10, day(5), { flEstorno: 'S', idEstornada: entry });
    const [reversal, exit] = (await post(service(), undone, consumed(elsewhere, 8, day(9)))) as [
      number,
      number,
    ];
    expect((await approve(exit)).status).toBe(200);
    const { data: _, ...today } = entered(elsewhere, 50, day(1));
    const [again] = (await post(service(), today)) as [number];
    expect((await approve(again)).status).toBe(200);
    expectRefused(await approve(reversal), 2);
    expect(await statusOf(reversal)).toBe(1);
  });

  it('is possible if there was always enough, and each counts for the next', async () => {
    const { elsewhere } = await chemicals();
    const [entry, transfer, first, second] = (await post(
      service(),
      entered(elsewhere, 20, day(3)),
      {
        ...consumed(elsewhere, 8, day(4)),
        idTipoMovimentacao: 3,
        idLocalDestinoFim: (await makePlace(service())).id,
      },
      consumed(elsewhere, 7, day(5)),
      consumed(elsewhere, 7, day(5)),
    )) as [number, number, number, number];
    for (const id of [entry, transfer]) expect((await approve(id)).status).toBe(200);
    const { data: _, ...today } = entered(elsewhere, 50, day(1));
    expect((await approve((await post(service(), today))[0]!)).status).toBe(200);
    const { data, errors } = await (
      await almoxarife()
    ).graphql(
      `mutation { first: aprovarMovimentacao(idMovimentacao: ${first}) { situacao } second: aprovarMovimentacao(idMovimentacao: ${second}) { situacao } }`,
    );
    expect(data.first).toEqual({ situacao: 'APROVADA' });
    expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'INSUFFICIENT_STOCK' } }]);
    expect([await statusOf(first), await statusOf(second)]).toEqual([2, 1]);
  });
});
