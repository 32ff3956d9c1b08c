import { Migration } from '@mikro-orm/migrations';

/** The columns of a batch that an invoice shows: all except who changed it and when. */
const SHOWN =
  'id, id_material, id_fabricante, cod_lote, data_venc, quantidade, motivo, id_local, id_local_destino';

/**
 * A connection plans the statements of a trigger once, often for a change of one record. For a later change of 5,000, as
 * imports make them, a nested loop of the rows before and after would compare each with each: 25 million times.
 */
export class Migration20261125000104 extends Migration {
  override up(): void {
    this.addSql('alter function auditar() set enable_nestloop = off');
    this.addSql(`create or replace function versionar_notas() returns trigger language plpgsql as $$
      begin
        update nota_fiscal n set versao = versao + 1
        where n.xmin <> pg_current_xact_id()::xid and n.id in (
          select i.id_nota_fiscal from item_nota_fiscal i
          where i.id_lote in (select id from (select ${SHOWN} from novas except select ${SHOWN} from antigas) mudados)
        );
        return null;
      end $$`);
  }

  override down(): void {
    this.addSql('alter function auditar() reset enable_nestloop');
  }
}
