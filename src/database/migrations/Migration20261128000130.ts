import { Migration } from '@mikro-orm/migrations';

/** The columns of a batch that an invoice shows: all except who changed it and when. */
const SHOWN =
  'id, id_material, id_fabricante, cod_lote, data_venc, quantidade, motivo, id_local, id_local_destino';

/**
 * What belongs to a record changes the record. Its version alone is not in the audit trail, so readers of the trail and of the
 * feed of changes would not see that.
 */
const CHANGED = `versao = r.versao + 1, alterado_em = now(), alterado_por = coalesce(quem.id_pessoa, r.alterado_por)
        from auditoria_quem() quem`;

const AFTER = 'select to_jsonb(n) - alheios as linha from novas n';
const BEFORE = 'select to_jsonb(o) - alheios as linha from antigas o';

/** Each version of a record is a change of it, also if something that belongs to it has changed. */
export class Migration20261128000130 extends Migration {
  override up(): void {
    // A part that is written without a difference changes no record.
    this.replace(
      CHANGED,
      `select (linha ->> campo)::int from ((${AFTER} except ${BEFORE}) union all (${BEFORE} except ${AFTER})) mudados`,
    );
  }

  override down(): void {
    this.replace(
      'versao = r.versao + 1',
      `select (linha ->> campo)::int from (${AFTER} union ${BEFORE}) todos`,
    );
  }

  /** Once per transaction, and not in the transaction that creates or changes the record itself. */
  private replace(change: string, updated: string): void {
    this.addSql(`create or replace function versionar_dono() returns trigger language plpgsql as $$
      declare
        campo text := tg_argv[0];
        alheios text[] := '{versao, criado_por, alterado_por, alterado_em}';
        donos int[];
      begin
        -- One by one, because the statements of other events name tables that this one does not have.
        if tg_op = 'INSERT' then
          donos := array(select (linha ->> campo)::int from (${AFTER}) novos);
        elsif tg_op = 'DELETE' then
          donos := array(select (linha ->> campo)::int from (${BEFORE}) antigos);
        else
          donos := array(${updated});
        end if;
        execute format('update %I r set ${change} where r.id = any ($1) and r.xmin <> pg_current_xact_id()::xid', tg_argv[1])
          using donos;
        return null;
      end $$`);
    this.addSql(`create or replace function versionar_notas() returns trigger language plpgsql as $$
      begin
        update nota_fiscal r set ${change}
        where r.xmin <> pg_current_xact_id()::xid and r.id in (
          select i.id_nota_fiscal from item_nota_fiscal i
          where i.id_lote in (select id from (select ${SHOWN} from novas except select ${SHOWN} from antigas) mudados)
        );
        return null;
      end $$`);
  }
}
