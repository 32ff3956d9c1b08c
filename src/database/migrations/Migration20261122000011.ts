import { Migration } from '@mikro-orm/migrations';

/** The columns of a movement that change when another one reverses it. */
const KEPT = `'{quantidade_estornada,quantidade_em_estorno,versao}'::text[]`;

/** Refuses a change of a movement that is no longer pending. `except`: columns that may change nevertheless. */
const refusal = (except: string): string => `create or replace function movimentacao_recusa() returns trigger
language plpgsql as $$
  begin
    if tg_op = 'DELETE' and not exists (select from lote where id = old.id_lote) then
      return old;
    end if;${except}
    raise exception 'movement % is no longer pending', old.id using errcode = 'SI001';
  end $$`;

/** Whether two movements of one type have the same locations, as far as the type uses them. */
const samePlaces = (a: string, b: string): string => {
  const side = (row: string, name: string) => `(${row}.id_local_${name}_fim, ${row}.id_local_${name}_arm)`;
  const same = (name: string) => `${side(a, name)} is not distinct from ${side(b, name)}`;
  return `(${a}.id_tipo_movimentacao in (1, 2) or ${same('origem')})
    and (${a}.id_tipo_movimentacao in (4, 5) or ${same('destino')})`;
};

const trigger = (name: string, event: string, rows: string, routine: string): string =>
  `create trigger ${name} ${event} ${rows} execute function ${routine}()`;

/**
 * The database itself links a reversal to the movements that it undoes, whichever version of the service registers it:
 * effective movements of the same batch, type and locations, newest first, that are not fully reversed. A pending
 * reversal reserves them. Writing these links requires the lock of the batch, so that concurrent reversals see each
 * other's links.
 */
export class Migration20261122000011 extends Migration {
  override up(): void {
    this
      .addSql(`create function estornado(p_id int, out feito int, out reservado int) language sql stable as $$
      select coalesce(sum(e.quantidade) filter (where r.id_status_movimentacao = 2), 0)::int,
        coalesce(sum(e.quantidade) filter (where r.id_status_movimentacao <> 2), 0)::int
      from estorno e join movimentacao r on r.id = e.id_movimentacao where e.id_estornada = p_id
    $$`);
    this.addSql(
      refusal(`
    if tg_op = 'UPDATE' and to_jsonb(new) - ${KEPT} = to_jsonb(old) - ${KEPT}
      and (new.quantidade_estornada, new.quantidade_em_estorno) = (select feito, reservado from estornado(new.id)) then
      return new;
    end if;`),
    );
    this.addSql(`create function estorno_nada() returns trigger language plpgsql as $$
      begin
        raise exception 'what a reversal undoes does not change' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create function estorno_conta() returns trigger language plpgsql as $$
      declare
        r movimentacao;
        m movimentacao;
        soma record;
      begin
        select * into m from movimentacao where id = case tg_op when 'DELETE' then old.id_estornada else new.id_estornada end;
        perform from lote where id = m.id_lote for no key update;
        soma := estornado(m.id);
        if tg_op = 'DELETE' then
          if exists (select from movimentacao where id = old.id_movimentacao and id_status_movimentacao = 2) then
            raise exception 'reversal % is effective', old.id_movimentacao using errcode = 'SI001';
          end if;
        else
          select * into r from movimentacao where id = new.id_movimentacao;
          if r.fl_estorno <> 'S' or m.fl_estorno <> 'N' or m.id_status_movimentacao <> 2
            or (r.id_lote, r.id_tipo_movimentacao) <> (m.id_lote, m.id_tipo_movimentacao)
            or not (${samePlaces('r', 'm')}) then
            raise exception 'movement % does not reverse %', r.id, m.id using errcode = 'SI001', constraint = 'estorno_movimentacao';
          end if;
          if soma.feito + soma.reservado > m.quantidade then
            raise exception 'movement % reverses more than is left of %', r.id, m.id using errcode = 'SI001',
              constraint = 'estorno_quantidade', detail = jsonb_build_array(jsonb_build_object('ordem', null,
                'resta', m.quantidade - soma.feito - soma.reservado + new.quantidade));
          end if;
        end if;
        update movimentacao set quantidade_estornada = soma.feito, quantidade_em_estorno = soma.reservado where id = m.id;
        return null;
      end $$`);
    this.addSql(
      trigger('estorno_conta', 'after insert or delete on estorno', 'for each row', 'estorno_conta'),
    );
    this.addSql(trigger('estorno_nada', 'before update on estorno', 'for each row', 'estorno_nada'));
    this.addSql(
      trigger('estorno_nada_truncate', 'before truncate on estorno', 'for each statement', 'estorno_nada'),
    );
    // Returns how much of the reversal has nothing to undo.
    this.addSql(`create function estornar(p_id int) returns int language plpgsql as $$
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
            select id, resta, coalesce(sum(resta) over (order by id desc rows between unbounded preceding and 1 preceding), 0) as antes
            from (
              select id, quantidade - quantidade_estornada - quantidade_em_estorno as resta from movimentacao m
              where m.id_lote = r.id_lote and m.id < p_id and m.fl_estorno = 'N' and m.id_status_movimentacao = 2
                and m.id_tipo_movimentacao = r.id_tipo_movimentacao
                and ${samePlaces('r', 'm')}
                and not exists (select from estorno e where (e.id_movimentacao, e.id_estornada) = (p_id, m.id))
            ) possivel where resta > 0
          ) achado where antes < falta
          returning quantidade
        )
        select falta - coalesce(sum(quantidade), 0) into falta from desfeito;
        return falta;
      end $$`);
    this.addSql(`create procedure estornar_antigos() language plpgsql as $$
      declare r record;
      begin
        perform set_config('sii.requisicao', 'vínculo de estornos', true);
        for r in
          select id from movimentacao m where fl_estorno = 'S' and id_status_movimentacao in (1, 2)
            and not exists (select from estorno e where e.id_movimentacao = m.id)
          order by id
        loop
          perform estornar(r.id);
        end loop;
      end $$`);
    // All reversals of a statement are checked, so that the error names each one that undoes too much.
    this.addSql(`create function movimentacao_estorna() returns trigger language plpgsql as $$
      declare
        r record;
        falta int;
        demais jsonb := '[]';
      begin
        if not exists (select from novas where fl_estorno = 'S') then
          return null;
        end if;
        perform from lote where id in (select id_lote from novas where fl_estorno = 'S') order by id for no key update;
        for r in select id, quantidade, fl_estorno, row_number() over (order by id) - 1 as ordem from novas order by id loop
          continue when r.fl_estorno = 'N';
          falta := estornar(r.id);
          if falta > 0 then
            demais := demais || jsonb_build_object('ordem', r.ordem, 'resta', r.quantidade - falta);
          end if;
        end loop;
        if demais <> '[]' then
          raise exception 'a reversal undoes more than is left' using errcode = 'SI001', constraint = 'estorno_quantidade', detail = demais;
        end if;
        return null;
      end $$`);
    this.addSql(`create function movimentacao_reestorna() returns trigger language plpgsql as $$
      declare falta int;
      begin
        perform from lote where id = new.id_lote for no key update;
        if new.id_status_movimentacao = 2 then
          update movimentacao m set (quantidade_estornada, quantidade_em_estorno) = (select feito, reservado from estornado(m.id))
          where m.id in (select id_estornada from estorno where id_movimentacao = new.id);
          return null;
        end if;
        delete from estorno where id_movimentacao = new.id;
        if new.id_status_movimentacao = 1 and new.fl_estorno = 'S' then
          falta := estornar(new.id);
          if falta > 0 then
            raise exception 'reversal % undoes more than is left', new.id using errcode = 'SI001', constraint = 'estorno_quantidade',
              detail = jsonb_build_array(jsonb_build_object('ordem', null, 'resta', new.quantidade - falta));
          end if;
        end if;
        return null;
      end $$`);
  }

  override down(): void {
    this.addSql(refusal(''));
    this.addSql('drop procedure estornar_antigos');
    this.addSql(
      'drop function movimentacao_reestorna, movimentacao_estorna, estornar, estorno_conta, estorno_nada, estornado cascade',
    );
  }
}
