import { Migration } from '@mikro-orm/migrations';

/** The columns that determine what a reversal undoes. */
const columnsOf = (row: string): string =>
  [
    'id_status_movimentacao',
    'fl_estorno',
    'quantidade',
    'id_lote',
    'id_tipo_movimentacao',
    'id_local_origem_fim',
    'id_local_origem_arm',
    'id_local_destino_fim',
    'id_local_destino_arm',
  ]
    .map(column => `${row}.${column}`)
    .join(', ');

/** From here on, a reversal must undo an existing movement. */
export class Migration20261122000013 extends Migration {
  override up(): void {
    this.addSql(`create trigger movimentacao_estorna after insert on movimentacao
      referencing new table as novas for each statement execute function movimentacao_estorna()`);
    this.addSql(`create trigger movimentacao_reestorna after update on movimentacao
      for each row when (old.id_status_movimentacao = 1 and 'S' in (old.fl_estorno, new.fl_estorno)
        and (${columnsOf('old')}) is distinct from (${columnsOf('new')}))
      execute function movimentacao_reestorna()`);
    // Reversals that the previous version has registered meanwhile. The triggers' locks keep out further ones.
    this.addSql('call estornar_antigos()');
  }

  override down(): void {
    this.addSql('drop trigger movimentacao_estorna on movimentacao');
    this.addSql('drop trigger movimentacao_reestorna on movimentacao');
  }
}
