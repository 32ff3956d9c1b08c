import { Migration } from '@mikro-orm/migrations';

/** `order`: in which order a reversal `r` undoes the movements `m`. */
const undo = (
  order: string,
): string => `create or replace function estornar(p_id int) returns int language plpgsql as $$
  declare
    r movimentacao;
    falta int;
  begin
    select * into r from movimentacao where id = p_id;
    perform from lote where id = r.id_lote for no key update;
    select r.quantidade - coalesce(sum(quantidade), 0) into falta from estorno where id_movimentacao = p_id;
    with desfeito as (
      insert into estorno (id_movimentacao, id_estornada, quantidade, criado_por, alterado_por)
      select p_id, id, least(resta, falta - antes), r.alterado_por, r.alterado_por
      from (
        select id, resta, ordem,
          coalesce(sum(resta) over (order by ordem rows between unbounded preceding and 1 preceding), 0) as antes
        from (
          select id, quantidade - quantidade_estornada - quantidade_em_estorno as resta, row_number() over (order by ${order}) as ordem
          from movimentacao m
          where m.id_lote = r.id_lote and m.id < p_id and m.fl_estorno = 'N' and m.id_status_movimentacao = 2
            and m.id_tipo_movimentacao = r.id_tipo_movimentacao
            and (r.id_tipo_movimentacao in (1, 2) or (r.id_local_origem_fim, r.id_local_origem_arm)
              is not distinct from (m.id_local_origem_fim, m.id_local_origem_arm))
            and (r.id_tipo_movimentacao in (4, 5) or (r.id_local_destino_fim, r.id_local_destino_arm)
              is not distinct from (m.id_local_destino_fim, m.id_local_destino_arm))
            and not exists (select from estorno e where (e.id_movimentacao, e.id_estornada) = (p_id, m.id))
        ) possivel where resta > 0
      ) achado where antes < falta
      order by ordem
      returning quantidade
    )
    select falta - coalesce(sum(quantidade), 0) into falta from desfeito;
    return falta;
  end $$`;

const NEWEST = 'm.id desc';
const MOST_LIKE = `coalesce(m.id_nota_fiscal = r.id_nota_fiscal, false) desc,
            coalesce(m.finalidade = r.finalidade, false) desc, ${NEWEST}`;

/** The columns that determine what a pending reversal undoes. */
const COLUMNS = [
  'id_status_movimentacao',
  'fl_estorno',
  'quantidade',
  'id_lote',
  'id_tipo_movimentacao',
  'id_local_origem_fim',
  'id_local_origem_arm',
  'id_local_destino_fim',
  'id_local_destino_arm',
];

const undoAnew = (columns: readonly string[]): string => {
  const of = (row: string): string => columns.map(column => `${row}.${column}`).join(', ');
  return `create or replace trigger movimentacao_reestorna after update on movimentacao
    for each row when (old.id_status_movimentacao = 1 and 'S' in (old.fl_estorno, new.fl_estorno)
      and (${of('old')}) is distinct from (${of('new')}))
    execute function movimentacao_reestorna()`;
};

/** Refuses the deletion of a batch that has moved. `also`: what else it refuses. */
const refusal = (
  also: string,
): string => `create or replace function lote_recusa() returns trigger language plpgsql as $$
  begin
    if exists (
      select from movimentacao
      where id_lote = old.id and (id_tipo_movimentacao not in (1, 2) or fl_estorno = 'S')
      union all
      select from movimentacao where id_lote = old.id offset 1
    ) then
      raise exception 'batch % has moved', old.id using errcode = 'restrict_violation', table = 'movimentacao';
    end if;${also}
    return old;
  end $$`;

const REJECTED = `
    if exists (select from movimentacao where id_lote = old.id and id_status_movimentacao = 3) then
      raise exception 'the entry of batch % was rejected', old.id using errcode = 'SI001', constraint = 'lote_rejeitado';
    end if;`;

/**
 * A reversal first undoes movements with the invoice and the purpose that it names, so that the body of a movement, sent
 * again as a reversal, undoes that movement. A batch whose entry was rejected stays, because the decision would go with it.
 */
export class Migration20261127000113 extends Migration {
  override up(): void {
    this.addSql(undo(MOST_LIKE));
    this.addSql(undoAnew([...COLUMNS, 'finalidade', 'id_nota_fiscal']));
    this.addSql(refusal(REJECTED));
  }

  override down(): void {
    this.addSql(refusal(''));
    this.addSql(undoAnew(COLUMNS));
    this.addSql(undo(NEWEST));
  }
}
