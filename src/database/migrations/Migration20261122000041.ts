import { Migration } from '@mikro-orm/migrations';

/** Columns that pages show as a link or a picture, and the addresses that they allow. */
const shown = [
  ['material', 'link_fispq', '^\\s*https?:'],
  ['icone_risco', 'icone', '^\\s*(https?:|data:image/)'],
  ['nota_fiscal', 'link_nf', '^\\s*https?:'],
];

/**
 * The database refuses addresses in these columns that a browser might execute, whoever writes them. Existing addresses
 * of invoices are cleared, as those of other tables were.
 */
export class Migration20261122000041 extends Migration {
  override up(): void {
    this.addSql(`select set_config('sii.requisicao', 'limpeza de endereços', true)`);
    for (const [table, column, allowed] of shown) {
      this.addSql(
        `update ${table} set ${column} = null, alterado_em = now() where ${column} <> '' and ${column} !~* '${allowed}'`,
      );
      this.addSql(
        `alter table ${table} add constraint ${table}_${column}_check check (${column} = '' or ${column} ~* '${allowed}')`,
      );
    }
  }

  override down(): void {
    for (const [table, column] of shown)
      this.addSql(`alter table ${table} drop constraint ${table}_${column}_check`);
  }
}
