import { Migration } from '@mikro-orm/migrations';

/** Columns that pages show as a link or a picture, and the addresses that they allow. */
const shown = [
  ['material', 'link_fispq', '^\\s*https?:'],
  ['icone_risco', 'icone', '^\\s*(https?:|data:image/)'],
];

/**
 * Clears addresses that were stored before inputs were checked, and that a browser might execute, such as
 * `javascript:`. The audit trail keeps their old values, under the request `limpeza de endereços`.
 */
export class Migration20261122000006 extends Migration {
  override up(): void {
    this.addSql(`select set_config('sii.requisicao', 'limpeza de endereços', true)`);
    for (const [table, column, allowed] of shown)
      this.addSql(
        `update ${table} set ${column} = null, alterado_em = now() where ${column} <> '' and ${column} !~* '${allowed}'`,
      );
  }

  /** Cleared values stay cleared. The previous version also shows records without an address. */
  override down(): void {}
}
