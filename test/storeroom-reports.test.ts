import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePlace } from './support/make.ts';
import { rowsOf, storeroomReports as reports, sums } from './support/reports.ts';
import { useService } from './support/service.ts';
import { makeBatch, move, paths, type Body } from './support/stock.ts';

const service = useService();
const almoxarife = () => service().as('almoxarife');

/** A row of the ledger, with the material that moved and whether that is controlled. */
interface Fact {
  lote: number;
  material: number;
  kind: number;
  operation: string;
  effective: boolean;
  sign: 1 | -1;
  quantity: number;
  from: string | null;
  to: string | null;
  controlled: boolean;
}

const FACTS = `
select v.id_lote, l.id_material, v.id_tipo_movimentacao,
  case v.fl_estorno when 'S' then 'Estorno de ' || lower(t.descricao) else t.descricao end, v.id_status_movimentacao, v.fl_estorno, v.quantidade,
  v.id_local_origem_fim || ':' || v.id_local_origem_arm, v.id_local_destino_fim || ':' || v.id_local_destino_arm,
  c.exige_aprovacao or c.orgao_controlador is not null
from movimentacao v join lote l on l.id = v.id_lote join material m on m.id = l.id_material
join tipo_movimentacao t on t.id = v.id_tipo_movimentacao left join tipo_controle c on c.id = m.id_tipo_controle`;

/** The whole ledger, row by row. The tests add it up in the simplest way. */
async function facts(): Promise<Fact[]> {
  const rows = await service().sql(FACTS);
  return rows.map(
    ([lote, material, kind, operation, status, reversal, quantity, from, to, controlled]) =>
      ({
        lote,
        material,
        kind,
        operation,
        effective: status === 2,
        sign: reversal === 'S' ? -1 : 1,
        quantity,
        from: kind === 1 || kind === 2 ? null : from,
        to: kind === 4 || kind === 5 ? null : to,
        controlled: controlled === true,
      }) as Fact,
  );
}

/** What effective movements add to places, and take from them. */
const effects = (ledger: readonly Fact[]) =>
  ledger
    .filter(({ effective }) => effective)
    .flatMap(({ from, to, sign, quantity, ...what }) => [
      ...(from === null ? [] : [{ ...what, place: from, delta: -sign * quantity }]),
      ...(to === null ? [] : [{ ...what, place: to, delta: sign * quantity }]),
    ]);

const placeOf = (row: Body): string => `${row.id_local_responsavel}:${row.id_local_armazenado}`;

/** Movements of every kind and state, by a seed that failures tell. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_121);

async function moveAtRandom(): Promise<void> {
  const places = [await makePlace(service()), await makePlace(service())].map(place => place.id);
  const batches: Body[] = [];
  for (const controlado of [false, true, true])
    batches.push(await makeBatch(service(), { controlado, id_local: places[0]! }));
  const asked = fc.record({
    batch: fc.nat(2),
    id_tipo_movimentacao: fc.integer({ min: 1, max: 5 }),
    quantidade: fc.integer({ min: 1, max: 30 }),
    turned: fc.boolean(),
    fl_estorno: fc.constantFrom('N', 'N', 'S'),
    approved: fc.constantFrom(true, true, false),
  });
  const admin = await service().as('admin');
  const decide = async (id: number, approved: boolean) =>
    admin.post(`${paths.approvals}?idMovimentacao=${id}${approved ? '' : '&rejeitar=true'}`);
  for (const { batch, turned, approved, ...movement } of fc.sample(asked, { numRuns: 60, seed })) {
    const [from, to] = turned ? places.toReversed() : places;
    const answer = await move(service(), {
      ...movement,
      id_lote: batches[batch].id,
      id_local_origem_fim: from,
      id_local_destino_fim: to,
    });
    const [made] = answer.status === 201 ? answer.body.data : [];
    if (made?.id_status_movimentacao === 1 && movement.quantidade % 5 > 0) await decide(made.id, approved);
  }
}

beforeAll(moveAtRandom);

describe(`after movements at random (seed ${seed}), reversed, rejected and pending ones among them,`, () => {
  it('there are some of every kind', async () => {
    const found = new Set((await facts()).map(({ kind, effective, sign }) => `${kind} ${effective} ${sign}`));
    for (const kind of ['1 true 1', '2 true 1', '3 true 1', '4 true 1', '5 true 1', '4 true -1', '3 false 1'])
      expect([...found]).toContain(kind);
  });

  it('the stock report matches the ledger, for each place', async () => {
    const expected = sums(
      effects(await facts()),
      e => `${e.lote} ${e.place}`,
      e => e.delta,
    );
    const rows = await rowsOf(await almoxarife(), reports.stocked);
    expect(
      sums(
        rows,
        row => `${row.id_lote} ${placeOf(row)}`,
        row => row.quantidade,
      ),
    ).toEqual(expected);
    expect(rows).toHaveLength(Object.keys(expected).length);
  });

  it('the report of controlled materials matches the ledger, with all batches together', async () => {
    const controlled = effects(await facts()).filter(effect => effect.controlled);
    const expected = sums(
      controlled,
      e => `${e.material} ${e.place}`,
      e => e.delta,
    );
    const rows = await rowsOf(await almoxarife(), reports.controlled);
    expect(
      sums(
        rows,
        row => `${row.id_material} ${placeOf(row)}`,
        row => row.qt_armazenada,
      ),
    ).toEqual(expected);
    expect(rows).toHaveLength(Object.keys(expected).length);
  });

  it('what left is consumption and disposal, minus reversals', async () => {
    const left = (await facts()).filter(({ effective, kind }) => effective && (kind === 4 || kind === 5));
    const rows = await rowsOf(await almoxarife(), reports.left);
    expect(
      sums(
        rows,
        row => `${row.id_material} ${row.operacao}`,
        row => row.qt_movimentada,
      ),
    ).toEqual(
      sums(
        left,
        fact => `${fact.material} ${fact.operation}`,
        fact => fact.sign * fact.quantity,
      ),
    );
    expect(rows).toHaveLength(left.length);
  });

  it('each effective movement of a controlled material is there once, and a reversal names the movement that it undid', async () => {
    const moved = (await facts()).filter(({ effective, controlled }) => effective && controlled);
    const rows = await rowsOf(await almoxarife(), reports.moved);
    expect(
      sums(
        rows,
        row => `${row.id_material} ${row.operacao}`,
        row => row.qt_movimentacao,
      ),
    ).toEqual(
      sums(
        moved,
        fact => `${fact.material} ${fact.operation}`,
        fact => fact.sign * fact.quantity,
      ),
    );
    expect(rows).toHaveLength(moved.length);
  });
});

it('a movement of a controlled material is shown at the places that its kind uses, whatever others were sent', async () => {
  const batch = await makeBatch(service(), { controlado: true });
  const [here, other] = [batch.id_local as number, (await makePlace(service())).id];
  const admin = await service().as('admin');
  const approve = async (): Promise<void> => {
    const waiting = await service().sql(
      'select id from movimentacao where id_lote = $1 and id_status_movimentacao = 1 order by id',
      [batch.id],
    );
    for (const [id] of waiting)
      expect((await admin.post(paths.approvals, { id_movimentacao: id })).status).toBe(200);
  };
  await approve();
  const all = (from: number, to: number) => ({
    id_local_origem_fim: from,
    id_local_origem_arm: from,
    id_local_destino_fim: to,
    id_local_destino_arm: to,
  });
  const effective = async (...movements: [string, number, object][]): Promise<void> => {
    const { status, body } = await move(
      service(),
      ...movements.map(([fl_estorno, id_tipo_movimentacao, places]) => ({
        id_lote: batch.id,
        id_tipo_movimentacao,
        fl_estorno,
        quantidade: 1,
        ...places,
      })),
    );
    expect(status, JSON.stringify(body)).toBe(201);
    await approve();
  };
  const [into, out] = [all(other, here), all(here, other)];
  await effective(['N', 2, into], ['N', 3, out], ['N', 4, out], ['N', 5, out]);
  await effective(['S', 2, into], ['S', 3, out], ['S', 4, out], ['S', 5, out]);
  const rows = await rowsOf(await almoxarife(), reports.moved, { id_material: String(batch.id_material) });
  const shown = rows
    .toSorted((a, b) => a.id - b.id)
    .map(row => [row.id_responsavel, row.id_armazenado, row.id_responsavel_origem, row.id_armazenado_origem]);
  const at = [here, here, null, null];
  const transfer = [other, other, here, here];
  expect(shown).toEqual([at, at, transfer, at, at, at, transfer, at, at]);
});

it('empty places are shown on request', async () => {
  const client = await almoxarife();
  const rows = await rowsOf(client, reports.stocked, { retornarVazio: 'true' });
  const [[cells]] = (await service().sql('select count(*)::int from estoque')) as [[number]];
  expect(rows).toHaveLength(cells);
  const filled = await rowsOf(client, reports.stocked);
  expect(filled.length).toBeLessThan(cells);
  expect(filled.every(row => row.quantidade > 0)).toBe(true);
});

describe('a period', () => {
  it('includes its first and its last day, in the time zone of the institution', async () => {
    const client = await almoxarife();
    const batch = await makeBatch(service());
    const out = {
      id_lote: batch.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: batch.id_local,
      fl_estorno: 'N',
    };
    const { body } = await move(service(), ...[1, 2, 3, 4].map(quantidade => ({ ...out, quantidade })));
    // Midnight in São Paulo is three hours later in UTC.
    const moments = [
      '2025-03-10T02:59:59Z',
      '2025-03-10T03:00:00Z',
      '2025-03-12T02:59:59Z',
      '2025-03-12T03:00:00Z',
    ];
    await service().services.orm.em.execute('alter table movimentacao disable trigger user');
    for (const [i, { id }] of body.data.entries())
      await service().services.orm.em.execute('update movimentacao set data = ? where id = ?', [
        moments[i],
        id,
      ]);
    await service().services.orm.em.execute('alter table movimentacao enable trigger user');
    const period = {
      dt_periodo_inicial: '2025-03-10',
      dt_periodo_final: '2025/03/11',
      id_material: String(batch.id_material),
    };
    const rows = await rowsOf(client, reports.left, period);
    expect(rows.map(row => row.qt_movimentada)).toEqual([3, 2]);
  });

  it.each([reports.left, reports.moved])(
    'of %s may be one day, and cannot end before it begins',
    async path => {
      const client = await almoxarife();
      expect(
        (await client.get(`${path}?dt_periodo_inicial=2026-02-01&dt_periodo_final=2026-02-01`)).status,
      ).toBe(200);
      const refused = await client.get(
        `${path}?dt_periodo_inicial=2026-02-02&dt_periodo_final=2026-02-01&pdf=true`,
      );
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'dt_periodo_final' }] } });
    },
  );
});

it('a reversed disposal stays a disposal, and says how much of it was reversed', async () => {
  const batch = await makeBatch(service());
  const disposal = { id_lote: batch.id, id_tipo_movimentacao: 5, id_local_origem_fim: batch.id_local };
  await move(service(), { ...disposal, quantidade: 9, fl_estorno: 'N' });
  await move(service(), { ...disposal, quantidade: 4, fl_estorno: 'S' });
  const rows = await rowsOf(await almoxarife(), reports.left, { id_material: String(batch.id_material) });
  const told = rows.map(row => [row.operacao, row.qt_movimentada, row.qt_estornada, row.estorno]);
  expect(told.toSorted((a, b) => a[1] - b[1])).toEqual([
    ['Estorno de descarte', -4, 0, 'S'],
    ['Descarte', 9, 4, 'N'],
  ]);
});

it('the date of entry of a batch is that of its first entry, even after more entries', async () => {
  const batch = await makeBatch(service());
  const [[entered]] = (await service().sql('select data from movimentacao where id_lote = $1', [
    batch.id,
  ])) as [[string]];
  const at = { id_lote: batch.id, fl_estorno: 'N', quantidade: 1 };
  await move(
    service(),
    { ...at, id_tipo_movimentacao: 2, id_local_destino_fim: batch.id_local },
    { ...at, id_tipo_movimentacao: 4, id_local_origem_fim: batch.id_local },
  );
  const rows = await rowsOf(await almoxarife(), reports.left, { id_material: String(batch.id_material) });
  expect(rows).toMatchObject([{ dt_entrada: new Date(entered).toISOString(), qt_movimentada: 1 }]);
});
