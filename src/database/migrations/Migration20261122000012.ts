import { Migration } from '@mikro-orm/migrations';

/**
 * Links the reversals that there are to what they undo, in the order in which they were registered. `npm run
 * ledger:verify` names those of which nothing, or not all, was found. It runs before the triggers are there, whose
 * locks would keep writers waiting for as long.
 */
export class Migration20261122000012 extends Migration {
  override up(): void {
    this.addSql('select auditar_tabelas(), versionar_tabelas()');
    this.addSql('alter table "movimentacao" validate constraint "movimentacao_estornada_check"');
    this.addSql('call estornar_antigos()');
  }

  /** The links go with their table. */
  override down(): void {}
}
