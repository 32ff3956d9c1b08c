import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, conflict } from '../errors.ts';
import { transactionReader } from '../database/reader.ts';
import { fieldMessages, messages } from '../messages.ts';
import {
  cellKey,
  decisions,
  EFETIVADA,
  effectsOf,
  leftBy,
  netEffects,
  PENDENTE,
  takesToUse,
  withStorage,
  type Decision,
  type Effect,
  type Movement,
  type StockCell,
} from './movement.ts';

/**
 * The only code that changes stock. Every function runs inside the caller's transaction, in a fixed number of
 * statements for any number of movements. Cells are always locked in the same order (batch, responsible location,
 * storage location), so that opposite transfers cannot deadlock.
 */

/*
 * Each statement takes one JSON document, $1, and the id of the person who writes, $2. SQL calls the fields of the
 * document by the names that they have in TypeScript.
 */

/** The fields of a `StockCell`, with their types. */
const CELL = '"idLote" int, "idLocalFim" int, "idLocalArmazenado" int';

/** New cells, empty, in the order of the locks: who makes the same ones waits here, before it holds any lock. */
const MAKE_CELLS = `
insert into estoque (id_lote, id_local_fim, id_local_armazenado, criado_por, alterado_por)
select c."idLote", c."idLocalFim", c."idLocalArmazenado", $2, $2 from jsonb_to_recordset($1::jsonb) as c (${CELL})
order by c."idLote", c."idLocalFim", c."idLocalArmazenado"
on conflict (id_lote, id_local_fim, id_local_armazenado) do nothing`;

/**
 * Locks the `cells` of the document and changes them; none, when one that grows is not there yet, which is found before
 * any lock, or one would hold less than nothing. What a lock yields is read after the wait for it, so it is what the cell
 * holds. The id of each cell is looked up by itself: PostgreSQL expects 100 rows of any document, so in a join it would
 * read the whole table.
 */
const applyWhere = (condition: string): string => `cell as (
  select c.*, (
    select e.id from estoque e
    where (e.id_lote, e.id_local_fim, e.id_local_armazenado) = (c."idLote", c."idLocalFim", c."idLocalArmazenado")
  ) as id
  from jsonb_to_recordset($1::jsonb -> 'cells') as c (${CELL}, delta bigint) where ${condition}
), missing as (
  select "idLote", "idLocalFim", "idLocalArmazenado" from cell where delta >= 0 and id is null
), locked as (
  select id, quantidade from estoque
  where id = any (array(select id from cell)) and not exists (select from missing)
  order by id_lote, id_local_fim, id_local_armazenado
  for update
), short as (
  select "idLote", "idLocalFim", "idLocalArmazenado", coalesce(quantidade, 0) as quantidade
  from cell left join locked using (id)
  where coalesce(quantidade, 0) + delta < 0 and not exists (select from missing)
), applied as (
  update estoque e set quantidade = (l.quantidade + c.delta)::int, alterado_em = now(), alterado_por = $2
  from cell c join locked l using (id) where e.id = c.id and not exists (select from short)
)`;

/** Condition: no cell is missing, and no cell holds too little. */
const APPLICABLE = 'not exists (select from missing) and not exists (select from short)';
const OBSTACLES = `(select coalesce(json_agg(m), '[]') from missing m) as missing,
  (select coalesce(json_agg(s), '[]') from short s) as short`;

/** Names of the restricted locations in `leaves` that the person does not manage today. */
const RESTRICTED = `array(
    select l.nome from "local" l
    where l.id = any (array(select jsonb_array_elements_text($1::jsonb -> 'leaves')::int)) and l.restrito = 'S'
      and not exists (
        select from responsavel_laboratorio r where r.id_local = l.id and r.id_pessoa = $2
          and r.data_inicio <= current_date and (r.data_fim is null or r.data_fim >= current_date)
      ) order by l.id
  )`;

/**
 * The document has `cells` and `movements`. The batches are held before any cell, as whoever deletes one does. A trigger
 * finds what reversals undo, unless `more` says it.
 */
const postWith = (more: string): string => `
with asked as (
  select * from rows from (jsonb_to_recordset($1::jsonb -> 'movements') as (
    "idLote" int, "idTipoMovimentacao" int, "idLocalOrigemFim" int, "idLocalOrigemArm" int, "idLocalDestinoFim" int,
    "idLocalDestinoArm" int, quantidade int, observacao text, finalidade int, "flEstorno" text,
    "idNotaFiscal" int, data timestamptz, "idEstornada" int, "cienteVencimento" boolean, "takesToUse" boolean
  )) with ordinality
), batch as (
  select l.id, l.data_venc < current_date as expired, coalesce((
    select t.exige_aprovacao from material m join tipo_controle t on t.id = m.id_tipo_controle where m.id = l.id_material
  ), false) as controlled
  from lote l where l.id = any (array(select "idLote" from asked)) order by l.id for key share
), waiting as (
  select array(select id from batch where controlled) as lots, array(select id from batch where expired) as expired
), ${applyWhere('c."idLote" <> all ((select lots from waiting)::int[])')}, movement as (
  insert into movimentacao (
    id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim, id_local_origem_arm,
    id_local_destino_fim, id_local_destino_arm, quantidade, observacao, finalidade, fl_estorno, id_nota_fiscal,
    ciente_vencimento, lote_vencido, data, criado_em, criado_por, alterado_por
  )
  select "idLote", "idTipoMovimentacao",
    case when "idLote" = any ((select lots from waiting)::int[]) then ${PENDENTE} else ${EFETIVADA} end,
    "idLocalOrigemFim", "idLocalOrigemArm", "idLocalDestinoFim", "idLocalDestinoArm", quantidade, observacao,
    finalidade, "flEstorno", "idNotaFiscal", coalesce("cienteVencimento", false),
    "takesToUse" and "idLote" = any ((select expired from waiting)::int[]), coalesce(data, now()), coalesce(data, now()), $2, $2
  from asked where ${APPLICABLE} order by ordinality
  returning id, id_status_movimentacao
), request as (
  insert into solicitacao_aprovacao (id_movimentacao, solicitado_por, criado_por, alterado_por)
  select id, $2, $2, $2 from movement where id_status_movimentacao = ${PENDENTE} order by id
)${more}
select ${OBSTACLES}, array(select id from movement order by id) as ids, ${RESTRICTED} as restricted,
  array(select ordinality::int - 1 from asked where "takesToUse" and "idLote" = any ((select expired from waiting)::int[]))
    as expired`;

const POST = postWith('');
/** The same where reversals name what they undo. */
const POST_UNDOING = postWith(`, undone as (
  insert into estorno (id_movimentacao, id_estornada, quantidade, criado_por, alterado_por)
  select m.id, a."idEstornada", a.quantidade, $2, $2
  from (select id, row_number() over (order by id) as ordinality from movement) m
  join asked a using (ordinality) where a."idEstornada" is not null
)`);

/** The document has `leaves` and `idLote`. */
const RULES = `select ${RESTRICTED} as restricted, coalesce((
  select data_venc < current_date from lote where id = ($1::jsonb ->> 'idLote')::int
), false) as expired`;

/** The document has `cells`, none if stock stays as it is, and what is `decided`. */
const DECIDE = `
with decided as (
  select * from jsonb_to_record($1::jsonb -> 'decided') as d ("idMovimentacao" int, "to" int, request text, motivo text)
), ${applyWhere('true')}, movement as (
  update movimentacao m set id_status_movimentacao = d."to", alterado_em = now(), alterado_por = $2
  from decided d where m.id = d."idMovimentacao" and ${APPLICABLE}
), request as (
  update solicitacao_aprovacao s set situacao = d.request, motivo = d.motivo,
    decidido_por = $2, decidido_em = now(), alterado_em = now(), alterado_por = $2
  from decided d where s.id_movimentacao = d."idMovimentacao" and ${APPLICABLE}
  returning s.id
)
select ${OBSTACLES}, array(select id from request) as ids`;

/** A cell that lacks what is taken from it, with what it holds. */
type Short = StockCell & { quantidade: number };

/** What a statement is given: the changes of cells, and what it does beside. */
interface Document {
  cells: readonly Effect[];
  movements?: readonly Movement[];
  /** Locations that stock leaves, and that the person may leave only as their manager. */
  leaves?: readonly number[];
  decided?: object;
}

/** What a statement answers. Only what registers movements answers the last two. */
type Answer = [
  missing: StockCell[],
  short: Short[],
  ids: number[],
  restricted?: string[],
  expired?: number[],
];

/** What a person may do of what a movement needs beside stock. Without it, nothing is asked. */
export interface Rules {
  /** Whether they take stock out of restricted locations only as their managers. */
  onlyAsManager: boolean;
  /** Whether an expired batch leaves only if the movement says so (`cienteVencimento`). */
  refusesExpired: boolean;
}

/** Changes cells by a statement; those that it finds missing are made first. */
async function apply(
  em: EntityManager,
  statement: string,
  document: Document,
  idPessoa: number,
): Promise<{ short: Short[]; ids: number[]; restricted: string[]; expired: number[] }> {
  const values = [JSON.stringify(document), idPessoa];
  for (;;) {
    const [row] = await transactionReader(em).rows(statement, values);
    const [missing, short, ids, restricted = [], expired = []] = row as Answer;
    if (missing.length === 0) return { short, ids, restricted, expired };
    await makeCells(em, missing, idPessoa);
  }
}

/**
 * Registers movements, all or none. Movements of controlled materials wait for approval; the others change stock at
 * once. A reversal undoes what it names, or else the newest effective movements of the same batch, kind and places.
 * @returns their ids in the given order
 * @throws FORBIDDEN for a restricted location and CONFLICT for an expired batch, if `rules` say so; INSUFFICIENT_STOCK,
 * which names the movements without enough stock; NOT_REVERSIBLE, which says how much of
 * each reversal could be
 */
export async function postMovements(
  em: EntityManager,
  movements: readonly Movement[],
  idPessoa: number,
  { onlyAsManager, refusesExpired }: Rules = { onlyAsManager: false, refusesExpired: false },
): Promise<number[]> {
  const placed = movements.map(one => ({ ...withStorage(one), takesToUse: takesToUse(one) }));
  const cells = netEffects(placed.flatMap(effectsOf));
  const statement = placed.some(({ idEstornada }) => idEstornada != null) ? POST_UNDOING : POST;
  const leaves = onlyAsManager ? placed.flatMap(leftBy) : [];
  const document = { cells, movements: placed, leaves };
  const { short, ids, restricted, expired } = await apply(em, statement, document, idPessoa);
  if (restricted.length > 0) throw restrictedPlaces(restricted);
  const unaware = expired.filter(i => !placed[i]!.cienteVencimento);
  if (refusesExpired && unaware.length > 0)
    throw expiredBatch(unaware.map(i => `movimentacoes[${i}].cienteVencimento`));
  if (short.length > 0) throw insufficient(movements, short);
  return ids;
}

/** Creates empty cells where they are missing. */
export async function makeCells(
  em: EntityManager,
  cells: readonly StockCell[],
  idPessoa: number,
): Promise<void> {
  await transactionReader(em).rows(MAKE_CELLS, [JSON.stringify(cells), idPessoa]);
}

/**
 * Decides a pending movement that the transaction has locked. Changes its state, its approval request and stock
 * together.
 * @returns the id of its approval request
 * @throws INSUFFICIENT_STOCK, and it stays pending
 */
export async function decide(
  em: EntityManager,
  decision: Decision,
  movement: Movement & { id: number },
  { motivo, idPessoa }: { motivo: string | null; idPessoa: number },
): Promise<number> {
  const { to, request, changesStock } = decisions[decision];
  const cells = changesStock ? netEffects(effectsOf(movement)) : [];
  const decided = { idMovimentacao: movement.id, to, request, motivo };
  const {
    short: [short],
    ids,
  } = await apply(em, DECIDE, { cells, decided }, idPessoa);
  if (short)
    throw new AppError('INSUFFICIENT_STOCK', { errors: [lacking('idMovimentacao', short.quantidade)] });
  return ids[0]!;
}

const restrictedPlaces = (names: readonly string[]): AppError =>
  new AppError('FORBIDDEN', { detail: messages.restrictedPlaces(names) });

const expiredBatch = (fields: readonly string[]): AppError =>
  conflict(
    messages.batchExpired,
    fields.map(field => ({ field, message: fieldMessages.confirmExpiry })),
  );

/**
 * Checks the rules for a pending movement that has changed, and answers whether its batch has expired.
 * @throws FORBIDDEN for a restricted location, CONFLICT for an expired batch
 */
export async function checkRules(
  em: EntityManager,
  movement: Movement,
  idPessoa: number,
  { onlyAsManager, refusesExpired }: Rules,
): Promise<boolean> {
  const document = { leaves: onlyAsManager ? leftBy(movement) : [], idLote: movement.idLote };
  const [row] = await transactionReader(em).rows(RULES, [JSON.stringify(document), idPessoa]);
  const [restricted, isExpired] = row as [string[], boolean];
  if (restricted.length > 0) throw restrictedPlaces(restricted);
  const leavesExpired = isExpired && takesToUse(movement);
  if (refusesExpired && leavesExpired && !movement.cienteVencimento) throw expiredBatch(['cienteVencimento']);
  return leavesExpired;
}

const lacking = (field: string, held: number) => ({ field, message: fieldMessages.inStock(held) });

/** The error that names each movement which takes from a cell that lacks it. */
function insufficient(movements: readonly Movement[], short: readonly Short[]): AppError {
  const held = new Map(short.map(cell => [cellKey(cell), cell.quantidade]));
  const errors = movements.flatMap((movement, i) => {
    const effect = effectsOf(movement).find(one => one.delta < 0 && held.has(cellKey(one)));
    return effect ? [lacking(`movimentacoes[${i}].quantidade`, held.get(cellKey(effect))!)] : [];
  });
  return new AppError('INSUFFICIENT_STOCK', { errors });
}
