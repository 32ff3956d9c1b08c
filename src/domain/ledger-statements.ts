import { IN_MAP } from '../entities/almoxarifado/material.ts';
import { EFETIVADA, PARA_USO, PENDENTE } from './movement.ts';

/*
 * Each statement takes one JSON document, $1, and the id of the author, $2. The fields of the document have the same
 * names in SQL and TypeScript.
 */

/** The fields of a `StockCell`, with their types. */
const CELL = '"idLote" int, "idLocalFim" int, "idLocalArmazenado" int';

/**
 * Creates new cells, empty, in the order of the locks. Concurrent transactions that create the same cells wait here,
 * before they hold any lock.
 */
export const MAKE_CELLS = `
insert into estoque (id_lote, id_local_fim, id_local_armazenado, criado_por, alterado_por)
select c."idLote", c."idLocalFim", c."idLocalArmazenado", $2, $2 from jsonb_to_recordset($1::jsonb) as c (${CELL})
order by c."idLote", c."idLocalFim", c."idLocalArmazenado"
on conflict (id_lote, id_local_fim, id_local_armazenado) do nothing`;

/**
 * Locks the `cells` of the document and changes them. Changes nothing if a growing cell does not exist yet, which is
 * found before any lock, or if a cell would become negative. The quantity is read after the wait for the lock, so it is
 * current. The id of each cell is looked up separately: PostgreSQL expects 100 rows from any JSON document, so a join
 * would read the whole table.
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

/** Names of the restricted locations in `leaves` of which the person is not a manager today. */
const RESTRICTED = `array(
    select l.nome from "local" l
    where l.id = any (array(select jsonb_array_elements_text($1::jsonb -> 'leaves')::int)) and l.restrito = 'S'
      and not exists (
        select from responsavel_laboratorio r where r.id_local = l.id and r.id_pessoa = $2
          and r.data_inicio <= current_date and (r.data_fim is null or r.data_fim >= current_date)
      ) order by l.id
  )`;

/**
 * The document has `cells` and `movements`. The batches are locked before the cells, in the same order as when a batch
 * is deleted. A trigger finds the movements that reversals undo, unless `more` sets them.
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
  ), false) as controlled, (
    select ${IN_MAP} from material m left join tipo_controle c on c.id = m.id_tipo_controle where m.id = l.id_material
  ) as mapped
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
    as expired, exists (select from batch where mapped) as mapped`;

export const POST = postWith('');
/** For reversals that name the movements that they undo. */
export const POST_UNDOING = postWith(`, undone as (
  insert into estorno (id_movimentacao, id_estornada, quantidade, criado_por, alterado_por)
  select m.id, a."idEstornada", a.quantidade, $2, $2
  from (select id, row_number() over (order by id) as ordinality from movement) m
  join asked a using (ordinality) where a."idEstornada" is not null
)`);

/**
 * Condition: the person $2 registered the movement `v`, changed it last, or changed before what it does. The trail of its
 * approval request has these changes. Others need not know of a remark, or of the expiry that a change has found.
 */
export const IS_AUTHOR = `($2 in (v.criado_por, v.alterado_por) or exists (
  select from solicitacao_aprovacao s join alteracao_solicitacao a on a.id_solicitacao = s.id
  where s.id_movimentacao = v.id and a.criado_por = $2 and a.campo not in ('observacao', 'lote_vencido')
)) is true`;

/** The document has `leaves` and `idLote`, and `dataVenc` if the batch gets another last day in this transaction. */
export const RULES = `select ${RESTRICTED} as restricted, coalesce(case when $1::jsonb ? 'dataVenc'
  then ($1::jsonb ->> 'dataVenc')::date
  else (select data_venc from lote where id = ($1::jsonb ->> 'idLote')::int)
end < current_date, false) as expired`;

/**
 * The document has `cells` (empty if stock does not change) and the decision in `decided`. Whether a batch has expired
 * counts when it leaves, so an approval looks again. `late`: the approved movements that were registered in an earlier
 * month.
 */
export const DECIDE = `
with decided as (
  select * from jsonb_to_record($1::jsonb -> 'decided') as d (movimentacoes int[], "to" int, request text, motivo text)
), ${applyWhere('true')}, movement as (
  update movimentacao m set id_status_movimentacao = d."to", alterado_em = now(), alterado_por = $2,
    lote_vencido = case when d."to" = ${EFETIVADA} then m.id_tipo_movimentacao in ${PARA_USO} and m.fl_estorno = 'N'
      and coalesce(l.data_venc < current_date, false) else m.lote_vencido end
  from decided d, lote l where m.id = any (d.movimentacoes) and l.id = m.id_lote and ${APPLICABLE}
  returning m.id, m.lote_vencido and not m.ciente_vencimento as unaware, m.data < date_trunc('month', now()) as late
), request as (
  update solicitacao_aprovacao s set situacao = d.request, motivo = d.motivo,
    decidido_por = $2, decidido_em = now(), alterado_em = now(), alterado_por = $2
  from decided d where s.id_movimentacao = any (d.movimentacoes) and ${APPLICABLE}
  returning s.id
)
select ${OBSTACLES}, array(select id from request order by id) as ids,
  exists (
    select from movimentacao v, decided d where v.id = any (d.movimentacoes) and ${IS_AUTHOR}
  ) as own, array(select id from movement where unaware and ${EFETIVADA} = (select "to" from decided)) as expired,
  array(select id from movement where late and ${EFETIVADA} = (select "to" from decided)) as late`;
