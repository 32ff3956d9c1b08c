import { Migration } from '@mikro-orm/migrations';

/**
 * Links existing reversals to the movements that they undo, in the order of registration. `npm run ledger:verify` names
 * those that could not be linked, or only in part. It runs before the triggers are created, because their locks would
 * block writers for the whole time.
 */
export class Migration20261122000012 extends Migration {
  override up(): void {
    this.addSql('select auditar_tabelas(), versionar_tabelas()');
    this.addSql('alter table "movimentacao" validate constraint "movimentacao_estornada_check"');
    this.addSql('call estornar_antigos()');
  }

  /** The links are dropped with their table. */
  override down(): void {}
}
