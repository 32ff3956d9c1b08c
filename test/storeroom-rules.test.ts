import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { makePlace } from './support/make.ts';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { expectProblem } from './support/problem.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { makeBatch, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);
const as = (user: string): Promise<Client> => service().as(user);
const post = async (client: Client, movement: object) =>
  client.post(paths.movements, { movimentacoes: [movement] });
const personOf = async (usuario: string): Promise<number> =>
  (await service().sql('select id from pessoa where usuario = $1', [usuario]))[0]![0] as number;

const services: TestService[] = [];
/** A further process on the same database, with different settings. */
async function beside(environment: NodeJS.ProcessEnv): Promise<TestService> {
  const started = await startService(environment, service());
  services.push(started);
  return started;
}
afterAll(() => Promise.all(services.map(one => one.stop())));

describe('a controlled movement', () => {
  const entry = () => ({
    id_lote: scene.batch.id,
    id_local_destino_fim: scene.batch.id_local,
    fl_estorno: 'N',
  });

  it('is not decided by who registered it, nor by who changed it last', async () => {
    const [almoxarife, admin] = [await as('almoxarife'), await as('admin')];
    for (const query of ['', '?rejeitar=true']) {
      const refused = await almoxarife.post(paths.approvals + query, { id_movimentacao: scene.entry.id });
      expectProblem(refused, 403, 'FORBIDDEN');
    }
    const path = `${paths.movements}/${scene.entry.id}`;
    expect((await admin.put(path, { ...entry(), quantidade: 1000 })).status).toBe(200);
    expectProblem(await scene.approve(scene.entry.id, admin), 403, 'FORBIDDEN');
    expectProblem(await scene.approve(scene.entry.id, almoxarife), 403, 'FORBIDDEN');
    expect(await scene.statusOf(scene.entry.id)).toBe(1);
  });

  it('is not decided by who set its quantity, even after another person has changed its remark', async () => {
    const [tecnico, almoxarife, admin] = [await as('tecnico'), await as('almoxarife'), await as('admin')];
    const own = (await post(tecnico, { ...entry(), id_tipo_movimentacao: 2, quantidade: 5 })).body.data[0];
    const path = `${paths.movements}/${own.id}`;
    expect((await admin.put(path, { ...entry(), quantidade: 1000 })).status).toBe(200);
    const remarked = { ...entry(), quantidade: 1000, observacao: 'Conferida' };
    expect((await tecnico.put(path, remarked)).status).toBe(200);
    for (const query of ['', '?rejeitar=true'])
      expectProblem(await admin.post(paths.approvals + query, { id_movimentacao: own.id }), 403, 'FORBIDDEN');
    const { errors } = await admin.graphql(
      `mutation { aprovarMovimentacao(idMovimentacao: ${own.id}) { id } }`,
    );
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    const alert = `(select id * 3 + 2 from solicitacao_aprovacao where id_movimentacao = $1)`;
    const [[id]] = (await service().sql(`select ${alert}`, [own.id])) as [[number]];
    const acknowledged = await admin.graphql(
      `mutation { reconhecerAlerta(id: ${id}, ate: "${new Date().toISOString().slice(0, 10)}") { id } }`,
    );
    expect(acknowledged.errors![0]!.extensions.code).toBe('FORBIDDEN');
    expect(await scene.statusOf(own.id)).toBe(1);
    expect((await scene.approve(own.id, almoxarife)).status).toBe(200);
  });

  it('is decided by who once changed nothing but its remark', async () => {
    const [tecnico, admin] = [await as('tecnico'), await as('admin')];
    const own = (await post(tecnico, { ...entry(), id_tipo_movimentacao: 2, quantidade: 5 })).body.data[0];
    const path = `${paths.movements}/${own.id}`;
    expect((await admin.put(path, { ...entry(), observacao: 'Conferida' })).status).toBe(200);
    expectProblem(await scene.approve(own.id, admin), 403, 'FORBIDDEN');
    expect((await tecnico.put(path, { ...entry(), quantidade: 6 })).status).toBe(200);
    expect((await scene.approve(own.id, admin)).status).toBe(200);
  });

  it('is decided by the only keeper if the setting APPROVE_OWN says so', async () => {
    const alone = await beside({ APPROVE_OWN: 'true' });
    expect((await scene.approve(scene.entry.id, await alone.as('almoxarife'))).status).toBe(200);
  });

  it('has an alert that is acknowledged, like the movement decided, by another person or as APPROVE_OWN says', async () => {
    const id = (
      await service().sql('select id * 3 + 2 from solicitacao_aprovacao where id_movimentacao = $1', [
        scene.entry.id,
      ])
    )[0]![0] as number;
    const acknowledge = async (client: Client) => {
      const { errors } = await client.graphql(
        'mutation ($id: Int!, $ate: Date!) { reconhecerAlerta(id: $id, ate: $ate) { id } }',
        { id, ate: new Date().toISOString().slice(0, 10) },
      );
      return errors?.map(({ message, extensions: { code } }) => [code, message]);
    };
    const [almoxarife, admin] = [await as('almoxarife'), await as('admin')];
    const refused = [['FORBIDDEN', expect.stringContaining('peça a outra pessoa')]];
    expect(await acknowledge(almoxarife)).toEqual(refused);
    expect(await acknowledge(admin)).toBeUndefined();
    const { errors } = await almoxarife.graphql(`mutation { reabrirAlerta(id: ${id}) { id } }`);
    expect(errors).toBeUndefined();
    const path = `${paths.movements}/${scene.entry.id}`;
    expect((await admin.put(path, { ...entry(), quantidade: 1000 })).status).toBe(200);
    expect(await acknowledge(admin)).toEqual(refused);
    const alone = await beside({ APPROVE_OWN: 'true' });
    expect(await acknowledge(await alone.as('almoxarife'))).toBeUndefined();
  });

  it('is changed and deleted while it waits only by who registered it, or with level 3', async () => {
    const tecnico = await as('tecnico');
    const path = `${paths.movements}/${scene.entry.id}`;
    expectProblem(await tecnico.put(path, { ...entry(), quantidade: 7 }), 403, 'FORBIDDEN');
    expectProblem(await tecnico.delete(path), 403, 'FORBIDDEN');
    const own = (await post(tecnico, { ...entry(), id_tipo_movimentacao: 2, quantidade: 5 })).body.data[0];
    const ownPath = `${paths.movements}/${own.id}`;
    expect((await tecnico.put(ownPath, { ...entry(), quantidade: 6 })).status).toBe(200);
    expect((await (await as('almoxarife')).put(ownPath, { ...entry(), quantidade: 7 })).status).toBe(200);
    expect((await tecnico.delete(ownPath)).status).toBe(200);
  });

  it('has in its request who changed what while it waited', async () => {
    const admin = await as('admin');
    const path = `${paths.movements}/${scene.entry.id}`;
    await admin.put(path, { ...entry(), quantidade: 60, observacao: 'Recontado' });
    const { data } = (await admin.get(paths.approvals)).body;
    const request = (data as Body[]).find(one => one.id_movimentacao === scene.entry.id);
    const by = await personOf('admin');
    expect(request.alteracoes).toMatchObject([
      { campo: 'observacao', antes: null, depois: 'Recontado', criado_por: by },
      { campo: 'quantidade', antes: '100', depois: '60', criado_por: by },
    ]);
    const query = `{ solicitacaoAprovacao(id: ${request.id}) { alteracoes { campo depois } } }`;
    expect((await admin.graphql(query)).data.solicitacaoAprovacao.alteracoes).toHaveLength(2);
  });
});

describe('a restricted location', () => {
  let batch: Body;
  let other: number;
  beforeAll(async () => {
    batch = await makeBatch(service());
    other = (await makePlace(service())).id;
    await service().sql(`update local set restrito = 'S' where id = $1`, [batch.id_local]);
  });
  const out = (quantidade = 1) => ({
    id_lote: batch.id,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: batch.id_local,
    quantidade,
    fl_estorno: 'N',
  });
  const transfer = () => ({ ...out(), id_tipo_movimentacao: 3, id_local_destino_fim: other });
  const into = () => ({ ...out(), id_tipo_movimentacao: 2, id_local_destino_fim: batch.id_local });

  it('is shown as such', async () => {
    const { body } = await (await as('tecnico')).get(`/almoxarifadoquimicos/locais/${batch.id_local}`);
    expect(body.restrito).toBe('S');
  });

  it('lets anybody bring stock, and nobody but its managers and level 3 take it', async () => {
    const [tecnico, almoxarife] = [await as('tecnico'), await as('almoxarife')];
    expect((await post(tecnico, into())).status).toBe(201);
    const movements = [out(), transfer(), { ...into(), fl_estorno: 'S' }];
    for (const movement of movements) {
      const refused = await post(tecnico, movement);
      expectProblem(refused, 403, 'FORBIDDEN');
      expect(refused.body.detail).toMatch(/retira estoque de: Laboratório/);
    }
    const onShelf = { ...transfer(), id_local_destino_fim: batch.id_local, id_local_destino_arm: other };
    expectProblem(await post(tecnico, onShelf), 403, 'FORBIDDEN');
    const [entry] = await movementsOf(service(), batch.id);
    const { errors } = await tecnico.graphql(`mutation { estornarMovimentacao(id: ${entry.id}) { id } }`);
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    for (const movement of [out(), transfer()]) expect((await post(almoxarife, movement)).status).toBe(201);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(99);
  });

  it('lets its managers in force take stock, but not those of yesterday', async () => {
    const tecnico = await as('tecnico');
    const term = (end: string) =>
      service().sql(
        `insert into responsavel_laboratorio (id_local, id_pessoa, data_inicio, data_fim) values ($1, $2, current_date - 9, ${end})`,
        [batch.id_local, id],
      );
    const id = await personOf('tecnico');
    await term('current_date - 1');
    expectProblem(await post(tecnico, out()), 403, 'FORBIDDEN');
    await service().sql('delete from responsavel_laboratorio where id_local = $1', [batch.id_local]);
    await term('null');
    expect((await post(tecnico, out())).status).toBe(201);
  });
});

describe('expired stock', () => {
  const expired = async (): Promise<Body> => makeBatch(service(), { data_venc: '2020-01-31' });
  const out = (batch: Body, id_tipo_movimentacao = 4) => ({
    id_lote: batch.id,
    id_tipo_movimentacao,
    id_local_origem_fim: batch.id_local,
    quantidade: 1,
    fl_estorno: 'N',
  });

  it('may leave by default, and the movement keeps that it had expired', async () => {
    const { status, body } = await post(await as('tecnico'), out(await expired()));
    expect([status, body.data[0].lote_vencido, body.data[0].avisos]).toEqual([201, true, null]);
    const fresh = await post(await as('tecnico'), out(await makeBatch(service())));
    expect(fresh.body.data[0].lote_vencido).toBe(false);
  });

  it('causes a warning if EXPIRED_STOCK is warn, except for a disposal', async () => {
    const tecnico = await (await beside({ EXPIRED_STOCK: 'warn' })).as('tecnico');
    const batch = await expired();
    const { body } = await post(tecnico, out(batch));
    expect(body.data[0].avisos).toEqual(['O lote está vencido.']);
    expect((await post(tecnico, out(batch, 5))).body.data[0]).toMatchObject({
      lote_vencido: false,
      avisos: null,
    });
    expect((await post(tecnico, { ...out(batch), fl_estorno: 'S' })).body.data[0].avisos).toBeNull();
    const [waiting] = (await post(tecnico, out(scene.batch))).body.data as [Body];
    expect(waiting.avisos).toBeNull();
    const late = await makeBatch(service(), { controlado: true, data_venc: '2020-01-31' });
    const changed = await tecnico.put(`${paths.movements}/${waiting.id}`, out(late));
    expect([changed.status, changed.body.avisos]).toEqual([200, ['O lote está vencido.']]);
  });

  it('is refused if EXPIRED_STOCK is refuse, unless the movement confirms it', async () => {
    const tecnico = await (await beside({ EXPIRED_STOCK: 'refuse' })).as('tecnico');
    const batch = await expired();
    const refused = await tecnico.post(paths.movements, {
      movimentacoes: [out(batch, 5), out(batch), { ...out(batch, 3), id_local_destino_fim: 1 }],
    });
    expectProblem(refused, 409, 'CONFLICT');
    expect((refused.body.errors as Body[]).map(({ field }) => field)).toEqual([
      'movimentacoes[1].ciente_vencimento',
      'movimentacoes[2].ciente_vencimento',
    ]);
    const confirmed = await post(tecnico, { ...out(batch), ciente_vencimento: true });
    expect(confirmed.body.data[0]).toMatchObject({ ciente_vencimento: true, lote_vencido: true });
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(99);
  });

  it('is refused to a waiting movement that is changed to take it', async () => {
    const tecnico = await (await beside({ EXPIRED_STOCK: 'refuse' })).as('tecnico');
    const taken = (await post(tecnico, out(scene.batch))).body.data[0];
    const late = await makeBatch(service(), { controlado: true, data_venc: '2020-01-31' });
    const change = (more: object) => tecnico.put(`${paths.movements}/${taken.id}`, { ...out(late), ...more });
    expectProblem(await change({}), 409, 'CONFLICT');
    const changed = await change({ ciente_vencimento: true });
    expect(changed.body).toMatchObject({ id_lote: late.id, ciente_vencimento: true, lote_vencido: true });
  });
});
