import { Migration } from '@mikro-orm/migrations';

/** The materials that are in the map. */
const MATERIALS = 'array(select id from material where material_no_mapa(id) order by id)';

/** Locks the months of movements (SQL of a FROM clause with the alias `v`), and those that lie so far from them. */
const shareMonths = (movements: string, distances: string): string => `
        for mes in
          select distinct to_char(v.data + distancia, 'YYYY-MM')
          from ${movements}, unnest(array[${distances}]) distancia where v.data is not null order by 1
        loop
          perform pg_advisory_xact_lock_shared(5119007, hashtext(mes));
        end loop;`;

/** Closed months that contain one of the movements `v`. */
const CLOSED = 'join fechamento_mapa m on m.reaberto_em is null and v.data >= m.inicio and v.data < m.fim';

/** The condition that a material is in the map, or was when the month `m` was closed. */
const inMap = (material: string): string =>
  `(${material} = any(m.materiais) or material_no_mapa(${material}))`;

/** Raises an error with the month of `f`, if one was found. */
const REFUSE = `
        if found then
          raise exception 'the map of %/% is closed', f.mes, f.ano using errcode = 'SI003',
            detail = jsonb_build_object('ano', f.ano, 'mes', f.mes);
        end if;`;

const FUNCTION = `returns trigger language plpgsql as $$
      declare
        mes text;
        f record;
      begin`;

/**
 * A month that is closed does not change while it is closed either.
 *
 * - The closing keeps the materials that were in the map when its lines were read, besides those when it is inserted.
 * - A movement that gets another date changes two months.
 * - The lock of a month has its name in the zone of the institution, and sessions can have another one. Two zones are at
 *   most 26 hours apart, so the month is that of 26 hours earlier or of 26 hours later.
 */
export class Migration20261129000131 extends Migration {
  override up(): void {
    this.define({
      materials: `select unnest(new.materiais) union select unnest(${MATERIALS}) order by 1`,
      distances: `interval '-26 hours', interval '26 hours'`,
      dates: 'select old.data union select new.data',
    });
  }

  override down(): void {
    this.define({
      materials: `select unnest(${MATERIALS})`,
      distances: `interval '0 hours'`,
      dates: 'select coalesce(new.data, old.data)',
    });
  }

  /** The materials of a closing; how far from a movement the months are that it locks; and the dates of a changed one. */
  private define({ materials, distances, dates }: Record<'materials' | 'distances' | 'dates', string>): void {
    this.addSql(`create or replace function fechamento_mapa_materiais() returns trigger language plpgsql as $$
      begin
        new.materiais := array(${materials});
        return new;
      end $$`);
    this.addSql(`create or replace function mapa_entra() ${FUNCTION}${shareMonths('novas v', distances)}
        select m.ano, m.mes into f from novas v ${CLOSED}
        join lote l on l.id = v.id_lote
        where ${inMap('l.id_material')} limit 1;${REFUSE}
        return null;
      end $$`);
    // If the batch of a movement is deleted in the same statement, it is gone before. Its own trigger has checked it.
    this
      .addSql(`create or replace function mapa_muda() ${FUNCTION}${shareMonths(`(${dates}) v (data)`, distances)}
        select m.ano, m.mes into f from (${dates}) v (data) ${CLOSED}
        where exists (
          select from lote l where l.id in (old.id_lote, new.id_lote) and ${inMap('l.id_material')}
        ) limit 1;${REFUSE}
        return null;
      end $$`);
    const ofBatch = '(select data from movimentacao where id_lote = old.id) v';
    this.addSql(`create or replace function mapa_muda_lote() ${FUNCTION}${shareMonths(ofBatch, distances)}
        select m.ano, m.mes into f from movimentacao v ${CLOSED}
        where v.id_lote = old.id and v.id_status_movimentacao <> 3
          and (${inMap('old.id_material')} or (tg_op = 'UPDATE' and ${inMap('new.id_material')}))
        limit 1;${REFUSE}
        return case tg_op when 'DELETE' then old else new end;
      end $$`);
  }
}
