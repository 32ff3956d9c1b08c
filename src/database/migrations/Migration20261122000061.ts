import { Migration } from '@mikro-orm/migrations';

/**
 * Waits while the month of a timestamp is being closed. Closing waits for earlier transactions that change the month.
 */
const shareMonth = (month: string): string =>
  `perform pg_advisory_xact_lock_shared(5119007, hashtext(${month}));`;
const monthOf = (row: string): string => `to_char(${row}.data, 'YYYY-MM')`;

/** Raises an error with the month of `f`, if one was found. */
const REFUSE = `
        if found then
          raise exception 'the map of %/% is closed', f.mes, f.ano using errcode = 'SI003',
            detail = jsonb_build_object('ano', f.ano, 'mes', f.mes);
        end if;`;

/** Finds a closed month that contains one of the movements `v`, and stores it in `f`. */
const closedAmong = (movements: string): string => `
        select m.ano, m.mes into f from ${movements}
        join fechamento_mapa m on m.reaberto_em is null and v.data >= m.inicio and v.data < m.fim`;

/** Columns of a closing that may change after it was made. */
const LATER = `'{protocolo,enviado_em,enviado_por,reaberto_em,reaberto_por,motivo,alterado_em,alterado_por,versao}'::text[]`;

/**
 * Nothing in a closed month of the map can change, whoever writes: no movement of a mapped chemical can enter the
 * month, leave it, take effect in it or change. Pending movements of the month can be rejected. Reversals in later
 * months count in their own month.
 */
export class Migration20261122000061 extends Migration {
  override up(): void {
    this.addSql(`create function material_no_mapa(int) returns boolean language sql stable as $$
      select exists (
        select from material m left join tipo_controle c on c.id = m.id_tipo_controle
        where m.id = $1 and m.lista_pf is distinct from 'VII' and (c.mapa_pf or m.codigo_pf is not null
          or exists (select from substancia_controlada s where s.id_material = m.id))
      )
    $$`);
    this.addSql(`create function mapa_entra() returns trigger language plpgsql as $$
      declare
        mes text;
        f record;
      begin
        for mes in select distinct ${monthOf('v')} from novas v order by 1 loop
          ${shareMonth('mes')}
        end loop;${closedAmong('novas v')}
        join lote l on l.id = v.id_lote
        where material_no_mapa(l.id_material) limit 1;${REFUSE}
        return null;
      end $$`);
    this.addSql(`create trigger mapa_entra after insert on movimentacao
      referencing new table as novas for each statement execute function mapa_entra()`);
    // If the batch of a movement is deleted in the same statement, it is gone before. Its own trigger has checked it.
    this.addSql(`create function mapa_muda() returns trigger language plpgsql as $$
      declare
        v movimentacao := case tg_op when 'DELETE' then old else new end;
        f record;
      begin
        ${shareMonth(monthOf('v'))}
        select m.ano, m.mes into f from fechamento_mapa m
        where m.reaberto_em is null and v.data >= m.inicio and v.data < m.fim and exists (
          select from lote l where l.id in (old.id_lote, v.id_lote) and material_no_mapa(l.id_material)
        ) limit 1;${REFUSE}
        return null;
      end $$`);
    this.addSql(`create trigger mapa_muda_update after update on movimentacao for each row
      when (old.id_status_movimentacao = 1 and new.id_status_movimentacao <> 3) execute function mapa_muda()`);
    this.addSql(`create trigger mapa_muda_delete after delete on movimentacao for each row
      when (old.id_status_movimentacao <> 3) execute function mapa_muda()`);
    this.addSql(`create function mapa_muda_lote() returns trigger language plpgsql as $$
      declare
        mes text;
        f record;
      begin
        for mes in select distinct ${monthOf('v')} from movimentacao v where v.id_lote = old.id order by 1 loop
          ${shareMonth('mes')}
        end loop;${closedAmong('movimentacao v')}
        where v.id_lote = old.id and v.id_status_movimentacao <> 3
          and (material_no_mapa(old.id_material) or (tg_op = 'UPDATE' and material_no_mapa(new.id_material)))
        limit 1;${REFUSE}
        return case tg_op when 'DELETE' then old else new end;
      end $$`);
    this.addSql(`create trigger mapa_muda_lote_update before update on lote for each row
      when (old.id_material <> new.id_material) execute function mapa_muda_lote()`);
    this.addSql(
      `create trigger mapa_muda_lote_delete before delete on lote for each row execute function mapa_muda_lote()`,
    );

    this.addSql(`create function fechamento_mapa_recusa() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.reaberto_em is null
          and (old.protocolo is null or (new.protocolo, new.enviado_em, new.enviado_por)
            is not distinct from (old.protocolo, old.enviado_em, old.enviado_por))
          and to_jsonb(new) - ${LATER} = to_jsonb(old) - ${LATER} then
          return new;
        end if;
        raise exception 'a closing of the map does not change' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`create trigger fechamento_mapa_recusa before update or delete on fechamento_mapa
      for each row execute function fechamento_mapa_recusa()`);
    this.addSql(`create trigger conteudo_mapa_recusa before update or delete or truncate on conteudo_mapa
      for each statement execute function ledger_recusa()`);
    this.addSql(`create trigger fechamento_mapa_recusa_truncate before truncate on fechamento_mapa
      for each statement execute function ledger_recusa()`);
  }

  override down(): void {
    this.addSql('drop trigger conteudo_mapa_recusa on conteudo_mapa');
    this.addSql('drop trigger fechamento_mapa_recusa_truncate on fechamento_mapa');
    this.addSql(
      'drop function mapa_entra, mapa_muda, mapa_muda_lote, fechamento_mapa_recusa, material_no_mapa cascade',
    );
  }
}
