import { Migration } from '@mikro-orm/migrations';

/** The movements `m` of which a reversal `r` may undo something. */
const POSSIBLE = `m.id_lote = r.id_lote and m.id < p_id and m.fl_estorno = 'N' and m.id_status_movimentacao = 2
            and m.id_tipo_movimentacao = r.id_tipo_movimentacao
            and (r.id_tipo_movimentacao in (1, 2) or (r.id_local_origem_fim, r.id_local_origem_arm)
              is not distinct from (m.id_local_origem_fim, m.id_local_origem_arm))
            and (r.id_tipo_movimentacao in (4, 5) or (r.id_local_destino_fim, r.id_local_destino_arm)
              is not distinct from (m.id_local_destino_fim, m.id_local_destino_arm))
            and not exists (select from estorno e where (e.id_movimentacao, e.id_estornada) = (p_id, m.id))`;

const REST = 'm.quantidade - m.quantidade_estornada - m.quantidade_em_estorno';

const WALK = `create or replace function estornar(p_id int) returns int language plpgsql as $$
  declare
    r movimentacao;
    falta int;
    parte int;
    ids int[] := '{}';
    partes int[] := '{}';
    da_nota boolean;
    da_finalidade boolean;
    possiveis cursor for
      select m.id, ${REST} as resta from movimentacao m
      where ${POSSIBLE}
            and m.quantidade > m.quantidade_estornada + m.quantidade_em_estorno
            and coalesce(m.id_nota_fiscal = r.id_nota_fiscal, false) = da_nota
            and coalesce(m.finalidade = r.finalidade, false) = da_finalidade
      order by m.id desc;
  begin
    select * into r from movimentacao where id = p_id;
    perform from lote where id = r.id_lote for no key update;
    select r.quantidade - coalesce(sum(quantidade), 0) into falta from estorno where id_movimentacao = p_id;
    <<procura>>
    foreach da_nota in array case when r.id_nota_fiscal is null then '{f}' else '{t,f}' end::boolean[] loop
      foreach da_finalidade in array case when r.finalidade is null then '{f}' else '{t,f}' end::boolean[] loop
        exit procura when falta <= 0;
        for possivel in possiveis loop
          parte := least(possivel.resta, falta);
          ids := ids || possivel.id;
          partes := partes || parte;
          falta := falta - parte;
          exit procura when falta <= 0;
        end loop;
      end loop;
    end loop;
    insert into estorno (id_movimentacao, id_estornada, quantidade, criado_por, alterado_por)
    select p_id, d.id, d.parte, r.alterado_por, r.alterado_por
    from unnest(ids, partes) with ordinality as d (id, parte, ordem) order by d.ordem;
    return falta;
  end $$`;

const SORT = `create or replace function estornar(p_id int) returns int language plpgsql as $$
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
          select m.id, ${REST} as resta, row_number() over (order by coalesce(m.id_nota_fiscal = r.id_nota_fiscal, false) desc,
            coalesce(m.finalidade = r.finalidade, false) desc, m.id desc) as ordem
          from movimentacao m
          where ${POSSIBLE}
        ) possivel where resta > 0
      ) achado where antes < falta
      order by ordem
      returning quantidade
    )
    select falta - coalesce(sum(quantidade), 0) into falta from desfeito;
    return falta;
  end $$`;

const RUNNING_BEFORE = 'from pg_snapshot_xip(foto) x';
const ENDED =
  'from (select x from pg_snapshot_xip(foto) x where pg_visible_in_snapshot(x, pg_current_snapshot())) x';

/**
 * A reversal reads the movements that it undoes, and not all of its batch. It walks them in its order: those of its invoice, those
 * with its purpose, the newest. And the numbering of changes does not look for entries of transactions that still run: nobody
 * sees these, however many they are.
 */
export class Migration20261129000140 extends Migration {
  override up(): void {
    this.addSql('create index "movimentacao_id_lote_id_index" on "movimentacao" ("id_lote", "id")');
    this.addSql('drop index "movimentacao_id_lote_index"');
    this.addSql(WALK);
    this.number(RUNNING_BEFORE, ENDED);
  }

  override down(): void {
    this.number(ENDED, RUNNING_BEFORE);
    this.addSql(SORT);
    this.addSql('create index "movimentacao_id_lote_index" on "movimentacao" ("id_lote")');
    this.addSql('drop index "movimentacao_id_lote_id_index"');
  }

  private number(from: string, to: string): void {
    this.addSql(`do $do$ begin
      execute replace(pg_get_functiondef('numerar_mudancas'::regproc), $from$${from}$from$, $to$${to}$to$);
    end $do$`);
  }
}
