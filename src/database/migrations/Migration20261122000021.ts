import { Migration } from '@mikro-orm/migrations';

/** The columns of a batch that an invoice shows: all except who changed it and when. */
const shown = [
  'id_material',
  'id_fabricante',
  'cod_lote',
  'data_venc',
  'quantidade',
  'motivo',
  'id_local',
  'id_local_destino',
];
const columnsOf = (alias: string): string => `(${shown.map(column => `${alias}.${column}`).join(', ')})`;

/** An invoice shows its batches as items, so a change of a batch is also a new version of its invoices. */
export class Migration20261122000021 extends Migration {
  override up(): void {
    // Not in the transaction that creates or changes the invoice itself, which sets its version already.
    this.addSql(`create function versionar_notas() returns trigger language plpgsql as $$
      begin
        update nota_fiscal n set versao = versao + 1
        where n.xmin <> pg_current_xact_id()::xid and n.id in (
          select i.id_nota_fiscal from item_nota_fiscal i join novas d on d.id = i.id_lote
          join antigas a on a.id = d.id where ${columnsOf('a')} is distinct from ${columnsOf('d')}
        );
        return null;
      end $$`);
    this.addSql(`create trigger versionar_notas after update on lote
      referencing old table as antigas new table as novas for each statement execute function versionar_notas()`);
  }

  override down(): void {
    this.addSql('drop function versionar_notas cascade');
  }
}
