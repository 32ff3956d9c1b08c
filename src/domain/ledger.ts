import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { fieldMessages } from '../messages.ts';
import {
  cellKey,
  decisions,
  EFETIVADA,
  effectsOf,
  netEffects,
  PENDENTE,
  withStorage,
  type Decision,
  type Effect,
  type Movement,
} from './movement.ts';

/**
 * The only code that changes stock. Every function runs inside the caller's transaction, in a fixed number of
 * statements however many movements there are. Cells are locked in one order (batch, responsible location, storage
 * location), so that opposite transfers never wait for each other.
 */

/** New cells, empty, in the order of the locks: who makes the same ones waits here, before it holds any lock. */
const MAKE_CELLS = `
insert into estoque (id_lote, id_local_fim, id_local_armazenado, criado_por, alterado_por)
select c.lote, c.fim, c.arm, $4, $4 from unnest($1::int[], $2::int[], $3::int[]) as c (lote, fim, arm)
order by c.lote, c.fim, c.arm
on conflict (id_lote, id_local_fim, id_local_armazenado) do nothing`;

/**
 * Locks cells ($1–$4: their keys and changes, $5: who) and changes them; none, when one that grows is not there yet,
 * which is found before any lock, or one would hold less than nothing. What a lock yields is read after the wait for it,
 * so it is what the cell holds.
 */
const applyWhere = (condition: string): string => `cell as (
  select * from unnest($1::int[], $2::int[], $3::int[], $4::bigint[]) with ordinality as c (lote, fim, arm, delta, place)
  where ${condition}
), missing as (
  select place::int from cell c where delta >= 0 and not exists (
    select from estoque e where (e.id_lote, e.id_local_fim, e.id_local_armazenado) = (c.lote, c.fim, c.arm))
), locked as (
  select e.id, e.quantidade, c.delta, c.place from cell c
  join estoque e on (e.id_lote, e.id_local_fim, e.id_local_armazenado) = (c.lote, c.fim, c.arm)
  where not exists (select from missing)
  order by e.id_lote, e.id_local_fim, e.id_local_armazenado
  for update of e
), short as (
  select c.place::int, coalesce(l.quantidade, 0) as quantidade from cell c left join locked l using (place)
  where coalesce(l.quantidade, 0) + c.delta < 0 and not exists (select from missing)
), applied as (
  update estoque e set quantidade = (l.quantidade + l.delta)::int, alterado_em = now(), alterado_por = $5
  from locked l where e.id = l.id and not exists (select from short)
)`;

/** Nothing that stands in the way of the change. */
const APPLICABLE = 'not exists (select from missing) and not exists (select from short)';
const OBSTACLES = `array(select place from missing) as missing,
  (select coalesce(json_agg(json_build_array(place, quantidade)), '[]') from short) as short`;

/** The batches ($17) are held before any cell, as whoever deletes one does. */
const POST = `
with batch as (
  select l.id, coalesce((
    select t.exige_aprovacao from material m join tipo_controle t on t.id = m.id_tipo_controle where m.id = l.id_material
  ), false) as controlled
  from lote l where l.id = any($17::int[]) order by l.id for key share
), waiting as (
  select array(select id from batch where controlled) as lots
), ${applyWhere('c.lote <> all ((select lots from waiting)::int[])')}, movement as (
  insert into movimentacao (
    id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim, id_local_origem_arm,
    id_local_destino_fim, id_local_destino_arm, quantidade, observacao, fl_estorno, id_nota_fiscal,
    data, criado_em, criado_por, alterado_por
  )
  select m.lote, m.tipo, case when m.lote = any ((select lots from waiting)::int[]) then ${PENDENTE} else ${EFETIVADA} end,
    m.origem_fim, m.origem_arm, m.destino_fim, m.destino_arm, m.quantidade, m.observacao,
    m.estorno, m.nota, coalesce(m.data, now()), coalesce(m.data, now()), $5, $5
  from unnest($6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::int[], $13::text[], $14::text[], $15::int[],
    $16::timestamptz[])
    with ordinality
    as m (lote, tipo, origem_fim, origem_arm, destino_fim, destino_arm, quantidade, observacao, estorno, nota, data, place)
  where ${APPLICABLE} order by m.place
  returning id, id_status_movimentacao
), request as (
  insert into solicitacao_aprovacao (id_movimentacao, solicitado_por, criado_por, alterado_por)
  select id, $5, $5, $5 from movement where id_status_movimentacao = ${PENDENTE} order by id
)
select ${OBSTACLES}, array(select id from movement order by id) as ids`;

const DECIDE = `
with ${applyWhere('true')}, movement as (
  update movimentacao set id_status_movimentacao = $7, alterado_em = now(), alterado_por = $5
  where id = $6 and ${APPLICABLE}
), request as (
  update solicitacao_aprovacao
  set situacao = $8, motivo = $9, decidido_por = $5, decidido_em = now(), alterado_em = now(), alterado_por = $5
  where id_movimentacao = $6 and ${APPLICABLE}
  returning id
)
select ${OBSTACLES}, array(select id from request) as ids`;

/** The columns of rows as arrays, which is how a statement takes many rows at once. */
const columns = <T extends object>(rows: readonly T[], ...names: (keyof T)[]): unknown[][] =>
  names.map(name => rows.map(row => row[name] ?? null));

const keysOf = (cells: readonly Effect[]): unknown[][] =>
  columns(cells, 'idLote', 'idLocalFim', 'idLocalArmazenado');

/** A cell that lacks what is taken from it: its place among the cells, from 1, and what it holds. */
type Short = [place: number, quantidade: number];

/** Changes cells by a statement that begins with them; those that it finds missing are made first. */
async function apply(
  em: EntityManager,
  statement: string,
  cells: readonly Effect[],
  idPessoa: number,
  others: readonly unknown[],
): Promise<{ short: Short[]; ids: number[] }> {
  const values = [...keysOf(cells), ...columns(cells, 'delta'), idPessoa, ...others];
  for (;;) {
    const [row] = await transactionReader(em).rows(statement, values);
    const [missing, short, ids] = row as [number[], Short[], number[]];
    if (missing.length === 0) return { short, ids };
    await makeCells(
      em,
      missing.map(place => cells[place - 1]!),
      idPessoa,
    );
  }
}

/**
 * Registers movements, all or none: those of controlled materials wait for approval, the others change stock at once.
 * @returns their ids, in the order given
 * @throws INSUFFICIENT_STOCK, naming the movements for which there is too little
 */
export async function postMovements(
  em: EntityManager,
  movements: readonly Movement[],
  idPessoa: number,
): Promise<number[]> {
  const placed = movements.map(withStorage);
  const cells = netEffects(placed.flatMap(effectsOf));
  const { short, ids } = await apply(em, POST, cells, idPessoa, [
    ...columns(placed, 'idLote', 'idTipoMovimentacao'),
    ...columns(placed, 'idLocalOrigemFim', 'idLocalOrigemArm', 'idLocalDestinoFim', 'idLocalDestinoArm'),
    ...columns(placed, 'quantidade', 'observacao', 'flEstorno', 'idNotaFiscal', 'data'),
    [...new Set(movements.map(movement => movement.idLote))],
  ]);
  if (short.length > 0) throw insufficient(movements, cells, short);
  return ids;
}

/** Makes empty cells, where they are not there yet. */
export async function makeCells(
  em: EntityManager,
  cells: readonly Effect[],
  idPessoa: number,
): Promise<void> {
  await transactionReader(em).rows(MAKE_CELLS, [...keysOf(cells), idPessoa]);
}

/**
 * Decides a pending movement that the transaction has locked: its state, its approval request and stock change together.
 * @returns the id of its approval request
 * @throws INSUFFICIENT_STOCK, after which it is pending still
 */
export async function decide(
  em: EntityManager,
  decision: Decision,
  movement: Movement & { id: number },
  { motivo, idPessoa }: { motivo: string | null; idPessoa: number },
): Promise<number> {
  const { to, request, changesStock } = decisions[decision];
  const cells = changesStock ? netEffects(effectsOf(movement)) : [];
  const outcome = [movement.id, to, request, motivo];
  const {
    short: [short],
    ids,
  } = await apply(em, DECIDE, cells, idPessoa, outcome);
  if (short) throw new AppError('INSUFFICIENT_STOCK', { errors: [lacking('idMovimentacao', short[1])] });
  return ids[0]!;
}

const lacking = (field: string, held: number) => ({ field, message: fieldMessages.inStock(held) });

/** The error that names each movement which takes from a cell that lacks it. */
function insufficient(
  movements: readonly Movement[],
  cells: readonly Effect[],
  short: readonly Short[],
): AppError {
  const held = new Map(short.map(([place, quantidade]) => [cellKey(cells[place - 1]!), quantidade]));
  const errors = movements.flatMap((movement, i) => {
    const effect = effectsOf(movement).find(one => one.delta < 0 && held.has(cellKey(one)));
    return effect ? [lacking(`movimentacoes[${i}].quantidade`, held.get(cellKey(effect))!)] : [];
  });
  return new AppError('INSUFFICIENT_STOCK', { errors });
}
