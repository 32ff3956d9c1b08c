import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, type Body } from './support/stock.ts';

const service = useService();
let almoxarife: Client;
let admin: Client;
beforeAll(async () => {
  almoxarife = await service().as('almoxarife');
  admin = await service().as('admin');
});

const day = async (days: number): Promise<string> =>
  (await service().sql('select (current_date + $1::int)::text', [days]))[0]![0] as string;

/** Acknowledges the only open alert of a material for five months, and returns its id. */
async function acknowledge(idMaterial: number, client = almoxarife): Promise<number> {
  const [id] = await openOf(idMaterial);
  const { data, errors } = await client.graphql(
    'mutation ($id: Int!, $ate: Date!) { reconhecerAlerta(id: $id, ate: $ate) { id aberto } }',
    { id, ate: await day(150) },
  );
  expect(errors).toBeUndefined();
  expect(data.reconhecerAlerta).toEqual({ id, aberto: false });
  expect(await openOf(idMaterial)).toEqual([]);
  return id!;
}

async function openOf(idMaterial: number): Promise<number[]> {
  const { data, errors } = await almoxarife.graphql(
    `{ alertas(idMaterial: ${idMaterial}) { data { id aberto reconhecimento { id } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.alertas.data.map(({ id, ...open }: { id: number }) => {
    expect(open).toEqual({ aberto: true, reconhecimento: null });
    return id;
  });
}

/** The number at the item of the alerts in the side menu. */
async function counted(): Promise<number> {
  const { body } = await almoxarife.get('/permissoes/menu_lateral');
  const items = (body.data as { itens: { nome: string; alertas: number }[] }[]).flatMap(({ itens }) => itens);
  return items.find(({ nome }) => nome === 'Alertas')!.alertas;
}

const at = (lote: Body, quantidade: number, more: object) => ({
  id_lote: lote.id,
  fl_estorno: 'N',
  quantidade,
  ...more,
});
const enter = (lote: Body, quantidade: number) =>
  moved(service(), at(lote, quantidade, { id_tipo_movimentacao: 2, id_local_destino_fim: lote.id_local }));
const consume = (lote: Body, quantidade: number) =>
  moved(service(), at(lote, quantidade, { id_tipo_movimentacao: 4, id_local_origem_fim: lote.id_local }));
const dispose = (lote: Body, quantidade: number) =>
  moved(service(), at(lote, quantidade, { id_tipo_movimentacao: 5, id_local_origem_fim: lote.id_local }));

const WAITING = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

/** What an earlier version wrote. */
const forgetFigures = () =>
  service().sql('update reconhecimento_alerta set quantidade = null, minimo = null');

describe('an acknowledgement of stock below its minimum', () => {
  const setMinimum = async (idMaterial: number, idLocal: number, quantidade: number): Promise<void> => {
    const { errors } = await almoxarife.graphql(
      'mutation ($input: EstoqueMinimoInput!) { definirEstoqueMinimo(input: $input) { id } }',
      { input: { idMaterial, idLocal, quantidade } },
    );
    expect(errors).toBeUndefined();
  };
  /** 5 of a material, of which there shall be 8. */
  async function short() {
    const lote = await makeBatch(service(), { quantidade: 5 });
    const set = (quantidade: number) => setMinimum(lote.id_material, lote.id_local, quantidade);
    await set(8);
    return { lote, set, idMaterial: lote.id_material as number };
  }

  it('ends when less is left', async () => {
    const { lote, idMaterial } = await short();
    const id = await acknowledge(idMaterial);
    const before = await counted();
    await enter(lote, 100);
    expect(await openOf(idMaterial)).toEqual([]);
    await consume(lote, 105);
    expect(await openOf(idMaterial)).toEqual([id]);
    expect(await counted()).toBe(before + 1);
    await acknowledge(idMaterial);
    expect(await counted()).toBe(before);
  });

  it('ends when the minimum is raised', async () => {
    const { set, idMaterial } = await short();
    const id = await acknowledge(idMaterial);
    await set(800);
    expect(await openOf(idMaterial)).toEqual([id]);
    await acknowledge(idMaterial);
  });

  it('counts while there is as much or more, and the minimum is as high or lower', async () => {
    const { lote, set, idMaterial } = await short();
    await acknowledge(idMaterial);
    await enter(lote, 2);
    await set(7);
    await consume(lote, 1);
    await set(8);
    await consume(lote, 1);
    expect(await openOf(idMaterial)).toEqual([]);
  });

  it('counts whatever happens if an earlier version wrote it', async () => {
    const { lote, set, idMaterial } = await short();
    await acknowledge(idMaterial);
    await forgetFigures();
    await consume(lote, 5);
    await set(800);
    expect(await openOf(idMaterial)).toEqual([]);
  });

  it('is of the minimum that somebody else was setting at the same time', async () => {
    const { idMaterial } = await short();
    const other = new pg.Client({ connectionString: service().databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('update estoque_minimo set quantidade = 20 where id_material = $1', [idMaterial]);
      const acknowledged = acknowledge(idMaterial);
      await eventually(async () => expect(await service().sql(WAITING)).toHaveLength(1));
      await other.query('commit');
      await acknowledged;
      expect(await openOf(idMaterial)).toEqual([]);
    } finally {
      await other.end();
    }
  });

  it('is of the first stock, too, if there was none', async () => {
    const { id: idMaterial } = await makeMaterial(service());
    const { id: idLocal } = await makePlace(service());
    await setMinimum(idMaterial, idLocal, 3);
    await acknowledge(idMaterial);
    const lote = await makeBatch(service(), { id_material: idMaterial, id_local: idLocal, quantidade: 2 });
    await consume(lote, 2);
    expect(await openOf(idMaterial)).toEqual([]);
  });
});

describe.each([
  ['has expired', -5],
  ['expires soon', 20],
])('an acknowledgement of stock that %s', (_what, days) => {
  it('ends when more arrives than there was, and not while there is as much or less', async () => {
    const lote = await makeBatch(service(), { quantidade: 10, data_venc: await day(days) });
    const id = await acknowledge(lote.id_material);
    await dispose(lote, 9);
    await enter(lote, 9);
    expect(await openOf(lote.id_material)).toEqual([]);
    await dispose(lote, 10);
    await enter(lote, 500);
    expect(await openOf(lote.id_material)).toEqual([id]);
    await acknowledge(lote.id_material);
    await forgetFigures();
    await enter(lote, 1);
    expect(await openOf(lote.id_material)).toEqual([]);
  });
});

describe('an acknowledgement of a movement that waits for approval', () => {
  it('ends when its quantity changes, and not when anything else does', async () => {
    const lote = await makeBatch(service(), { controlado: true });
    const id = await acknowledge(lote.id_material, admin);
    const [entry] = await movementsOf(service(), lote.id);
    const change = async (changes: object): Promise<void> => {
      const { status, body } = await almoxarife.put(`${paths.movements}/${entry.id}`, {
        ...entry,
        ...changes,
      });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await change({ observacao: 'Frascos de 1 L' });
    expect(await openOf(lote.id_material)).toEqual([]);
    for (const quantidade of [1000, 10]) {
      await change({ quantidade });
      expect(await openOf(lote.id_material)).toEqual([id]);
      await acknowledge(lote.id_material, admin);
    }
  });
});
