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

/** Each version of a record is a change of it, also if something that belongs to it has changed. */
export class Migration20261128000130 extends Migration {
  override up(): void {
    this.replace(CHANGED);
  }

  override down(): void {
    this.replace('versao = r.versao + 1');
  }

  /** Once per transaction, and not in the transaction that creates or changes the record itself. */
  private replace(change: string): void {
    this.addSql(`create or replace function versionar_dono() returns trigger language plpgsql as $$
      declare
        novos text := format('select %I from novas', tg_argv[0]);
        antigos text := format('select %I from antigas', tg_argv[0]);
      begin
        execute format('update %I r set ${change} where r.id in (%s) and r.xmin <> pg_current_xact_id()::xid', tg_argv[1],
          case tg_op when 'INSERT' then novos when 'DELETE' then antigos else novos || ' union ' || antigos end);
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
