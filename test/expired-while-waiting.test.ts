import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

/** A batch that expires while a movement of it waits for approval. */

const service = useService();
const { approvals, movements } = paths;
const decide = (client: Client, { id }: Body, query = ''): Promise<Answer> =>
  client.post(approvals + query, { id_movimentacao: id });

const services: TestService[] = [];
/** The administrator of a further process on the same database, with this setting. */
async function adminWith(EXPIRED_STOCK: string): Promise<Client> {
  const started = await startService({ EXPIRED_STOCK }, service());
  services.push(started);
  return started.as('admin');
}
afterAll(() => Promise.all(services.map(one => one.stop())));
afterEach(() => expectBalanced(service()));

/** Movements of a batch in stock, which wait. The batch has expired since then. */
async function expiredMeanwhile(...more: object[]): Promise<{ batch: Body; out: Body; waiting: Body[] }> {
  const batch = await makeBatch(service(), { controlado: true });
  const [entry] = await movementsOf(service(), batch.id);
  expect((await decide(await service().as('admin'), entry)).status).toBe(200);
  const out = {
    id_lote: batch.id,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: batch.id_local,
    quantidade: 1,
    fl_estorno: 'N',
  };
  const waiting = await moved(service(), ...more.map(one => ({ ...out, ...one })));
  expect(waiting.map(({ avisos }) => avisos)).toEqual(more.map(() => null));
  await service().sql(`update lote set data_venc = current_date - 1 where id = $1`, [batch.id]);
  return { batch, out, waiting };
}

describe('an approval of an exit of a batch that has expired meanwhile', () => {
  it('is refused if EXPIRED_STOCK is refuse, unless the movement confirms it', async () => {
    const { batch, waiting } = await expiredMeanwhile({}, { ciente_vencimento: true });
    const [waits, aware] = waiting;
    const admin = await adminWith('refuse');
    expectProblem(await decide(admin, waits), 409, 'CONFLICT');
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
    expect((await decide(admin, aware)).status).toBe(200);
    const { body } = await admin.get(`${movements}/${aware.id}`);
    expect(body).toMatchObject({ lote_vencido: true, ciente_vencimento: true });
    expect((await decide(admin, waits, '?rejeitar=true')).status).toBe(200);
  });

  it('is warned about if EXPIRED_STOCK is warn, on both faces, but neither a rejection nor a disposal is', async () => {
    const { out, waiting } = await expiredMeanwhile({}, {}, { id_tipo_movimentacao: 5 });
    const [exit, another, disposal] = waiting;
    const [rejected] = await moved(service(), out);
    expect(rejected.lote_vencido).toBe(true);
    const admin = await adminWith('warn');
    expect((await decide(admin, exit)).body.movimentacao).toMatchObject({
      lote_vencido: true,
      avisos: ['O lote está vencido.'],
    });
    const { data } = await admin
      .with({ 'accept-language': 'en' })
      .graphql(`mutation { aprovarMovimentacao(idMovimentacao: ${another.id}) { movimentacao { avisos } } }`);
    expect(data.aprovarMovimentacao.movimentacao.avisos).toEqual(['The batch has expired.']);
    expect((await decide(admin, rejected, '?rejeitar=true')).body.movimentacao.avisos).toBeNull();
    expect((await decide(admin, disposal)).body.movimentacao).toMatchObject({
      lote_vencido: false,
      avisos: null,
    });
    expect((await admin.get(`${movements}/${exit.id}`)).body.avisos).toBeNull();
  });

  it('says nothing by default', async () => {
    const { waiting } = await expiredMeanwhile({});
    const { body } = await decide(await service().as('admin'), waiting[0]);
    expect(body.movimentacao).toMatchObject({ lote_vencido: true, avisos: null });
  });
});

describe('a change of a waiting exit that gives its batch another last day', () => {
  it('is checked with that day, on both faces', async () => {
    const { batch, waiting } = await expiredMeanwhile({});
    const [exit] = waiting;
    const admin = await adminWith('refuse');
    const { id_material, id_fabricante, cod_lote } = batch;
    const put = (data_venc: string | null, more: object = {}) =>
      admin.put(`${movements}/${exit.id}`, {
        ...exit,
        lote: { id_material, id_fabricante, cod_lote, data_venc },
        ...more,
      });
    const fresh = await put('2040-01-01');
    expect([fresh.status, fresh.body.lote_vencido]).toEqual([200, false]);
    expectProblem(await put('2020-01-01'), 409, 'CONFLICT');
    const { errors } = await admin.graphql(`mutation { atualizarMovimentacaoEstoque(id: ${exit.id}, input: {
      idLote: ${batch.id}, idLocalOrigemFim: ${batch.id_local}, quantidade: 1, flEstorno: false,
      lote: { idMaterial: ${id_material}, idFabricante: ${id_fabricante}, dataVenc: "2020-01-01" }
    }) { id } }`);
    expect(errors![0]!.extensions).toMatchObject({
      code: 'CONFLICT',
      errors: [{ field: 'cienteVencimento' }],
    });
    expect((await admin.get(`${paths.batches}/${batch.id}`)).body.data_venc).toBe('2040-01-01');
    const aware = await put('2020-01-01', { ciente_vencimento: true });
    expect([aware.status, aware.body.lote_vencido]).toEqual([200, true]);
    const endless = await put(null, { ciente_vencimento: false });
    expect([endless.status, endless.body.lote_vencido]).toEqual([200, false]);
  });
});
